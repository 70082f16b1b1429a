import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaHTTP

@Suite(.hangLimit) struct ConnectToTests {
  @Test(arguments: [
    ("api.nova.social:443:10.1.2.3:8443", "api.nova.social:443:10.1.2.3:8443"),
    ("API.Nova.Social:443:Canary:1", "api.nova.social:443:canary:1"),
    ("[2001:DB8::1]:443:[::1]:8443", "[2001:db8::1]:443:[::1]:8443"),
    ("localhost:80:[::1]:8080", "localhost:80:[::1]:8080"),
    ("0x7f.1:80:127.0.0.2:8080", "127.0.0.1:80:127.0.0.2:8080"),
  ])
  func reads(text: String, shown: String) throws {
    #expect(try ConnectTo(parsing: text).description == shown)
  }

  @Test(arguments: [
    "", ":", ":::", "a:1:b", "a:1:b:", "a:1::2", ":1:b:2", "a::b:2", "a:1:b:2:", "a:1:b:2:3", "a:0:b:2", "a:1:b:65536",
    "a:1:b:02", "::1:80:b:2", "[::1:80:b:2", "a:1:::1:2", "a:1:b/c:2", "a:1:u@b:2", "a:1:b:2\n", "a:1:http://b:2",
    "a: 1:b:2",
    // From this machine to another one.
    "localhost:80:10.0.0.1:80", "127.0.0.1:80:nova.example:80", "[::1]:80:0.0.0.0:80",
  ])
  func refuses(text: String) {
    #expect(throws: HTTPURLError.self) { try ConnectTo(parsing: text) }
  }

  @Test func connectsElsewhereWithTheHostOfTheURL() async throws {
    try await withRawServer({ try $0.respondToAll() }) { server in
      let entry = try ConnectTo(parsing: "nova.invalid:81:127.0.0.1:\(server.port)")
      let transport = CurlTransport(options: .init(connectTo: [entry]))
      #expect(try await transport.send(.get("http://nova.invalid:81/a")).status == 200)
      #expect(server.requests.first?.header("Host") == "nova.invalid:81")
      // Another port, and another host.
      for url in ["http://nova.invalid/", "http://a.nova.invalid:81/"] {
        let error = await failure(of: transport, .get(url))
        #expect(error?.kind == .nameResolution)
      }
      #expect(server.requests.count == 1)
      await transport.shutdown()
    }
  }

  @Test func theCertificateIsCheckedForTheHostOfTheURL() async throws {
    try await withRawServer({ try $0.respondToAll() }) { upstream in
      // Its certificate is for elsewhere.invalid.
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: .wrongHost)
      defer { nginx.stop() }
      let entries = try ["elsewhere", "nova"].map {
        try ConnectTo(parsing: "\($0).invalid:443:127.0.0.1:\(nginx.http2Port)")
      }
      let transport = CurlTransport(options: .init(connectTo: entries, caFile: nginx.caFile))
      let response = try await transport.send(.get("https://elsewhere.invalid/protocol"))
      #expect(response.body.bytes == Array("HTTP/2.0".utf8))
      #expect(await failure(of: transport, .get("https://nova.invalid/protocol"))?.kind == .tls)
      await transport.shutdown()
    }
  }

  @Test func aFailureNamesBothPlaces() async throws {
    let closed = try ClosedPort()
    defer { withExtendedLifetime(closed) {} }
    let port = closed.port
    let entries = try [
      ConnectTo(parsing: "nova.invalid:80:127.0.0.1:\(port)"), ConnectTo(parsing: "nova.invalid:81:other.invalid:1"),
    ]
    let transport = CurlTransport(options: .init(connectTo: entries))
    let refused = await failure(of: transport, .get("http://nova.invalid/"))
    #expect(refused?.kind == .connectionRefused)
    #expect(
      refused?.message == "nova.invalid:80 at 127.0.0.1:\(port), which connect_to sets, refused the connection")
    let unknown = await failure(of: transport, .get("http://nova.invalid:81/"))
    #expect(unknown?.message == "the name other.invalid could not be resolved")
    await transport.shutdown()
  }

  /// The rule for names of this machine is checked on the connection, regardless of how it was reached.
  @Test func aRedirectUsesItForItsOwnOriginOnly() async throws {
    try await withRawServer({ connection in
      while let request = try connection.readRequest() {
        let isFirst = request.requestLine.contains("/first")
        try connection.respond(
          isFirst ? "302 Found" : "200 OK", headers: isFirst ? ["Location: http://files.invalid/1"] : [])
      }
    }) { server in
      let first = try ConnectTo(parsing: "nova.invalid:80:127.0.0.1:\(server.port)")
      let alone = CurlTransport(options: .init(connectTo: [first]))
      #expect(await failure(of: alone, .get("http://nova.invalid/first"))?.kind == .nameResolution)
      let second = try ConnectTo(parsing: "files.invalid:80:127.0.0.1:\(server.port)")
      let both = CurlTransport(options: .init(connectTo: [first, second]))
      #expect(try await both.send(.get("http://nova.invalid/first")).status == 200)
      #expect(server.requests.last?.header("Host") == "files.invalid")
      await alone.shutdown()
      await both.shutdown()
    }
  }

  /// The proxy is then asked to connect to the other server.
  @Test func aProxyConnectsElsewhere() async throws {
    try await withRawServer({ connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
      try connection.respondToAll()
    }) { server in
      let entry = try ConnectTo(parsing: "nova.invalid:80:canary.invalid:81")
      let proxy = try HTTPProxy(parsing: "http://127.0.0.1:\(server.port)")
      let transport = CurlTransport(options: .init(proxy: proxy, connectTo: [entry]))
      #expect(try await transport.send(.get("http://nova.invalid/")).status == 200)
      #expect(server.requests.map(\.requestLine) == ["CONNECT canary.invalid:81 HTTP/1.1", "GET / HTTP/1.1"])
      #expect(server.requests.last?.header("Host") == "nova.invalid")
      await transport.shutdown()
    }
  }
}

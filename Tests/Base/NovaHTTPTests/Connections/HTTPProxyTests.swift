import Foundation
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaHTTP

@Suite struct HTTPProxyParsingTests {
  @Test(arguments: [
    ("http://proxy.example:3128", "http://proxy.example:3128"),
    ("HTTP://Proxy.Example:3128/", "http://proxy.example:3128"),
    ("https://proxy.example:443", "https://proxy.example:443"),
    ("socks5h://[::1]:1080", "socks5h://[::1]:1080"), ("http://10.0.0.1:80", "http://10.0.0.1:80"),
    ("http://user:s3cret@proxy.example:3128", "http://****@proxy.example:3128"),
    ("http://s3cret@proxy.example:3128", "http://****@proxy.example:3128"),
    ("http://u:s3cret%40@x@proxy.example:3128", "http://****@proxy.example:3128"), ("off", "off"),
  ])
  func readsAndShows(text: String, shown: String) throws {
    let proxy = try HTTPProxy(parsing: text)
    var dumped = ""
    dump(proxy, to: &dumped)
    dump(proxy.server, to: &dumped)
    dump(CurlTransport.Options(proxy: proxy), to: &dumped)
    #expect("\(proxy)" == shown && String(reflecting: proxy) == shown)
    #expect(!dumped.contains("s3cret"), "\(dumped)")
    #expect(proxy.hasCredentials == text.contains("@"))
  }

  @Test func decodesCredentials() throws {
    let server = try HTTPProxy(parsing: "http://us%65r:p%40s%3As:%2F@proxy.example:1").server
    #expect(server?.user == "user" && server?.password == "p@s:s:/")
    let alone = try HTTPProxy(parsing: "http://user@proxy.example:1").server
    #expect(alone?.user == "user" && alone?.password == "")
  }

  @Test(arguments: [
    "", "none", "OFF", "proxy.example:3128", "http://proxy.example", "http://proxy.example:", "http://proxy.example:0",
    "http://proxy.example:65536", "http://proxy.example:03128", "http://:3128", "http://proxy.example:3128/path",
    "http://proxy.example:3128?a", "http://proxy.example:3128#a", "socks4://proxy.example:1",
    "socks5://proxy.example:1",
    "ftp://proxy.example:1", "http://::1:3128", "http://[::1]", "http://:s3cret@proxy.example:1",
    "http://us%0Aer:s3cret@proxy.example:1", "http://user:s3cret%00@proxy.example:1", "http://u:s3cret%F@p.example:1",
    "http://u:s3cret@proxy.example", "http://u:s3cret@:1", "http://u%3A:s3cret@proxy.example:1", " http://p.example:1",
    "http://p.example:1 ", "http://p.example:1\r\n", "http://p.example:１",
  ])
  func refuses(text: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPProxy(parsing: text) }
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test(arguments: [
    ("*", ["http://a.example", "http://10.1.2.3:80", "http://[::2]"], []),
    (
      "example.com",
      ["http://example.com", "https://example.com:8443", "http://a.b.example.com", "http://example.com."],
      ["http://notexample.com", "http://example.com.evil.org", "http://com"]
    ),
    (".example.com", ["http://example.com", "http://a.example.com"], ["http://aexample.com"]),
    ("*.EXAMPLE.com", ["http://example.com", "http://a.example.com"], ["http://example.org"]),
    ("example.com:8080", ["http://example.com:8080", "http://a.example.com:8080"], ["http://example.com"]),
    ("example.com:443", ["https://example.com"], ["http://example.com"]),
    ("10.1.2.3", ["http://10.1.2.3", "http://[::ffff:10.1.2.3]"], ["http://10.1.2.4", "http://a10.example"]),
    ("10.0.0.0/8", ["http://10.255.0.1:99"], ["http://11.0.0.0", "http://10.example.com"]),
    ("192.168.4.0/22", ["http://192.168.7.255"], ["http://192.168.8.0", "http://192.168.3.255"]),
    ("0.0.0.0/0", ["http://8.8.8.8"], ["http://[2001:db8::1]", "http://a.example"]),
    ("10.1.2.3:81", ["http://10.1.2.3:81"], ["http://10.1.2.3"]),
    ("2001:db8::/32", ["http://[2001:DB8:1::5]:9"], ["http://[2001:db9::]", "http://10.0.0.1"]),
    ("2001:db8::1", ["http://[2001:db8:0::1]"], ["http://[2001:db8::2]"]),
    ("[2001:db8::1]:82", ["http://[2001:db8::1]:82"], ["http://[2001:db8::1]"]),
    ("[2001:db8::1]", ["http://[2001:db8::1]"], ["http://[2001:db8::2]"]),
  ])
  func knowsItsExceptions(text: String, covered: [String], others: [String]) throws {
    let exception = try #require(ProxyException(text))
    let proxy = try HTTPProxy(parsing: "http://proxy.example:3128", exceptions: [text])
    let options = CurlTransport.Options(proxy: proxy)
    for url in covered {
      let origin = try HTTPURL(parsing: url).origin
      #expect(exception.covers(origin), "\(url)")
      #expect(options.route(to: origin) == .direct)
    }
    for url in others {
      let origin = try HTTPURL(parsing: url).origin
      #expect(!exception.covers(origin), "\(url)")
      #expect(options.route(to: origin) == .proxy)
    }
  }

  @Test(arguments: [
    "", ".", "*.", "a b", "http://example.com", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "::1/129",
    "example.com/8", "example.com:", "example.com:0", "example.com:65536", "a,b", "127.1", "ex*mple.com", "[::1",
    "[::1]x",
  ])
  func refusesOtherExceptions(text: String) {
    #expect(ProxyException(text) == nil)
    #expect(throws: HTTPURLError.self) { try HTTPProxy(parsing: "off", exceptions: [text]) }
  }
}

/// Proxies on real sockets. Names with `.invalid` do not resolve, so only a proxy can reach them.
@Suite(.hangLimit) struct HTTPProxyTests {
  private func options(
    _ server: RawServer, credentials: String = "", scheme: String = "http", exceptions: [String] = [],
    caFile: String? = nil
  ) throws -> CurlTransport.Options {
    let text = "\(scheme)://\(credentials)127.0.0.1:\(server.port)"
    return .init(proxy: try HTTPProxy(parsing: text, exceptions: exceptions), caFile: caFile)
  }

  private func withProxy(
    _ script: @escaping RawServer.Script, _ body: (RawServer) async throws -> Void
  ) async throws {
    try await withRawServer(script, body)
  }

  @Test func plainRequestsGoThroughTheProxy() async throws {
    try await withProxy({ try $0.respondToAll(body: [7]) }) { server in
      let transport = CurlTransport(options: try options(server, credentials: "us%65r:p%40ss@"))
      for _ in 0..<2 {
        #expect(try await transport.send(.get("http://nova.invalid/a?b")).body.bytes == [7])
      }
      #expect(server.requests.map(\.requestLine) == Array(repeating: "GET http://nova.invalid/a?b HTTP/1.1", count: 2))
      let authorization = "Basic " + Data("user:p@ss".utf8).base64EncodedString()
      #expect(server.requests.allSatisfy { $0.header("Proxy-Authorization") == authorization })
      #expect(server.requests.allSatisfy { $0.header("Host") == "nova.invalid" })
      #expect(server.connectionCount == 1)
      await transport.shutdown()
    }
  }

  @Test func secureRequestsGoThroughATunnel() async throws {
    try await withRawServer({ try $0.respondToAll(body: [8]) }) { upstream in
      // Its certificate is for elsewhere.invalid.
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: .wrongHost)
      defer { nginx.stop() }
      try await withProxy({ connection in
        guard try connection.readRequest() != nil else { return }
        try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
        try connection.carry(toPort: nginx.http2Port)
      }) { server in
        let transport = CurlTransport(options: try options(server, credentials: "u:s3cret@", caFile: nginx.caFile))
        let response = try await transport.send(.get("https://elsewhere.invalid/up/1"))
        #expect(response.body.bytes == [8])
        #expect(server.requests.map(\.requestLine) == ["CONNECT elsewhere.invalid:443 HTTP/1.1"])
        #expect(server.requests.first?.header("Proxy-Authorization")?.hasPrefix("Basic ") == true)
        // The server beyond the tunnel does not receive the proxy's password.
        #expect(upstream.requests.count == 1 && upstream.requests.first?.header("Proxy-Authorization") == nil)
        let other = await failure(of: transport, .get("https://nova.invalid/"))
        #expect(other?.kind == .tls && other?.requestMayHaveLeft == false, "\(String(describing: other))")
        await transport.shutdown()
      }
    }
  }

  @Test(arguments: [401, 407, 403, 502]) func aProxyThatRefusesIsNamed(status: Int) async throws {
    let script: RawServer.Script = {
      try $0.respondToAll("\(status) No", headers: ["Proxy-Authenticate: Basic realm=\"s3cret\""])
    }
    try await withProxy(script) { server in
      let transport = CurlTransport(options: try options(server, credentials: "u:s3cret@"))
      let error = await failure(of: transport, .post("https://nova.invalid/"))
      let advice = [401, 407].contains(status) ? "; set the user name and password in the proxy's URL" : ""
      #expect(error?.kind == .connectionFailed && error?.requestMayHaveLeft == false)
      #expect(
        error?.message == "no connection to nova.invalid:443: the proxy 127.0.0.1:\(server.port) refused it with HTTP "
          + "\(status)" + advice)
      // Without a tunnel, the proxy's response is a normal response.
      #expect(try await transport.send(.get("http://nova.invalid/")).status == status)
      await transport.shutdown()
    }
  }

  @Test(arguments: ["http", "https", "socks5h"]) func aProxyThatIsNotThereIsNamed(scheme: String) async throws {
    let port = try ClosedPort()
    let proxy = try HTTPProxy(parsing: "\(scheme)://u:s3cret@127.0.0.1:\(port.port)")
    let transport = CurlTransport(options: .init(proxy: proxy))
    for url in ["http://nova.invalid/", "https://nova.invalid/"] {
      let error = await failure(of: transport, .post(url))
      #expect(error?.kind == .connectionRefused && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      #expect(error?.message == "the proxy 127.0.0.1:\(port.port) refused the connection")
    }
    await transport.shutdown()
  }

  @Test func aProxyWhoseNameIsUnknownIsNamed() async throws {
    let proxy = try HTTPProxy(parsing: "http://u:s3cret@proxy.invalid:3128")
    let error = await failure(of: CurlTransport(options: .init(proxy: proxy)), .get("http://nova.invalid/"))
    #expect(error?.kind == .nameResolution)
    #expect(error?.message == "the name of the proxy proxy.invalid:3128 could not be resolved")
  }

  @Test func aProxyThatIsSilentIsNamed() async throws {
    try await withProxy({ $0.hang() }) { server in
      let transport = CurlTransport(options: try options(server, credentials: "u:s3cret@"))
      let limits = TransferLimits(connectTimeout: .milliseconds(100))
      let error = await failure(of: transport, .get("https://nova.invalid/", limits: limits))
      #expect(error?.kind == .connectTimeout)
      #expect(
        error?.message == "no connection to nova.invalid:443 through the proxy 127.0.0.1:\(server.port) within 100 ms")
      await transport.shutdown()
    }
  }

  @Test func aProxyMayBeReachedOverTLS() async throws {
    try await withRawServer({ try $0.respondToAll(body: [9]) }) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port)
      defer { nginx.stop() }
      // nginx does not support CONNECT, but accepts a request whose target is a URL.
      let proxy = try HTTPProxy(parsing: "https://localhost:\(nginx.http1Port)")
      let trusting = CurlTransport(options: .init(proxy: proxy, caFile: nginx.caFile))
      #expect(try await trusting.send(.get("http://nova.invalid/up/1")).body.bytes == [9])
      // Another authority, and another name than in the certificate.
      let other = try HTTPProxy(parsing: "https://127.0.0.1:\(nginx.http1Port)")
      for options in [CurlTransport.Options(proxy: proxy), .init(proxy: other, caFile: nginx.caFile)] {
        let error = await failure(of: CurlTransport(options: options), .post("http://nova.invalid/up/2"))
        #expect(error?.kind == .tls && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      }
      #expect(upstream.requests.count == 1)
      await trusting.shutdown()
    }
  }

  /// The proxy receives the name and resolves it.
  @Test func aSOCKSProxyGetsTheName() async throws {
    try await withProxy({ connection in
      _ = connection.readBytes()
      try connection.write([5, 2])
      let login = connection.readBytes()
      try connection.write([1, login == [1, 1] + Array("u".utf8) + [4] + Array("p@ss".utf8) ? 0 : 1])
      let request = connection.readBytes()
      guard request == [5, 1, 0, 3, 12] + Array("nova.invalid".utf8) + [0, 81] else { return }
      try connection.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
      try connection.respondToAll(body: [4])
    }) { server in
      let transport = CurlTransport(options: try options(server, credentials: "u:p%40ss@", scheme: "socks5h"))
      #expect(try await transport.send(.get("http://nova.invalid:81/")).body.bytes == [4])
      #expect(server.requests.map(\.requestLine) == ["GET / HTTP/1.1"])
      await transport.shutdown()
    }
  }

  @Test func aSOCKSProxyThatRefusesIsNamed() async throws {
    try await withProxy({ connection in
      _ = connection.readBytes()
      try connection.write([5, 255])
    }) { server in
      let transport = CurlTransport(options: try options(server, credentials: "u:s3cret@", scheme: "socks5h"))
      let error = await failure(of: transport, .post("http://nova.invalid/"))
      #expect(error?.requestMayHaveLeft == false, "\(String(describing: error))")
      #expect(error?.message.contains("the proxy 127.0.0.1:\(server.port)") == true)
      #expect(error?.message.contains("s3cret") == false)
      await transport.shutdown()
    }
  }

  @Test func thisMachineIsReachedDirectly() async throws {
    try await withTransport(
      .init(proxy: try HTTPProxy(parsing: "http://127.0.0.1:9")), to: { try $0.respondToAll() }
    ) { transport, server in
      for host in ["127.0.0.1", "localhost"] {
        let response = try await transport.send(.get(server.url(host: host)))
        #expect(response.status == 200)
      }
    }
  }

  @Test func redirectsToOtherOriginsGoThroughTheProxyToo() async throws {
    try await withProxy({ connection in
      while let request = try connection.readRequest() {
        let isFirst = request.requestLine.contains("nova.invalid")
        try connection.respond(
          isFirst ? "302 Found" : "200 OK", headers: isFirst ? ["Location: http://files.invalid/1"] : [])
      }
    }) { server in
      let transport = CurlTransport(options: try options(server))
      #expect(try await transport.send(.get("http://nova.invalid/")).status == 200)
      #expect(server.requests.last?.requestLine == "GET http://files.invalid/1 HTTP/1.1")
      await transport.shutdown()
    }
  }

  @Test func theEnvironmentDoesNotChangeAnExplicitProxy() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ try $0.respondToAll(body: [7]) }) { server in
        setenv("http_proxy", "http://127.0.0.1:9", 1)
        setenv("no_proxy", "*", 1)
        let proxy = try HTTPProxy(parsing: server.url(""))
        let transport = CurlTransport(options: .init(proxy: proxy))
        let response = try await transport.send(HTTPRequest(method: .get, url: "http://nova.invalid/"))
        try #require(response.body.bytes == [7])
      }
    }
  }

  @Test func theEnvironmentsProxiesCanBeTurnedOff() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ try $0.respondToAll(body: [7]) }) { server in
        setenv("http_proxy", server.url(""), 1)
        let request = HTTPRequest(method: .get, url: "http://nova.invalid/")
        let response = try await CurlTransport().send(request)
        try #require(response.body.bytes == [7])
        var excepting = HTTPProxy.environment
        excepting.exceptions = [try #require(ProxyException("nova.invalid"))]
        for proxy in [HTTPProxy.off, excepting] {
          let transport = CurlTransport(options: .init(proxy: proxy))
          let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
          try #require(error?.kind == .nameResolution)
        }
        try #require(server.requests.count == 1)
      }
    }
  }

  /// libcurl's messages can contain the URL from the environment.
  @Test(arguments: ["gopher://u:s3cret@127.0.0.1:1", "http://u:s3cret@127.0.0.1:99999", "http://u:s3cret@ x:1"])
  func theEnvironmentsPasswordIsNotShown(text: String) async {
    await #expect(processExitsWith: .success) { [text] in
      setenv("http_proxy", text, 1)
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(HTTPRequest(method: .get, url: "http://nova.invalid/"))
      }
      try #require(error?.description.contains("s3cret") == false, "\(String(describing: error))")
    }
  }
}

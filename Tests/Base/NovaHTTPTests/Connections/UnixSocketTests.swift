import Foundation
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaHTTP

@Suite(.hangLimit) struct UnixSocketTests {
  private static let gateway: HTTPURL = "http://localhost"

  /// The path is short, because the system allows only about a hundred bytes.
  private func withSocket(
    _ script: @escaping RawServer.Script = { try $0.respondToAll(body: [1]) },
    _ body: (String, RawServer, RawRelay) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await withRawServer(script) { server in
      let relay = try RawRelay(path: "\(folder.path)/s", toPort: server.port)
      defer { relay.stop() }
      try await body(relay.path, server, relay)
    }
  }

  private func transport(_ path: String, for urls: HTTPURL..., caFile: String? = nil) throws -> CurlTransport {
    let socket = try UnixSocket(path: path, for: urls.map(\.origin))
    return CurlTransport(
      options: .init(proxy: try HTTPProxy(parsing: "http://127.0.0.1:9"), unixSocket: socket, caFile: caFile))
  }

  @Test(arguments: [
    ("/s", true), ("/" + String(repeating: "a", count: 102), true), ("/" + String(repeating: "a", count: 107), false),
    ("", false), ("s", false), ("./s", false), ("~/s", false), ("/a\0b", false),
    ("/" + String(repeating: "é", count: 54), false),
  ])
  func checksThePath(path: String, isValid: Bool) {
    #expect(UnixSocket.isValid(path: path) == isValid)
    let socket = try? UnixSocket(path: path, for: [])
    #expect((socket != nil) == isValid)
  }

  @Test func requestsToItsOriginsUseTheSocket() async throws {
    try await withSocket { path, server, relay in
      let named: HTTPURL = "http://gateway.invalid:81"
      let transport = try transport(path, for: Self.gateway, named)
      for url in ["http://localhost/a", "http://gateway.invalid:81/b", "http://localhost/c"] {
        #expect(try await transport.send(.post(url, body: [2])).body.bytes == [1])
      }
      #expect(server.requests.map { $0.header("Host") } == ["localhost", "gateway.invalid:81", "localhost"])
      #expect(server.requests.map(\.requestLine).first == "POST /a HTTP/1.1")
      #expect(relay.connectionCount == 2)
      await transport.shutdown()
    }
  }

  @Test func otherOriginsUseTheNetwork() async throws {
    try await withSocket { path, server, relay in
      let transport = try transport(path, for: Self.gateway)
      #expect(try await transport.send(.get(server.url())).body.bytes == [1])
      #expect(relay.connectionCount == 0 && server.requests.first?.header("Host") == "127.0.0.1:\(server.port)")
      await transport.shutdown()
    }
  }

  @Test func aRedirectElsewhereUsesTheNetwork() async throws {
    try await withRawServer({ try $0.respondToAll(body: [3]) }) { other in
      let target = other.url("/there")
      try await withSocket({ try $0.respondToAll("302 Found", headers: ["Location: \(target)"]) }) { path, _, relay in
        let transport = try transport(path, for: Self.gateway)
        #expect(try await transport.send(.get("http://localhost/here")).body.bytes == [3])
        #expect(relay.connectionCount == 1 && other.requests.count == 1)
        await transport.shutdown()
      }
    }
  }

  @Test func tlsIsThatOfTheURL() async throws {
    try await withRawServer({ try $0.respondToAll() }) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: .wrongHost)
      defer { nginx.stop() }
      let folder = try TemporaryFolder()
      let relay = try RawRelay(path: "\(folder.path)/s", toPort: nginx.http2Port)
      defer { relay.stop() }
      let transport = try transport(
        relay.path, for: "https://elsewhere.invalid", "https://localhost", caFile: nginx.caFile)
      let response = try await transport.send(.get("https://elsewhere.invalid/protocol"))
      #expect(response.body.bytes == Array("HTTP/2.0".utf8))
      #expect(await failure(of: transport, .get("https://localhost/protocol"))?.kind == .tls)
      await transport.shutdown()
    }
  }

  @Test func aSocketThatIsNotThereIsNamed() async throws {
    let folder = try TemporaryFolder()
    let transport = try transport("\(folder.path)/s", for: Self.gateway)
    let error = await failure(of: transport, .post("http://localhost/"))
    #expect(error?.kind == .connectionFailed && error?.requestMayHaveLeft == false)
    #expect(
      error?.message
        == "no connection to localhost:80 at the Unix socket \"\(folder.path)/s\": No such file or directory")
    await transport.shutdown()
  }

  /// Its server has ended, but its file still exists.
  @Test func aStaleSocketIsNamed() async throws {
    let folder = try TemporaryFolder()
    var listener: RawSocket? = try RawSocket.listening(atPath: "\(folder.path)/s")
    #expect(listener != nil)
    listener = nil
    let transport = try transport("\(folder.path)/s", for: Self.gateway)
    let error = await failure(of: transport, .post("http://localhost/"))
    #expect(error?.kind == .connectionRefused && error?.requestMayHaveLeft == false)
    #expect(error?.message == "localhost:80 at the Unix socket \"\(folder.path)/s\" refused the connection")
    await transport.shutdown()
  }

  @Test func aFileThatIsNoSocketIsNamed() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "s")
    let transport = try transport(path, for: Self.gateway)
    let error = await failure(of: transport, .post("http://localhost/"))
    #expect(error?.requestMayHaveLeft == false && error?.message.contains("the Unix socket") == true)
    await transport.shutdown()
  }

  /// The address of the connection is then a path, which is not another machine.
  @Test func theRulesForAddressesTakeItForThisMachine() async throws {
    try await withSocket { path, server, _ in
      let transport = try transport(path, for: Self.gateway)
      var request = HTTPRequest.get("http://localhost/file")
      request.isForStorage = true
      #expect(try await transport.send(request).status == 200)
      #expect(server.requests.count == 1)
      await transport.shutdown()
    }
  }

  @Test func streamsAndCancellationWorkAsOnTheNetwork() async throws {
    try await withSocket({ connection in
      while let request = try connection.readRequest() {
        guard request.requestLine.contains("/stream") else {
          try connection.respond(body: [1])
          continue
        }
        try connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
        connection.hang()
      }
    }) { path, _, _ in
      let transport = try transport(path, for: Self.gateway)
      var request = HTTPRequest.get("http://localhost/stream")
      request.streamsResponse = true
      var response: HTTPResponse? = try await transport.send(request)
      #expect(response?.status == 200)
      response = nil
      #expect(try await transport.send(.get("http://localhost/")).body.bytes == [1])
      await transport.shutdown()
    }
  }
}

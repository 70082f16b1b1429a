import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

@Suite(.hangLimit) struct HandshakeTests {
  @Test func theRequestIsAHandshake() async throws {
    try await withRawServer({ try $0.open(.init(close: 1000), headers: ["Sec-WebSocket-Protocol: b"]) }) { server in
      let url = try HTTPURL(parsing: server.url("/events/ws?after=1%3A2"))
      let socket = try await WebSocketConnection.connect(
        to: url, headers: ["Authorization": "Bearer t", "X-Request-ID": "7"], subprotocols: ["a", "b"], limits: quiet)
      #expect(socket.subprotocol == "b")
      #expect(try await socket.receiveAll() == [])
      let request = try #require(server.requests.first)
      #expect(request.requestLine == "GET /events/ws?after=1%3A2 HTTP/1.1")
      #expect(request.header("Host") == "127.0.0.1:\(server.port)")
      #expect(request.header("Upgrade") == "websocket" && request.header("Connection") == "Upgrade")
      #expect(request.header("Sec-WebSocket-Version") == "13" && request.header("Sec-WebSocket-Protocol") == "a, b")
      #expect(request.header("Sec-WebSocket-Key")?.utf8.count == 24)
      #expect(request.header("Authorization") == "Bearer t" && request.header("X-Request-ID") == "7")
      #expect(request.header("User-Agent")?.hasPrefix("NovaSDK/") == true)
    }
  }

  @Test func eachConnectionHasItsOwnKey() async throws {
    try await withRawServer({ try $0.open(.init(close: 1000)) }) { server in
      for _ in 0..<3 { _ = try await connect(to: server).receiveAll() }
      #expect(Set(server.requests.compactMap { $0.header("Sec-WebSocket-Key") }).count == 3)
    }
  }

  private static let accepted = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: KEY"]

  private static let invalidResponses: [(String, [String])] = [
    ("HTTP/1.1 101 X", ["Connection: Upgrade", "Sec-WebSocket-Accept: KEY"]),
    ("HTTP/1.1 101 X", ["Upgrade: h2c", "Connection: Upgrade", "Sec-WebSocket-Accept: KEY"]),
    ("HTTP/1.1 101 X", ["Upgrade: websocket", "Sec-WebSocket-Accept: KEY"]),
    ("HTTP/1.1 101 X", ["Upgrade: websocket", "Connection: keep-alive", "Sec-WebSocket-Accept: KEY"]),
    ("HTTP/1.1 101 X", ["Upgrade: websocket", "Connection: Upgrade"]),
    (
      "HTTP/1.1 101 X",
      ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="]
    ),
    ("HTTP/1.1 101 X", accepted + ["Sec-WebSocket-Accept: KEY"]),
    ("HTTP/1.1 101 X", accepted + ["Sec-WebSocket-Extensions: permessage-deflate"]),
    ("HTTP/1.1 101 X", accepted + ["Sec-WebSocket-Protocol: c"]),
    ("HTTP/1.1 101 X", accepted + ["Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: b"]),
    ("HTTP/1.1 101 X", accepted + ["Sec-WebSocket-Protocol: a, b"]),
    ("HTTP/1.0 101 X", accepted),
    ("garbage", []), ("HTTP/1.1 ", []), ("HTTP/1.1 99999 X", accepted),
    ("HTTP/1.1 101 X", accepted + ["X: " + String(repeating: "x", count: 200_000)]),
  ]

  @Test(arguments: invalidResponses)
  func invalidResponsesAreRefused(_ line: String, _ headers: [String]) async throws {
    try await withRawServer({ connection in
      guard let request = try connection.readRequest() else { return }
      let key = try acceptance(of: request.header("Sec-WebSocket-Key") ?? "")
      let lines = [line] + headers.map { $0.replacing("KEY", with: key) }
      try connection.write(lines.joined(separator: "\r\n") + "\r\n\r\n")
      connection.hang()
    }) { server in
      let error = await transportFailure { try await connect(to: server, subprotocols: ["a", "b"]) }
      #expect(error?.kind == .malformedResponse, "\(String(describing: error))")
      await server.waitUntilIdle()
    }
  }

  @Test(arguments: [401, 403, 404, 426, 429, 503, 200, 302, 307])
  func otherResponsesAreReturned(_ status: Int) async throws {
    let body = Array(#"{"code":16,"message":"no"}"#.utf8)
    try await withRawServer({
      try $0.respondToAll(
        "\(status) X", headers: ["Retry-After: 7", "Location: http://127.0.0.1:1/", "X-A: 1"], body: body)
    }) { server in
      let refusal = await #expect(throws: WebSocketRefusal.self) { try await connect(to: server) }
      #expect(refusal?.response.status == status)
      #expect(refusal?.response.headers["Retry-After"] == "7")
      #expect(refusal?.response.body.bytes == body)
      #expect(refusal?.description == "the server refused the WebSocket connection: HTTP \(status)")
      #expect(server.connectionCount == 1)
    }
  }

  /// The body is cut, even if it never ends.
  @Test func theBodyOfARefusalIsLimited() async throws {
    try await withRawServer({ connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 403 Forbidden\r\n\r\n")
      while true { try connection.write([UInt8](repeating: 0x20, count: 10_000)) }
    }) { server in
      let refusal = await #expect(throws: WebSocketRefusal.self) { try await connect(to: server) }
      #expect(refusal?.response.body.bytes?.count == 64 << 10)
      await server.waitUntilIdle()
    }
  }

  private static let beginnings = [
    "", "HTTP/1.1 101 Switching Protocols\r\nUpgra", "HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\n\r\nabc",
  ]

  @Test(arguments: beginnings, [false, true])
  func aConnectionThatEndsInTheHandshakeIsLost(_ text: String, isReset: Bool) async throws {
    try await withRawServer({ connection in
      _ = try connection.readRequest()
      try connection.write(text)
      if isReset { connection.reset() }
    }) { server in
      let error = await transportFailure { try await connect(to: server) }
      #expect(error?.kind == .connectionLost, "\(String(describing: error))")
    }
  }

  @Test func aSilentServerIsLeft() async throws {
    try await withRawServer({ $0.hang() }) { server in
      let clock = ManualClock()
      async let error = transportFailure { try await connect(to: server, limits: WebSocketLimits(), clock: clock) }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
      #expect(await error?.kind == .idleTimeout)
      await server.waitUntilIdle()
    }
  }

  @Test func aCancelledHandshakeEndsAtOnce() async throws {
    try await withRawServer({ $0.hang() }) { server in
      let task = Task { try await connect(to: server) }
      await server.waitForConnections(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await server.waitUntilIdle()
    }
  }

  /// The connect is waiting for a TLS handshake that the server never answers.
  @Test func aCancelledConnectEndsAtOnce() async throws {
    try await withRawServer({ $0.hang() }) { server in
      let url = try HTTPURL(parsing: "https://127.0.0.1:\(server.port)/")
      let task = Task { try await WebSocketConnection.connect(to: url, connectTimeout: .seconds(3600)) }
      await server.waitForConnections(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func refusedConnectionsAreReported() async throws {
    let server = try RawServer(listens: false) { _ in }
    defer { server.stop() }
    let error = await transportFailure { try await connect(to: server) }
    #expect(error?.kind == .connectionRefused && error?.requestMayHaveLeft == false)
  }

  /// The token is refused before the host's name is resolved.
  @Test func aTokenIsNotSentInTheOpen() async throws {
    let error = await #expect(throws: APIError.self) {
      try await WebSocketConnection.connect(
        to: "http://nova.invalid/ws", headers: ["Authorization": "Bearer t"], limits: quiet)
    }
    #expect(error?.code == .insecureConnection)
  }

  @Test(arguments: ["Host", "upgrade", "CONNECTION", "Sec-WebSocket-Key", "Sec-WebSocket-Extensions", "A B", "X"])
  func headersCannotChangeTheHandshake(_ name: String) async throws {
    let value = name == "X" ? "a\r\nUpgrade: b" : "a"
    let error = await transportFailure {
      try await WebSocketConnection.connect(to: "http://127.0.0.1:1/", headers: [name: value], limits: quiet)
    }
    #expect(error?.kind == .invalidHeader && error?.requestMayHaveLeft == false)
  }
}

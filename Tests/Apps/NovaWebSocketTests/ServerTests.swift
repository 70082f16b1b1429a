import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

@testable import NovaServer

/// The server's side, with various clients.
@Suite(.hangLimit) struct ServerTests {
  private static let path = "/api/echo"

  private static func echo(_ socket: WebSocketConnection) async {
    while let message = try? await socket.receive() { try? await socket.send(message) }
  }

  private func withServer(
    subprotocols: [String] = [], limits: WebSocketLimits? = nil, clock: any CallClock = ContinuousClock(),
    refusal: @escaping @Sendable (ReceivedRequest) -> HTTPResponse? = { _ in nil },
    service: @escaping WebSocketEndpoint.Service = echo,
    _ body: (MockServer, Int) async throws -> Void
  ) async throws {
    let endpoint = WebSocketEndpoint(
      path: Self.path, subprotocols: subprotocols, limits: limits ?? quiet, clock: clock
    ) { request in refusal(request).map { .refuse($0) } ?? .open(service) }
    let server = try await MockServer(
      host: "127.0.0.1", port: 0, backend: MockBackend(dataSet: .empty), webSockets: [endpoint])
    let port = try #require(Int(server.url.split(separator: ":").last ?? ""))
    do {
      try await body(server, port)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func connect(
    to server: MockServer, headers: HTTPHeaders = [:], subprotocols: [String] = []
  ) async throws -> WebSocketConnection {
    try await .connect(
      to: HTTPURL(parsing: server.url + Self.path + "?a=b"), headers: headers, subprotocols: subprotocols, limits: quiet
    )
  }

  private static let handshake = [
    "GET \(path) HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
  ]

  private static let opened = Array("HTTP/1.1 101".utf8)

  private static func bytes(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  /// Sends bytes, and returns everything until the server closes.
  ///
  /// - Parameter frames: sent once the connection is open.
  private func answer(
    to bytes: [UInt8], then frames: [UInt8] = [], port: Int
  ) async throws -> (bytes: [UInt8], text: String, frames: [RawFrame]) {
    let answer = try await BlockingWork.run {
      Result {
        let socket = try RawSocket.connected(to: port)
        try socket.write(bytes)
        var answer: [UInt8] = []
        while !frames.isEmpty, answer.firstRange(of: Self.opened) == nil {
          let more = socket.read()
          if more.isEmpty { return answer }
          answer += more
        }
        try socket.write(frames)
        while case let more = socket.read(), !more.isEmpty { answer += more }
        return answer
      }
    }.get()
    let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? answer.count
    var (rest, received) = (Array(answer[end...]), [RawFrame]())
    while let frame = RawFrame(takingFrom: &rest) { received.append(frame) }
    return (answer, String(decoding: answer, as: UTF8.self), received)
  }

  @Test func messagesComeBack() async throws {
    try await withServer(subprotocols: ["nova.test.v2", "nova.test.v1"]) { server, _ in
      let socket = try await connect(to: server, subprotocols: ["other", "nova.test.v1", "nova.test.v2"])
      #expect(socket.subprotocol == "nova.test.v1")
      for text in ["a", "", String(repeating: "ż", count: 200_000)] {
        try await socket.send(text)
        #expect(try await socket.receive() == .text(text))
      }
      try await socket.ping()
      await socket.close(.init(rawValue: 4000), reason: "bye")
      #expect(socket.closure == WebSocketClosure(code: .init(rawValue: 4000)))
      try await waitUntil { server.openConnections == 0 }
    }
  }

  @Test func theHandshakeIsAnswered() async throws {
    try await withServer { _, port in
      let close = RawFrame(RawFrame.close, RawFrame.bytes(of: 1000), mask: [1, 2, 3, 4])
      let answer = try await answer(to: Self.bytes(Self.handshake), then: close.bytes, port: port)
      #expect(answer.text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"), "\(answer.text)")
      // RFC 6455's own example.
      #expect(answer.text.lowercased().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n"))
      #expect(!answer.text.lowercased().contains("sec-websocket-protocol"))
      #expect(answer.frames == [RawFrame(close: 1000)])
    }
  }

  private static let badHandshakes: [(String, String, Int)] = [
    ("Upgrade: websocket", "Upgrade: h2c", 426), ("Upgrade: websocket", "X: y", 426),
    ("Connection: keep-alive, Upgrade", "Connection: keep-alive", 426),
    ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", 426), ("Sec-WebSocket-Version: 13", "X: y", 426),
    ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "X: y", 400),
    ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Key: dGhl", 400),
    ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Key: ????????????????????????", 400),
    ("Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", 400),
    ("Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Protocol: other, more", 400),
    ("Upgrade: websocket", "Upgrade: websocket\r\nOrigin: https://evil.example", 403),
    ("Host: localhost", "Host: evil.example", 403), ("HTTP/1.1", "HTTP/1.0", 400), ("GET", "POST", 400),
    (path, "/api/other", 404),
  ]

  @Test(arguments: badHandshakes)
  func badHandshakesAreRefused(line: String, other: String, status: Int) async throws {
    try await withServer(subprotocols: ["nova.test.v1"]) { _, port in
      let ending = ["Connection: close", "Content-Length: 0"]
      let request = Self.handshake.map { $0.replacing(line, with: other) } + ending
      let answer = try await answer(to: Self.bytes(request), port: port)
      #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "), "\(answer.text)")
      #expect(answer.text.contains(#""message":"#))
      #expect(other != "Sec-WebSocket-Version: 8" || answer.text.contains("Sec-WebSocket-Version: 13"))
    }
  }

  @Test func theEndpointCanRefuse() async throws {
    try await withServer(refusal: { request in
      request.headers["Authorization"] == "Bearer t" ? nil : HTTPResponse(status: 401)
    }) { server, _ in
      let refusal = await #expect(throws: WebSocketRefusal.self) { try await connect(to: server) }
      #expect(refusal?.response.status == 401)
      await (try connect(to: server, headers: ["Authorization": "Bearer t"])).close()
    }
  }

  /// A connection that has served calls before does not mix their bytes with frames.
  @Test func callsCanComeBefore() async throws {
    try await withServer { _, port in
      let get = Self.bytes(["GET / HTTP/1.1", "Host: localhost"])
      let frames = [
        RawFrame(RawFrame.text, [65], mask: [9, 9, 9, 9]),
        RawFrame(RawFrame.close, RawFrame.bytes(of: 4000), mask: [1, 2, 3, 4]),
      ]
      let answer = try await answer(
        to: get + Self.bytes(Self.handshake), then: frames.flatMap(\.bytes), port: port)
      #expect(answer.text.contains("HTTP/1.1 101 "), "\(answer.text)")
      // The echo may arrive too late.
      #expect(answer.bytes.suffix(4) == RawFrame(close: 4000).bytes[...])
    }
  }

  private static let violations: [(RawFrame, UInt16)] = [
    (RawFrame(RawFrame.text, [65]), 1002),
    (RawFrame(RawFrame.text, [0xff], mask: [0, 0, 0, 0]), 1007),
    (RawFrame(RawFrame.text, Array(repeating: 65, count: 2000), mask: [0, 0, 0, 0]), 1009),
    (RawFrame(RawFrame.ping, [1], isFinal: false, mask: [0, 0, 0, 0]), 1002),
    (RawFrame(7, mask: [0, 0, 0, 0]), 1002),
    (RawFrame(text: "a", lengthBytes: 2).masked, 1002), (RawFrame(text: "a", lengthBytes: 8).masked, 1002),
    (RawFrame(text: String(repeating: "a", count: 125), lengthBytes: 2).masked, 1002),
    (RawFrame(text: String(repeating: "a", count: 1000), lengthBytes: 8).masked, 1002),
  ]

  @Test(arguments: violations)
  func violationsCloseTheConnection(_ frame: RawFrame, _ code: UInt16) async throws {
    let limits = WebSocketLimits.quiet(maximumFrameBytes: 1024, maximumMessageBytes: 1024)
    try await withServer(limits: limits) { server, port in
      let answer = try await answer(to: Self.bytes(Self.handshake), then: frame.bytes, port: port)
      #expect(answer.frames.map(\.closeCode) == [code])
      try await waitUntil { server.openConnections == 0 }
    }
  }

  /// Before either side has received everything, both send more than the system buffers.
  @Test func largeMessagesCanGoBothWaysAtOnce() async throws {
    let count = 40
    @Sendable func converse(_ socket: WebSocketConnection) async throws -> Int {
      async let sending: Void = {
        for _ in 0..<count { try await socket.send(.binary([UInt8](repeating: 7, count: 1 << 20))) }
      }()
      var received = 0
      while received < count, try await socket.receive() != nil { received += 1 }
      try await sending
      return received
    }
    try await withServer(service: { socket in _ = try? await converse(socket) }) { server, _ in
      let socket = try await connect(to: server)
      #expect(try await converse(socket) == count)
      await socket.close()
    }
  }

  @Test func clientsThatAreGoneEndTheirService() async throws {
    let (begun, ended) = (Seen<Int>(), Seen<Int>())
    try await withServer(service: { _ in
      begun.add(1)
      // The service does not wait for the client.
      try? await Task.sleep(for: .seconds(3600))
      ended.add(1)
    }) { server, port in
      do {
        let socket = try RawSocket.connected(to: port)
        try socket.write(Self.bytes(Self.handshake))
        try await waitUntil { begun.all.count == 1 }
      }
      try await waitUntil { ended.all.count == 1 && server.openConnections == 0 }
    }
  }

  @Test func silentClientsArePingedAndLeft() async throws {
    let clock = ManualClock()
    try await withServer(limits: WebSocketLimits(), clock: clock) { server, port in
      let answers = Task { try await answer(to: Self.bytes(Self.handshake), port: port) }
      try await waitUntil { server.openConnections == 1 }
      try await waitUntil {
        clock.advanceToNextSleeper()
        return server.openConnections == 0
      }
      #expect(try await answers.value.frames.map(\.opcode) == [RawFrame.ping])
    }
  }

  @Test func clientsThatDoNotReadAreNotSentMore() async throws {
    let sent = Seen<Int>()
    try await withServer(service: { socket in
      while (try? await socket.send(.binary(Array(repeating: 1, count: 100_000)))) != nil { sent.add(1) }
      sent.add(-1)
    }) { server, port in
      do {
        let socket = try RawSocket.connected(to: port, bufferSize: 64 << 10)
        try socket.write(Self.bytes(Self.handshake))
        var last = -1
        try await waitUntil {
          try await Task.sleep(for: .milliseconds(200))
          defer { last = sent.all.count }
          return last == sent.all.count && last > 0
        }
        #expect(sent.all.count < 1000 && !sent.all.contains(-1))
      }
      try await waitUntil { sent.all.last == -1 && server.openConnections == 0 }
    }
  }

  /// The server may stop even while it opens the connection.
  @Test(arguments: 0..<16) func aStoppingServerSendsAClose(_ turn: Int) async throws {
    try await withServer { server, _ in
      let socket = try await connect(to: server)
      await server.stop()
      #expect(try await socket.receive() == nil)
      #expect(socket.closure?.code == .restart)
    }
  }
}

extension RawFrame {
  fileprivate var masked: RawFrame {
    var frame = self
    frame.mask = [1, 2, 3, 4]
    return frame
  }
}

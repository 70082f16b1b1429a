import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Frames that come with the handshake, as those of clients that do not wait for the answer.
@Suite(.hangLimit) struct EarlyFrameTests {
  private static let handshake = Array(
    ("GET /api/v1/events/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8)

  /// A text frame, masked with zeros.
  private static func frame(_ text: String) -> [UInt8] {
    [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
  }

  @Test(arguments: [0, 1, 90, handshake.count - 2, handshake.count - 1, handshake.count, handshake.count + 3, 100_000])
  func theyAreAnswered(cutAt cut: Int) async throws {
    try await withServer { _, port in
      let bytes = Self.handshake + Self.frame(#"{"ping":1}"#) + Self.frame(#"{"subscribe":["user:ann"]}"#)
      let cut = min(cut, bytes.count)
      let socket = try RawSocket.connected(to: Int(port))
      try socket.write(Array(bytes[..<cut]))
      if cut < bytes.count { try socket.write(Array(bytes[cut...])) }
      var answer = ""
      while !answer.contains("\"subscribed\"") {
        let more = socket.read()
        try #require(!more.isEmpty, "\(answer)")
        answer += String(decoding: more, as: UTF8.self)
      }
      #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.contains(#"{"pong":1}"#), "\(answer)")
    }
  }
}

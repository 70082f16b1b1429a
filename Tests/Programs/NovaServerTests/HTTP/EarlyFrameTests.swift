import Foundation
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

  /// Sends two parts, and reads up to the answer to the last frame. Not on a thread of Swift's, which must not wait.
  private static func answer(to parts: [[UInt8]], port: UInt16) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var answer = ""
        if let socket = try? RawSocket.connected(to: Int(port)) {
          for part in parts where !part.isEmpty { try? socket.write(part) }
          while !answer.contains("\"subscribed\""), case let more = socket.read(), !more.isEmpty {
            answer += String(decoding: more, as: UTF8.self)
          }
        }
        continuation.resume(returning: answer)
      }
    }
  }

  @Test(arguments: [0, 1, 90, handshake.count - 2, handshake.count - 1, handshake.count, handshake.count + 3, 100_000])
  func theyAreAnswered(cutAt cut: Int) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend, webSockets: [.events(of: backend)]) { _, port in
      let frames = Self.frame(#"{"ping":1}"#) + Self.frame(#"{"subscribe":["user:ann"]}"#)
      let bytes = Self.handshake + frames
      let cut = min(cut, bytes.count)
      let answer = await Self.answer(to: [Array(bytes[..<cut]), Array(bytes[cut...])], port: port)
      #expect(answer.contains("\"subscribed\""), "\(answer)")
      #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.contains(#"{"pong":1}"#), "\(answer)")
    }
  }
}

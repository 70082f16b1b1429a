import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// An events client that sends and reads single frames.
final class EventSocket: Sendable {
  private let connection: RawSocket
  private let bytes = Locked<[UInt8]>([])

  init(port: Int, headers: String = "") throws {
    connection = try RawSocket.connected(to: port)
    let head = [
      "GET /api/v1/events/ws HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]
    try connection.write(Array((head.joined(separator: "\r\n") + "\r\n\(headers)\r\n").utf8))
    let end = Array("\r\n\r\n".utf8)
    while case let more = connection.read(), !more.isEmpty {
      let isOpen = bytes.withLock { bytes in
        bytes += more
        guard let range = bytes.firstRange(of: end) else { return false }
        bytes.removeSubrange(..<range.upperBound)
        return true
      }
      if isOpen { return }
    }
  }

  /// Masks and sends a frame.
  func send(_ frame: RawFrame) async throws {
    var frame = frame
    frame.mask = [1, 2, 3, 4]
    try connection.write(frame.bytes)
  }

  /// The next frame; nil at the end.
  func next() async -> RawFrame? {
    await BlockingWork.run { [self] in
      while true {
        if let frame = bytes.withLock({ RawFrame(takingFrom: &$0) }) { return frame }
        let more = connection.read()
        if more.isEmpty { return nil }
        bytes.withLock { $0 += more }
      }
    }
  }
}

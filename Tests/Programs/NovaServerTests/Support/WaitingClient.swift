import Foundation
import NovaTestSupport

/// Sends parts, and the body once `100 Continue` has come, and returns everything until the server closes. Not on a thread of
/// Swift's, which must not wait.
func exchange(_ parts: [[UInt8]], whenAllowed body: [UInt8], port: UInt16) async -> String {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      var answer: [UInt8] = []
      if let socket = try? RawSocket.connected(to: Int(port)) {
        for part in parts { try? socket.write(part) }
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8), case let more = socket.read(), !more.isEmpty {
          answer += more
        }
        try? socket.write(body)
        socket.finishWriting()
        while case let more = socket.read(), !more.isEmpty { answer += more }
      }
      continuation.resume(returning: String(decoding: answer, as: UTF8.self))
    }
  }
}

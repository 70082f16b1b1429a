import Foundation
import NovaTesting

/// Sends bytes to a port on this machine, and returns what comes back until the server closes the connection. It waits
/// for the network on a thread of its own, because the server in the same process needs Swift's.
///
/// - Parameters:
///   - parts: what is sent, one after the other.
///   - port: where the server listens.
///   - endsInput: whether the server is told that nothing follows. Default `true`.
public func exchange(_ parts: [UInt8]..., port: UInt16, endsInput: Bool = true) async -> String {
  await exchange(parts, port: port, endsInput: endsInput)
}

/// The same with any number of parts.
public func exchange(_ parts: [[UInt8]], port: UInt16, endsInput: Bool = true) async -> String {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let answer = try? exchangeWaiting(parts, port: Int(port), endsInput: endsInput)
      continuation.resume(returning: answer ?? "no connection")
    }
  }
}

private func exchangeWaiting(_ parts: [[UInt8]], port: Int, endsInput: Bool) throws -> String {
  let socket = try RawSocket.connected(to: port)
  // A server that has enough may close before it has all.
  for part in parts { try? socket.write(part) }
  if endsInput { socket.finishWriting() }
  var answer: [UInt8] = []
  while case let more = socket.read(), !more.isEmpty { answer += more }
  return String(decoding: answer, as: UTF8.self)
}

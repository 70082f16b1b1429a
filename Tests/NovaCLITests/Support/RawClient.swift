import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sends bytes to a port on this machine, and returns what comes back until the server closes the connection. It waits
/// for the network on a thread of its own, because the server in the same process needs Swift's.
func exchange(_ parts: [UInt8]..., port: UInt16) async -> String {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: exchangeWaiting(parts, port)) }
  }
}

private func exchangeWaiting(_ parts: [[UInt8]], _ port: UInt16) -> String {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  address.sin_port = port.bigEndian
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard status == 0 else { return "no connection" }
  for part in parts {
    var sent = 0
    while sent < part.count {
      let count = part[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(0x4000)) }
      guard count > 0 else { break }
      sent += count
    }
  }
  shutdown(descriptor, Int32(SHUT_WR))
  var answer: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
  return String(decoding: answer, as: UTF8.self)
}

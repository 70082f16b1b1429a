import Foundation

/// A connection to the server's admin API.
final class AdminConnection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(port: UInt16) throws { socket = try connectedSocket(port: port) }

  deinit { close(socket) }

  func send(_ method: String, to path: String, _ body: [UInt8]) throws {
    let fields = ["Host: 127.0.0.1", "Content-Type: application/json", "Content-Length: \(body.count)"]
    let head = "\(method) \(path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n"
    try write(Array(head.utf8) + body)
    let status = try readStatus()
    guard (200..<300).contains(status) else { throw Unusable(description: "\(path) answered with \(status)") }
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Unusable(description: "the server closed the admin connection") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads a response with a length, and returns its status.
  private func readStatus() throws -> Int {
    var response = ""
    while true {
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { throw Unusable(description: "the server closed the admin connection") }
      response += String(decoding: buffer[..<count], as: UTF8.self)
      guard let head = response.range(of: "\r\n\r\n") else { continue }
      let fields = response[..<head.lowerBound].lowercased().components(separatedBy: "\r\n")
      let length = fields.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
      if response[head.upperBound...].utf8.count >= length ?? 0 {
        return Int(response.split(separator: " ").dropFirst().first ?? "") ?? 0
      }
    }
  }
}

/// A blocking socket that is connected to a port of this machine.
func connectedSocket(port: UInt16) throws -> Int32 {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let status = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard socket >= 0, status == 0 else {
    throw Unusable(description: "cannot connect: \(String(cString: strerror(errno)))")
  }
  var one: Int32 = 1
  setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  return socket
}

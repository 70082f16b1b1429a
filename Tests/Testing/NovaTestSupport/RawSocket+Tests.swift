import NovaLibc
package import NovaTesting

// What only tests do with raw sockets.

extension RawSocket {
  /// A socket that listens on a port the system chose.
  package static func listening(backlog: Int) throws -> RawSocket {
    let socket = try bound()
    try socket.listen(backlog: backlog)
    return socket
  }

  /// A Unix socket that listens at a path. The file remains when the socket is closed.
  package static func listening(atPath path: String) throws -> RawSocket {
    let socket = try makeUnix()
    try check(try socket.withAddress(of: path, bind), "bind")
    try socket.listen(backlog: 1024)
    return socket
  }

  /// Whether something accepts connections at the path of a Unix socket.
  package static func accepts(atPath path: String) -> Bool {
    guard let socket = try? makeUnix() else { return false }
    return (try? socket.withAddress(of: path, NovaLibc.connect)) == 0
  }

  private static func makeUnix() throws -> RawSocket {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_UNIX, type, 0)
    try check(descriptor, "socket")
    return RawSocket(descriptor)
  }

  private func withAddress(
    of path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw RawServerError("the path of the Unix socket is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Whether something accepts connections at a port.
  package static func accepts(port: Int) -> Bool { (try? connected(to: port)) != nil }

  /// Connects and waits until that has succeeded.
  ///
  /// - Parameter bufferSize: how many bytes the system takes in each direction; nil for its choice.
  package static func connected(to port: Int, bufferSize: Int? = nil) throws -> RawSocket {
    let socket = try make()
    if var size = bufferSize.map({ Int32(clamping: $0) }) {
      for option in [SO_SNDBUF, SO_RCVBUF] {
        setsockopt(socket.descriptor, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
      }
    }
    try check(socket.connect(to: port), "connect")
    return socket
  }

  /// Writes as many of the bytes as the system takes at once, and returns how many that were.
  package func offer(_ bytes: ArraySlice<UInt8>) -> Int {
    #if canImport(Darwin)
      let flags = Int32(MSG_DONTWAIT)
    #else
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
    return max(0, bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) })
  }

  /// Shuts down the write direction.
  package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}

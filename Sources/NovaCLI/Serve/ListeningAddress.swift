#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where a server listens: an IPv4 or IPv6 address and a port.
struct ListeningAddress: Sendable {
  let host: String
  let port: UInt16
  private let family: Int32

  /// Nil when the host is neither an address nor `localhost`.
  init?(host: String, port: UInt16) {
    self.host = host == "localhost" ? "127.0.0.1" : host
    self.port = port
    var address = in6_addr()
    if inet_pton(AF_INET, self.host, &address) == 1 {
      family = AF_INET
    } else if inet_pton(AF_INET6, self.host, &address) == 1 {
      family = AF_INET6
    } else {
      return nil
    }
  }

  /// Whether only this machine can reach it.
  var isLoopback: Bool { family == AF_INET ? host.hasPrefix("127.") : host == "::1" }

  /// The address as a URL, with the port that the system chose.
  func url(port: UInt16) -> String { "http://\(family == AF_INET6 ? "[\(host)]" : host):\(port)" }

  /// A socket that listens there, and the port it has.
  func listen() throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    // Connections of a server that has just ended must not keep its port.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor), System.listen(descriptor) else {
      let error = SystemError(code: errno)
      close(descriptor)
      throw error
    }
    return (descriptor, Self.port(of: descriptor))
  }

  private func bind(_ descriptor: Int32) -> Bool {
    if family == AF_INET {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      return System.bind(descriptor, &address, MemoryLayout<sockaddr_in>.size)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    inet_pton(AF_INET6, host, &address.sin6_addr)
    return System.bind(descriptor, &address, MemoryLayout<sockaddr_in6>.size)
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard status == 0 else { return 0 }
    // The port is in the same place for both families: behind the two bytes of the family.
    return withUnsafeBytes(of: address) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
  }
}

import FlyingSocks

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
  private let isIPv6: Bool
  let socketAddress: any SocketAddress

  /// Nil when the host is neither an address nor `localhost`.
  init?(host: String, port: UInt16) {
    self.host = host == "localhost" ? "127.0.0.1" : host
    self.port = port
    if let address = try? sockaddr_in.inet(ip4: self.host, port: port) {
      socketAddress = address
      isIPv6 = false
    } else if let address = try? sockaddr_in6.inet6(ip6: self.host, port: port) {
      socketAddress = address
      isIPv6 = true
    } else {
      return nil
    }
  }

  /// Whether only this machine can reach it.
  var isLoopback: Bool { isIPv6 ? host == "::1" : host.hasPrefix("127.") }

  /// The address as a URL.
  func url(port: UInt16) -> String { "http://\(isIPv6 ? "[\(host)]" : host):\(port)" }
}

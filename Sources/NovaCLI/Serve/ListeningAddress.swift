#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import NovaCore

/// Where a server listens: an IPv4 or IPv6 address.
struct ListeningAddress: Sendable {
  let host: String

  /// Nil when the host is neither an address nor `localhost`.
  init?(host: String) {
    self.host = host == "localhost" ? "127.0.0.1" : host
    var address = in6_addr()
    guard inet_pton(AF_INET, self.host, &address) == 1 || inet_pton(AF_INET6, self.host, &address) == 1 else {
      return nil
    }
  }

  /// Whether only this machine can reach it.
  var isLoopback: Bool { NetworkHost.isLoopback(host) }
}

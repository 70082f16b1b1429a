internal import CNovaCurl

/// What the transfers of an engine have in common. Like them it stays on the loop's thread.
final class CurlShared {
  var clock = CurlClock()
  var http2 = HTTP2Connections()
}

/// The time, read once per round of the loop.
struct CurlClock {
  private(set) var now = nova_monotonic_nanoseconds()

  mutating func update() { now = nova_monotonic_nanoseconds() }
}

/// A TLS connection, as far as libcurl tells us which one it is.
struct CurlConnection: Hashable {
  private let host: String
  private let port: Int
  private let localPort: Int32

  /// `nil` for plaintext, which never speaks HTTP/2 here.
  init?(_ url: HTTPURL, localPort: Int32) {
    guard url.isSecure else { return nil }
    (host, port, self.localPort) = (url.host, url.port, localPort)
  }
}

/// The connections on which an HTTP/2 response has come.
///
/// An HTTP/2 server that closes a connection says which requests it has not looked at (GOAWAY, REFUSED_STREAM); nginx
/// does so every 1,000 requests. libcurl sends those again, which is safe, but does not say why it does. HTTP/1.1 has
/// nothing like it. A kept HTTP/1.1 connection has had a response before, so it is never taken for HTTP/2.
struct HTTP2Connections {
  private static let limit = 4096
  private var connections: Set<CurlConnection> = []

  func contains(_ connection: CurlConnection) -> Bool { connections.contains(connection) }

  mutating func note(_ connection: CurlConnection?, isHTTP2: Bool) {
    guard let connection else { return }
    if !isHTTP2 {
      connections.remove(connection)
    } else if !connections.contains(connection) {
      // Forgetting is safe: a refused request then fails rather than being sent again.
      if connections.count >= Self.limit { connections = [] }
      connections.insert(connection)
    }
  }
}

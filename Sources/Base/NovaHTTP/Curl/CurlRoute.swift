internal import CNovaCurl
import NovaSupport

/// The way to connect to an origin.
enum CurlRoute: Equatable {
  /// Through the environment's proxy, if it has one for the host.
  case environment
  case direct
  case proxy
  case socket
}

extension CurlTransport.Options {
  /// The route to an origin. This machine is never reached through a proxy.
  func route(to origin: HTTPOrigin) -> CurlRoute {
    if let unixSocket, unixSocket.origins.contains(origin) { return .socket }
    if origin.isLoopback || proxy.exceptions.contains(where: { $0.covers(origin) }) { return .direct }
    switch proxy.choice {
    case .environment: return .environment
    case .off: return .direct
    case .server: return .proxy
    }
  }

  /// The proxy setting of a route for libcurl: empty for no proxy, nil for the environment's.
  func proxyURL(of route: CurlRoute) -> String? {
    switch route {
    case .environment: nil
    case .direct, .socket: ""
    case .proxy: proxy.server?.url
    }
  }

  /// The first machine on the route, for messages: the server, the proxy, or the server that replaces it.
  func nextHop(to origin: HTTPOrigin) -> String {
    switch route(to: origin) {
    case .socket: return "\(origin.place) at the Unix socket \((unixSocket?.path ?? "").quoted)"
    case .proxy: return "the proxy \(proxy.server?.place ?? "")"
    case .direct, .environment:
      guard let other = connectTo.first(where: { $0.covers(origin) }) else { return origin.place }
      return "\(origin.place) at \(other.target), which connect_to sets,"
    }
  }

}

// Settings for libcurl.
extension CurlTransport.Options {
  /// Calls `body` with a route, which can differ between requests.
  func withRoute<Result>(_ route: CurlRoute, _ body: (nova_curl_route) -> Result) -> Result {
    let socket = route == .socket ? unixSocket?.path : nil
    return Self.withCString(proxyURL(of: route)) { proxy in
      Self.withPath(socket) { socket in body(nova_curl_route(proxy: proxy, unix_socket: socket)) }
    }
  }

  /// Creates the list for ``setRoutes(on:connectTo:)``, to be freed with nova_curl_headers_free(); nil if it is empty.
  func makeConnectToList() -> UnsafeMutablePointer<curl_slist>? {
    guard !connectTo.isEmpty else { return nil }
    var lines: [CChar] = []
    for entry in connectTo { lines += entry.description.utf8CString }
    return lines.withUnsafeBufferPointer { lines in
      lines.baseAddress.flatMap { nova_curl_headers_new($0, lines.count, connectTo.count) }
    }
  }

  /// Sets the options that all requests share; false if libcurl refuses, or memory is exhausted.
  func setRoutes(on easy: UnsafeMutableRawPointer, connectTo list: UnsafeMutablePointer<curl_slist>?) -> Bool {
    guard list != nil || connectTo.isEmpty, nova_curl_set_connect_to(easy, list) == CURLE_OK else { return false }
    guard let server = proxy.server else { return true }
    return Self.withCString(server.user) { user in
      Self.withCString(server.password) { password in
        Self.withPath(server.isSecure ? caFile : nil) { caFile in
          nova_curl_set_proxy(easy, user, password, server.isSecure, caFile) == CURLE_OK
        }
      }
    }
  }

  /// Calls `body` with the bytes of a path; nil if absent.
  static func withPath<Result>(_ path: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    if let path { path.withPath(body) } else { body(nil) }
  }

  private static func withCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    if let text { text.withCString(body) } else { body(nil) }
  }
}

internal import CNovaCurl
import NovaSupport

/// How the connections to an origin are made.
enum CurlRoute: Equatable {
  /// Through a proxy of the environment, if it has one for the host.
  case environment
  case direct
  case proxy
  case socket
}

extension CurlTransport.Options {
  /// How an origin is reached: this machine never through a proxy.
  func route(to origin: HTTPOrigin) -> CurlRoute {
    if let unixSocket, unixSocket.origins.contains(origin) { return .socket }
    if origin.isLoopback || proxy.exceptions.contains(where: { $0.covers(origin) }) { return .direct }
    switch proxy.choice {
    case .environment: return .environment
    case .off: return .direct
    case .server: return .proxy
    }
  }

  /// What libcurl gets as the proxy of a route: empty for none, nil for that of the environment.
  func proxyURL(of route: CurlRoute) -> String? {
    switch route {
    case .environment: nil
    case .direct, .socket: ""
    case .proxy: proxy.server?.url
    }
  }

  /// What a connection is made to first, for messages: the server, the proxy in front of it, or what replaces it.
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

// For libcurl.
extension CurlTransport.Options {
  /// A route that differs from request to request.
  func withRoute<Result>(_ route: CurlRoute, _ body: (nova_curl_route) -> Result) -> Result {
    let socket = route == .socket ? unixSocket?.path : nil
    return Self.withCString(proxyURL(of: route)) { proxy in
      Self.withPath(socket) { socket in body(nova_curl_route(proxy: proxy, unix_socket: socket)) }
    }
  }

  /// The list that ``setRoutes(on:connectTo:)`` needs, for nova_curl_headers_free(); nil for none.
  func makeConnectToList() -> UnsafeMutablePointer<curl_slist>? {
    guard !connectTo.isEmpty else { return nil }
    var lines: [CChar] = []
    for entry in connectTo { lines += entry.description.utf8CString }
    return lines.withUnsafeBufferPointer { lines in
      lines.baseAddress.flatMap { nova_curl_headers_new($0, lines.count, connectTo.count) }
    }
  }

  /// Sets what is the same for all requests; false if libcurl refuses, or there was no memory.
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

  /// Calls `body` with the bytes of a path; nil for none.
  static func withPath<Result>(_ path: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    if let path { path.withPath(body) } else { body(nil) }
  }

  private static func withCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    if let text { text.withCString(body) } else { body(nil) }
  }
}

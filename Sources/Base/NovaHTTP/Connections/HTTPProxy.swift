import NovaSupport

/// The proxy of a ``CurlTransport``. Hosts that are this machine, such as `localhost`, are always reached directly.
///
/// ```swift
/// let proxy = try HTTPProxy(parsing: "http://user:password@proxy.example:3128", exceptions: [".internal", "10.0.0.0/8"])
/// let transport = CurlTransport(options: .init(proxy: proxy))
/// print(proxy)  // http://****@proxy.example:3128
/// ```
///
/// The user name and password never appear in descriptions, errors, or logs.
public struct HTTPProxy: Sendable, Hashable {
  /// The proxies of the environment (`https_proxy`, `http_proxy`, `all_proxy`), except for the hosts in `no_proxy`.
  public static let environment = HTTPProxy(.environment)
  /// No proxy, regardless of the environment.
  public static let off = HTTPProxy(.off)

  enum Choice: Sendable, Hashable {
    case environment, off
    // Indirect, so that copying a transport's options copies one reference.
    indirect case server(ProxyServer)
  }

  let choice: Choice
  /// The hosts that are reached without a proxy.
  package var exceptions: [ProxyException] = []

  private init(_ choice: Choice) { self.choice = choice }

  /// Parses the URL of a proxy.
  ///
  /// - Parameters:
  ///   - text: `http://`, `https://`, or `socks5h://` (SOCKS5; the proxy resolves names), an optional percent-encoded
  ///     user name and password, a host, and a port; or `off` for ``off``.
  ///   - exceptions: the hosts that are reached without the proxy. Each is a name, which includes its subdomains, an IP
  ///     address, or a network such as `10.0.0.0/8`, with an optional port (`files.example:8443`, `[::1]:80`); or `*`
  ///     for all. The environment's `no_proxy` is ignored. Default: none.
  /// - Throws: ``HTTPURLError``, which does not contain the text.
  public init(parsing text: String, exceptions: [String] = []) throws(HTTPURLError) {
    choice = text == "off" ? .off : .server(try ProxyServer(parsing: text))
    for exception in exceptions {
      guard let exception = ProxyException(exception) else {
        throw HTTPURLError("an exception from the proxy must be \(ProxyException.expectation)")
      }
      self.exceptions.append(exception)
    }
  }

  /// Whether the proxy has a user name or a password.
  package var hasCredentials: Bool { server?.user != nil }

  var server: ProxyServer? {
    if case .server(let server) = choice { server } else { nil }
  }

  package static let expectation =
    "off, or a URL with a port such as http://proxy.example:3128, https://user:password@proxy.example:443, or "
    + "socks5h://proxy.example:1080"
}

extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `environment`, `off`, or the proxy's URL with `****` instead of the user name and password.
  public var description: String {
    switch choice {
    case .environment: "environment"
    case .off: "off"
    case .server(let server): server.description
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A proxy with its URL.
struct ProxyServer: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  private let scheme: String
  /// The host and port, for messages.
  let place: String
  /// Percent-decoded; nil without credentials.
  let user: String?
  let password: String?

  fileprivate init(parsing text: String) throws(HTTPURLError) {
    guard let scheme = Self.schemes.first(where: { text.prefix($0.utf8.count).lowercased() == $0 }) else {
      throw HTTPURLError("a proxy must begin with http://, https:// or socks5h://")
    }
    var rest = String(text.dropFirst(scheme.count))
    if rest.hasSuffix("/") { rest.removeLast() }
    var credentials: (user: String, password: String)?
    if let at = rest.lastIndex(of: "@") {
      credentials = try Self.credentials(String(rest[..<at]))
      rest = String(rest[rest.index(after: at)...])
    }
    // Rejects invalid hosts. A port is required, because otherwise 80 or 443 would be assumed.
    guard !rest.contains("/"), !rest.contains("?"), !rest.contains("#"), rest.last?.isNumber == true,
      let colon = rest.lastIndex(of: ":"), let url = try? HTTPURL(parsing: "http://\(rest)"),
      String(url.origin.port) == rest[rest.index(after: colon)...]
    else { throw HTTPURLError("a proxy must have a host and a port, and nothing after them") }
    self.scheme = scheme
    place = url.origin.place
    (user, password) = (credentials?.user, credentials?.password)
  }

  private static let schemes = ["http://", "https://", "socks5h://"]

  private static func credentials(_ text: String) throws(HTTPURLError) -> (user: String, password: String) {
    let end = text.firstIndex(of: ":") ?? text.endIndex
    let password = end < text.endIndex ? String(text[text.index(after: end)...]) : ""
    guard let user = PercentEncoding.decode(String(text[..<end])), let password = PercentEncoding.decode(password),
      !user.isEmpty, !user.contains(":"), (user + password).utf8Bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      throw HTTPURLError("a proxy's user name and password must be percent-encoded text without control characters")
    }
    return (user, password)
  }

  var isSecure: Bool { scheme == "https://" }
  /// The URL for libcurl, which gets the credentials separately, because its messages can contain the URL.
  var url: String { scheme + place }
  var description: String { user == nil ? url : "\(scheme)\(SecretText.mask)@\(place)" }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

import NovaCore
import NovaMock

/// Decides which requests a server accepts by their origin. It applies to every path, because web pages can make a
/// browser send requests to this machine.
///
/// A page from another origin is detected by `Origin` or `Sec-Fetch-Site`, DNS rebinding by `Host`, and a form, which
/// browsers send without a preflight request, by its content type. Pages of allowed origins can use everything but the
/// admin API.
struct RequestPolicy: Sendable {
  /// Whether `Host` must be `localhost`, an IP address or one of `allowedHosts`.
  private let checksHost: Bool
  private let allowedHosts: Set<String>
  private let allowedOrigins: [OriginPattern]
  /// Whether bodies must be plain JSON. Those for a gateway can be anything.
  private let checksBodies: Bool

  /// - Parameters:
  ///   - isLoopback: whether only this machine can reach the server. If others can, its names are unknown, and any is
  ///     accepted unless `allowedHosts` is set.
  ///   - allowedHosts: further names, without a port.
  ///   - allowedOrigins: the origins of other pages that may use the server. Default: none.
  ///   - checksBodies: whether bodies must be plain JSON. Default: true.
  init(
    isLoopback: Bool, allowedHosts: [String], allowedOrigins: [OriginPattern] = [], checksBodies: Bool = true
  ) {
    self.checksBodies = checksBodies
    checksHost = isLoopback || !allowedHosts.isEmpty
    self.allowedHosts = Set(allowedHosts.compactMap { Authority($0)?.host })
    self.allowedOrigins = allowedOrigins
  }

  /// Whether pages of other origins may use the server, so that responses depend on the request's `Origin`.
  var allowsOrigins: Bool { !allowedOrigins.isEmpty }

  /// The `Origin` of a request from another page that may use the server and read the response; nil for other requests.
  func allowedOrigin(of request: ReceivedRequest) -> String? {
    let origins = request.headers.values(for: "Origin")
    guard allowsOrigins, !request.isAdmin, origins.count == 1, let origin = WebOrigin(origins[0]),
      allowedOrigins.contains(where: { $0.matches(origin) })
    else { return nil }
    return origins[0]
  }

  /// Why a request is refused; nil if it is allowed.
  ///
  /// - Parameter hasBody: whether it has a body. Default: if one was received.
  func refusal(of request: ReceivedRequest, hasBody: Bool? = nil) -> MockFailure? {
    do throws(MockFailure) {
      let authority = try self.authority(of: request)
      if let authority { try checkHost(authority) }
      if allowedOrigin(of: request) == nil {
        try checkOrigins(of: request, authority)
        try checkSites(of: request)
      }
      guard checksBodies || request.isAdmin else { return nil }
      if hasBody ?? !request.body.isEmpty { try checkTypes(of: request) }
      if hasBody ?? (request.announcesBody || !request.body.isEmpty) { try Self.checkEncodings(of: request) }
      return nil
    } catch {
      return error
    }
  }

  /// The authority that the request names; nil without one, as HTTP/1.0 allows.
  private func authority(of request: ReceivedRequest) throws(MockFailure) -> Authority? {
    let hosts = request.headers.values(for: "Host")
    guard hosts.count <= 1 else { throw .invalid("invalid Host: expected one header, got \(hosts.count); send one") }
    if hosts.isEmpty, request.needsHost { throw .invalid("missing Host: HTTP/1.1 requires the header; send one") }
    let header = try hosts.first.map(Self.parsed)
    let target = RequestTarget(request.target)
    guard let scheme = target.scheme, let authority = target.authority else { return header }
    let named = try Self.parsed(authority)
    guard header == nil || header == named else {
      throw .invalid("invalid Host: it differs from the host in the request's target; send the same")
    }
    try checkScheme(scheme, named)
    return named
  }

  /// The server has no TLS; a proxy in front of it may.
  private func checkScheme(_ scheme: String, _ authority: Authority) throws(MockFailure) {
    switch scheme {
    case "http", "ws": return
    case "https", "wss":
      if allowedHosts.contains(authority.host) { return }
      throw MockFailure(
        .invalidArgument, "misdirected request: this server has no TLS; use http:// in place of \(scheme)://",
        httpStatus: 421)
    default:
      throw .invalid("invalid target: the scheme \(scheme.printable(to: 30)) is not that of this server; use http://")
    }
  }

  private static func parsed(_ text: String) throws(MockFailure) -> Authority {
    guard let authority = Authority(text) else {
      throw .invalid(
        "invalid Host: \"\(text.printable(to: 100))\" is not a host; send a name or an address, with or without a port")
    }
    return authority
  }

  private func checkHost(_ authority: Authority) throws(MockFailure) {
    guard checksHost, !authority.isAddress, !authority.isLocalName, !allowedHosts.contains(authority.host) else {
      return
    }
    let host = authority.host.printable(to: 100)
    throw .forbidden(
      "host refused: \"\(host)\" is not a name of this server; "
        + "use localhost or an IP address, or start the server with --allowed-host \(host)")
  }

  private func checkOrigins(of request: ReceivedRequest, _ authority: Authority?) throws(MockFailure) {
    for text in request.headers.values(for: "Origin") {
      guard let authority, let origin = WebOrigin(text), isOwn(origin, authority) || isForwarded(request, origin)
      else { throw .refusedOrigin(text, isAdmin: request.isAdmin) }
    }
  }

  private func isOwn(_ origin: WebOrigin, _ authority: Authority) -> Bool {
    origin.matches(authority, allowsTLS: allowedHosts.contains(authority.host))
  }

  /// Whether the page's own server has forwarded the request and replaced its `Host`, as proxies of development servers do
  /// (Vite's `changeOrigin`).
  ///
  /// Pages cannot set `Sec-Fetch-Site`: if it is `same-origin`, the browser has sent the request to the server that the
  /// page came from, which has passed it on. That is no proof if DNS says that the page's name is this machine (DNS
  /// rebinding), and so the page's host must be one for which DNS is not asked, or a name that was allowed.
  private func isForwarded(_ request: ReceivedRequest, _ origin: WebOrigin) -> Bool {
    request.headers.values(for: "Sec-Fetch-Site") == ["same-origin"]
      && (origin.needsNoDNS || allowedHosts.contains(origin.host))
  }

  /// Browsers that send `Sec-Fetch-Site` may omit `Origin`, for example for images, scripts and links.
  private func checkSites(of request: ReceivedRequest) throws(MockFailure) {
    let sites = request.headers.values(for: "Sec-Fetch-Site")
    if sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) { return }
    let isRead = request.method == .get || request.method.rawValue == "HEAD"
    let isLink =
      request.headers["Sec-Fetch-Mode"] == "navigate" && request.headers["Sec-Fetch-Dest"] == "document"
    // Pages may link here, and show images and videos; neither lets them read the response.
    if isRead, isLink || MockBackend.isStoredFile(request.target) { return }
    throw .forbidden(
      "origin refused: the request comes from another web page (Sec-Fetch-Site) and does not name its Origin; "
        + "use fetch with the mode \"cors\" on a page whose origin --allow-origin names")
  }

  /// The bytes of uploads can have any type. They use PUT, for which browsers send a preflight request.
  private func checkTypes(of request: ReceivedRequest) throws(MockFailure) {
    guard request.method != .put || request.isAdmin else { return }
    // Other methods do nothing there; their refusal names PUT.
    if MockBackend.isForUploadBytes(request.target) { return }
    let types = request.headers.values(for: "Content-Type")
    if types.count == 1, Self.isJSON(types[0]) { return }
    let found = types.isEmpty ? "has no Content-Type" : "is \(types.joined(separator: ", ").printable(to: 100))"
    throw MockFailure(
      .invalidArgument,
      "unsupported content type: the body \(found), expected JSON; send Content-Type: application/json "
        + "(curl: -H 'Content-Type: application/json')", httpStatus: 415)
  }

  /// Bodies are not decompressed. Labels that name no compression are ignored, as everywhere.
  private static func checkEncodings(of request: ReceivedRequest) throws(MockFailure) {
    guard let name = request.headers.contentCodings.first else { return }
    throw MockFailure(
      .invalidArgument,
      "unsupported content encoding: the body is \(name), and only plain bodies are accepted; send it uncompressed, "
        + "without Content-Encoding", httpStatus: 415, headers: ["Accept-Encoding": "identity"])
  }

  private static func isJSON(_ value: String) -> Bool {
    let name = ContentTypeName.of(value)
    return name.hasPrefix("application/") && ContentTypeName.isJSON(name)
  }
}

extension MockFailure {
  /// The refusal of a request with another `Origin` than the server's own.
  fileprivate static func refusedOrigin(_ text: String, isAdmin: Bool) -> MockFailure {
    guard let origin = WebOrigin(text) else {
      let advice =
        text == "null"
        ? "the page is a local file or in a sandboxed frame, and has no origin; open it from a web server, and start this "
          + "server with --allow-origin <the page's origin>"
        : "\"\(text.printable(to: 100))\" is not the origin of a web page; send no Origin, or one that "
          + "--allow-origin names"
      return .forbidden("origin refused: \(advice)")
    }
    let name = "\(origin)".printable(to: 200)
    return .forbidden(
      isAdmin
        ? "origin refused: \(name) is not this server's own origin, and pages of others cannot use the admin API, also not "
          + "with --allow-origin \(name); call it from a program"
        : "origin refused: \(name) is not this server's own origin; to let its pages use the server, start it with "
          + "--allow-origin \(name)")
  }
}

import NovaCore
import NovaMock

/// Decides which requests a server accepts by their origin. It applies to every path, because web pages can make a
/// browser send requests to this machine.
///
/// A page from another origin is detected by `Origin` or `Sec-Fetch-Site`, DNS rebinding by `Host`, and a form, which
/// browsers send without a preflight request, by its content type.
struct RequestPolicy: Sendable {
  /// Whether `Host` must be `localhost`, an IP address or one of `allowedHosts`.
  private let checksHost: Bool
  private let allowedHosts: Set<String>
  /// Whether bodies must be plain JSON. Those for a gateway can be anything.
  private let checksBodies: Bool

  /// - Parameters:
  ///   - isLoopback: whether only this machine can reach the server. If others can, its names are unknown, and any is
  ///     accepted unless `allowedHosts` is set.
  ///   - allowedHosts: further names, without a port.
  ///   - checksBodies: whether bodies must be plain JSON. Default: true.
  init(isLoopback: Bool, allowedHosts: [String], checksBodies: Bool = true) {
    self.checksBodies = checksBodies
    checksHost = isLoopback || !allowedHosts.isEmpty
    self.allowedHosts = Set(allowedHosts.compactMap { Authority($0)?.host })
  }

  /// The response to a refused request; nil if the request is allowed.
  ///
  /// - Parameter hasBody: whether it has a body. Default: if one was received.
  func refusal(of request: ReceivedRequest, hasBody: Bool? = nil) -> HTTPResponse? {
    do throws(MockFailure) {
      let authority = try self.authority(of: request)
      if let authority { try checkHost(authority) }
      try checkOrigins(of: request, authority)
      try checkSites(of: request)
      guard checksBodies || request.isAdmin else { return nil }
      if hasBody ?? !request.body.isEmpty { try checkTypes(of: request) }
      if hasBody ?? (request.announcesBody || !request.body.isEmpty) { try Self.checkEncodings(of: request) }
      return nil
    } catch {
      return error.response
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
    for origin in request.headers.values(for: "Origin") {
      guard let authority,
        Origin(origin)?.matches(authority, allowsTLS: allowedHosts.contains(authority.host)) == true
      else {
        throw .forbidden(
          "origin refused: the request comes from another web page; send no Origin, or this server's own")
      }
    }
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
      "origin refused: the request comes from another web page (Sec-Fetch-Site); send it from this server's own pages")
  }

  /// The bytes of uploads can have any type. They use PUT, for which browsers send a preflight request.
  private func checkTypes(of request: ReceivedRequest) throws(MockFailure) {
    guard request.method != .put || request.isAdmin else { return }
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

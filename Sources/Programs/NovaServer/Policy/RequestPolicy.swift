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

  /// - Parameters:
  ///   - isLoopback: whether only this machine can reach the server. If others can, its names are unknown, and any is
  ///     accepted unless `allowedHosts` is set.
  ///   - allowedHosts: further names, without a port.
  init(isLoopback: Bool, allowedHosts: [String]) {
    checksHost = isLoopback || !allowedHosts.isEmpty
    self.allowedHosts = Set(allowedHosts.compactMap { Authority($0)?.host })
  }

  /// The response to a refused request; nil if the request is allowed.
  ///
  /// - Parameter hasBody: whether it has a body. Default: if one was received.
  func refusal(of request: ReceivedRequest, hasBody: Bool? = nil) -> HTTPResponse? {
    do throws(PolicyViolation) {
      let headers = PolicyHeaders(request.headers)
      let authority = try self.authority(of: request, headers)
      if let authority { try checkHost(authority) }
      try checkOrigins(headers.origins, authority)
      try checkSites(headers.sites, request)
      if hasBody ?? !request.body.isEmpty { try checkTypes(headers.types, request) }
      if hasBody ?? (request.announcesBody || !request.body.isEmpty) { try Self.checkEncodings(headers.encodings) }
      return nil
    } catch {
      return error.response
    }
  }

  /// The authority that the request names; nil without one, as HTTP/1.0 allows.
  private func authority(
    of request: ReceivedRequest, _ headers: PolicyHeaders
  ) throws(PolicyViolation) -> Authority? {
    let hosts = headers.hosts
    guard hosts.count <= 1 else { throw .malformed("invalid Host: expected one header, got \(hosts.count); send one") }
    if hosts.isEmpty, request.needsHost {
      throw .malformed("missing Host: HTTP/1.1 requires the header; send one")
    }
    let header = try hosts.first.map(Self.parsed)
    let target = RequestTarget(request.target)
    guard let scheme = target.scheme, let authority = target.authority else { return header }
    let named = try Self.parsed(authority)
    guard header == nil || header == named else {
      throw .malformed("invalid Host: it differs from the host in the request's target; send the same")
    }
    try checkScheme(scheme, named)
    return named
  }

  /// The server has no TLS; a proxy in front of it may.
  private func checkScheme(_ scheme: String, _ authority: Authority) throws(PolicyViolation) {
    switch scheme {
    case "http", "ws": return
    case "https", "wss":
      if allowedHosts.contains(authority.host) { return }
      throw .misdirected("misdirected request: this server has no TLS; use http:// in place of \(scheme)://")
    default:
      throw .malformed("invalid target: the scheme \(scheme.printable(to: 30)) is not that of this server; use http://")
    }
  }

  private static func parsed(_ text: String) throws(PolicyViolation) -> Authority {
    guard let authority = Authority(text) else {
      throw .malformed(
        "invalid Host: \"\(text.printable(to: 100))\" is not a host; send a name or an address, with or without a port")
    }
    return authority
  }

  private func checkHost(_ authority: Authority) throws(PolicyViolation) {
    guard checksHost, !authority.isAddress, !authority.isLocalName, !allowedHosts.contains(authority.host) else {
      return
    }
    let host = authority.host.printable(to: 100)
    throw .forbidden(
      "host refused: \"\(host)\" is not a name of this server; "
        + "use localhost or an IP address, or start the server with --allowed-host \(host)")
  }

  private func checkOrigins(_ origins: [String], _ authority: Authority?) throws(PolicyViolation) {
    for origin in origins {
      guard let authority,
        Origin(origin)?.matches(authority, allowsTLS: allowedHosts.contains(authority.host)) == true
      else {
        throw .forbidden(
          "origin refused: the request comes from another web page; send no Origin, or this server's own")
      }
    }
  }

  /// Browsers that send `Sec-Fetch-Site` may omit `Origin`, for example for images, scripts and links.
  private func checkSites(_ sites: [String], _ request: ReceivedRequest) throws(PolicyViolation) {
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
  private func checkTypes(_ types: [String], _ request: ReceivedRequest) throws(PolicyViolation) {
    guard request.method != .put || request.isAdmin else { return }
    if types.count == 1, Self.isJSON(types[0]) { return }
    let found = types.isEmpty ? "has no Content-Type" : "is \(types.joined(separator: ", ").printable(to: 100))"
    throw .unsupportedType(
      "unsupported content type: the body \(found), expected JSON; send Content-Type: application/json "
        + "(curl: -H 'Content-Type: application/json')")
  }

  /// Bodies are not decompressed. Labels that name no compression are ignored, as everywhere.
  private static func checkEncodings(_ values: [String]) throws(PolicyViolation) {
    guard let name = ContentCoding.names(in: values).first else { return }
    throw .unsupportedEncoding(
      "unsupported content encoding: the body is \(name), and only plain bodies are accepted; send it uncompressed, "
        + "without Content-Encoding")
  }

  private static func isJSON(_ value: String) -> Bool {
    let name = ContentTypeName.of(value)
    return name.hasPrefix("application/") && ContentTypeName.isJSON(name)
  }
}

/// The headers that the policy looks at, found in one pass: it looks at every request.
private struct PolicyHeaders {
  private(set) var hosts: [String] = []
  private(set) var origins: [String] = []
  private(set) var sites: [String] = []
  private(set) var types: [String] = []
  private(set) var encodings: [String] = []

  init(_ headers: HTTPHeaders) {
    for field in headers {
      switch field.name.utf8.count {
      case 4 where field.name.equalsIgnoringASCIICase("Host"): hosts.append(field.value)
      case 6 where field.name.equalsIgnoringASCIICase("Origin"): origins.append(field.value)
      case 12 where field.name.equalsIgnoringASCIICase("Content-Type"): types.append(field.value)
      case 16 where field.name.equalsIgnoringASCIICase("Content-Encoding"): encodings.append(field.value)
      case 14 where field.name.equalsIgnoringASCIICase("Sec-Fetch-Site"): sites.append(field.value)
      default: break
      }
    }
  }
}

/// Why a request is refused.
private enum PolicyViolation: Error {
  case malformed(String)
  case forbidden(String)
  case unsupportedType(String)
  case unsupportedEncoding(String)
  case misdirected(String)

  var response: HTTPResponse {
    switch self {
    case .malformed(let message): return Refusal.response(status: 400, .invalidArgument, message)
    case .forbidden(let message): return Refusal.response(status: 403, .permissionDenied, message)
    case .unsupportedType(let message): return Refusal.response(status: 415, .invalidArgument, message)
    case .unsupportedEncoding(let message):
      var response = Refusal.response(status: 415, .invalidArgument, message)
      response.headers["Accept-Encoding"] = "identity"
      return response
    case .misdirected(let message): return Refusal.response(status: 421, .invalidArgument, message)
    }
  }
}

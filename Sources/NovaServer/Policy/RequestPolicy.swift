import NovaCore
import NovaMock

/// Which requests a server answers, by where they come from: on every path, because web pages can make a browser send
/// requests to this machine.
///
/// A page from elsewhere is told by its `Origin` or `Sec-Fetch-Site`; one that has given its own name this machine's
/// address (DNS rebinding) by the `Host`; and a form, which needs no leave of the server, by its body's type.
struct RequestPolicy: Sendable {
  /// Whether requests must call the server by `localhost`, an address or one of `allowedHosts`.
  private let checksHost: Bool
  private let allowedHosts: Set<String>

  /// - Parameters:
  ///   - isLoopback: whether only this machine reaches the server. Where others do, its names cannot be known, and any is
  ///     taken unless some are allowed.
  ///   - allowedHosts: further names, without a port.
  init(isLoopback: Bool, allowedHosts: [String]) {
    checksHost = isLoopback || !allowedHosts.isEmpty
    self.allowedHosts = Set(allowedHosts.compactMap { Authority($0)?.host })
  }

  /// The answer to a request that is refused; nil for one that is not.
  func refusal(of request: ReceivedRequest) -> HTTPResponse? {
    do throws(PolicyViolation) {
      let authority = try self.authority(of: request)
      if let authority { try checkHost(authority) }
      try checkOrigin(request, authority)
      try checkSite(request)
      try checkType(request)
      return nil
    } catch {
      return error.response
    }
  }

  /// By what the request calls the server; nil when it does not say, as HTTP/1.0 allows.
  private func authority(of request: ReceivedRequest) throws(PolicyViolation) -> Authority? {
    let hosts = request.headers.values(for: "Host")
    guard hosts.count <= 1 else { throw .malformed("invalid Host: the request has \(hosts.count) of them; send one") }
    if hosts.isEmpty, request.needsHost {
      throw .malformed("invalid Host: there is none, and HTTP/1.1 requires one; send one")
    }
    let header = try hosts.first.map(Self.parsed)
    guard !request.target.hasPrefix("/"), let start = request.target.firstRange(of: "://") else { return header }
    let named = try Self.parsed(String(request.target[start.upperBound...].prefix { !"/?#".contains($0) }))
    guard header == nil || header == named else {
      throw .malformed("invalid Host: the request's target names another server; send the same")
    }
    return named
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
      "host refused: this server is not called \"\(host)\"; "
        + "call it by localhost or an address, or start it with --allowed-host \(host)")
  }

  private func checkOrigin(_ request: ReceivedRequest, _ authority: Authority?) throws(PolicyViolation) {
    for origin in request.headers.values(for: "Origin") {
      guard let authority, Origin(origin)?.matches(authority) == true else {
        throw .forbidden(
          "origin refused: the request comes from another web page; send no Origin, or this server's own")
      }
    }
  }

  /// Browsers that say where a request comes from need not say it in an `Origin`: images, scripts and links have none.
  private func checkSite(_ request: ReceivedRequest) throws(PolicyViolation) {
    let own = request.headers.values(for: "Sec-Fetch-Site").allSatisfy { $0 == "same-origin" || $0 == "none" }
    if own { return }
    let isRead = request.method == .get || request.method.rawValue == "HEAD"
    let isLink =
      request.headers["Sec-Fetch-Mode"] == "navigate" && request.headers["Sec-Fetch-Dest"] == "document"
    // Pages may link here, and show images and videos; neither lets them see what comes.
    if isRead, isLink || MockBackend.isStoredFile(request.target) { return }
    throw .forbidden(
      "origin refused: the request comes from another web page (Sec-Fetch-Site); send it from this server's own pages")
  }

  /// Bytes of uploads have any type. They come by PUT, which browsers ask about before they send it.
  private func checkType(_ request: ReceivedRequest) throws(PolicyViolation) {
    guard !request.body.isEmpty, request.method != .put || request.isAdmin else { return }
    let types = request.headers.values(for: "Content-Type")
    if types.count == 1, Self.isJSON(types[0]) { return }
    let found = types.isEmpty ? "has no Content-Type" : "is \(types.joined(separator: ", ").printable(to: 100))"
    throw .unsupportedType(
      "unsupported content type: the body \(found), and this server reads JSON; send Content-Type: application/json "
        + "(curl: -H 'Content-Type: application/json')")
  }

  private static func isJSON(_ value: String) -> Bool {
    let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
  }
}

/// Why a request is refused.
private enum PolicyViolation: Error {
  case malformed(String)
  case forbidden(String)
  case unsupportedType(String)

  var response: HTTPResponse {
    switch self {
    case .malformed(let message): Refusal.response(400, .invalidArgument, message)
    case .forbidden(let message): Refusal.response(403, .permissionDenied, message)
    case .unsupportedType(let message): Refusal.response(415, .invalidArgument, message)
    }
  }
}

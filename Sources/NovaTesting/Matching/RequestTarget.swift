/// The parts of a request's URL.
struct RequestTarget: Sendable, Hashable {
  /// Scheme, host and port; empty for a URL that is only a path.
  var origin: String
  /// The path, as it travels.
  var path: String
  /// The query, as it travels, without the question mark; empty for none.
  var query: String

  init(_ url: String) {
    var rest = url.prefix { $0 != "#" }
    origin = ""
    if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
      let host = rest[rest.index(colon, offsetBy: 3)...].prefix { $0 != "/" && $0 != "?" }
      // A name and a password in front of the host are nobody's business.
      origin = rest[...colon] + "//" + (host.split(separator: "@").last ?? "")
      rest = rest[host.endIndex...]
    }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    if path.isEmpty { path = "/" }
    query = parts.count > 1 ? String(parts[1]) : ""
  }
}

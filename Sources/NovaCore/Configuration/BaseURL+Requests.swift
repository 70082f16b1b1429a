// What middlewares ask of the URL of a request, which has a path and may have a query.
extension BaseURL {
  /// Whether a token may travel there: encrypted, or not leaving this machine.
  package static func isSafeForTokens(_ url: String) -> Bool {
    BaseURL(origin(url)).map { !$0.isPlainTextToOthers } ?? false
  }

  /// Scheme, host and port.
  static func origin(_ url: String) -> String {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return "" }
    let host = url[url.index(colon, offsetBy: 3)...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(url[..<host.endIndex])
  }

  /// The URL up to its query, which may hold what logs must not.
  static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }
}

// What middlewares ask of the URL of a request, which has a path and may have a query.
extension BaseURL {
  /// Whether a token may travel there: encrypted, or not leaving this machine.
  package static func isSafeForTokens(_ url: String) -> Bool {
    // Nearly every call's, and nothing needs to be taken apart for it.
    if url.hasPrefix("https://") { return true }
    return BaseURL(origin(url)).map { !$0.isPlainTextToOthers } ?? false
  }

  /// Scheme, host and port.
  static func origin(_ url: String) -> String {
    // Bytes, not characters: every call asks.
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return ""
    }
    let host = bytes[bytes.index(colon, offsetBy: 3)...].prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return String(url[..<host.endIndex])
  }

  /// The URL up to its query, which may hold what logs must not.
  static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }
}

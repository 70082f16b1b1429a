import NovaCore

/// The target in a request line: a path with its query, a URL, or `*`.
struct RequestTarget {
  /// In lower case; nil unless the target is a URL.
  let scheme: String?
  /// The authority of a URL as it is written; nil unless the target is a URL.
  let authority: String?

  init(_ target: String) {
    let colon = target.firstIndex(of: ":") ?? target.endIndex
    guard !target.hasPrefix("/"), target[colon...].hasPrefix("://"),
      target[..<colon].utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
    else {
      (scheme, authority) = (nil, nil)
      return
    }
    scheme = target[..<colon].lowercased()
    authority = String(target[colon...].dropFirst(3).prefix { !"/?#".contains($0) })
  }

  /// The same target with the path in its usual spelling: letters, digits, and `-._~` need no percent-encoding (RFC 3986,
  /// section 6.2.2.2). Segments that become `.` or `..` stay as they are.
  static func normalized(_ target: String) -> String {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    guard path.utf8.contains(UInt8(ascii: "%")) else { return target }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let decoded = decodingUnreserved(segment)
      return decoded == "." || decoded == ".." ? String(segment) : decoded
    }
    return segments.joined(separator: "/") + target[path.endIndex...]
  }

  private static func decodingUnreserved(_ segment: Substring) -> String {
    let bytes = PercentEncoding.decode(Array(segment.utf8), only: PercentEncoding.unreserved, keepsBroken: true)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(segment)
  }
}

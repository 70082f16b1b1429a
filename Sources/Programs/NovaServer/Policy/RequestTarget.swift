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

  private static let unreserved = ASCIISet.alphanumerics + ASCIISet("-._~")

  private static func decodingUnreserved(_ segment: Substring) -> String {
    let bytes = Array(segment.utf8)
    var decoded: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count, let high = bytes[place + 1].hexadecimalValue,
        let low = bytes[place + 2].hexadecimalValue, unreserved.contains(high << 4 | low)
      {
        decoded.append(high << 4 | low)
        place += 3
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}

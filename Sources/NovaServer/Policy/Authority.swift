import NovaCore

/// The host and port of a `Host` header, of a URL or of an origin.
struct Authority: Equatable {
  /// In lower case, without the dot that may end a name; an IPv6 address in brackets.
  let host: String
  let port: UInt16?

  /// Nil unless it is a name or an address with or without a port; names of users are none of it.
  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let end: Int
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 1,
        bytes[1..<bracket].allSatisfy(Self.isInAddress)
      else { return nil }
      end = bracket + 1
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      guard end > 0, bytes[..<end].allSatisfy(Self.isInName) else { return nil }
    }
    let digits = bytes[end...].dropFirst()
    let port = UInt16(String(decoding: digits, as: UTF8.self))
    // A colon without a port is allowed.
    guard digits.allSatisfy(\.isASCIIDigit), digits.isEmpty || port != nil,
      end == bytes.count || bytes[end] == UInt8(ascii: ":")
    else { return nil }
    let name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    host = name.count > 1 && name.hasSuffix(".") ? String(name.dropLast()) : name
    self.port = port
  }

  /// Whether it calls the machine by an address. No page elsewhere can make a browser take such a name for its own.
  var isAddress: Bool {
    if host.hasPrefix("[") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }

  /// Whether it is `localhost` or below it, which browsers take for this machine without asking anyone.
  var isLocalName: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "-._".utf8.contains(byte)
  }

  private static func isInAddress(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || "abcdefABCDEF:.".utf8.contains(byte)
  }
}

/// Where a web page comes from, as browsers say it in `Origin`.
struct Origin {
  private let isSecure: Bool
  private let authority: Authority

  /// Nil for `null` and whatever else is no origin of a page over HTTP.
  init?(_ text: String) {
    let text = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix),
      let authority = Authority(text.dropFirst(scheme.count))
    else { return nil }
    isSecure = scheme == "https://"
    self.authority = authority
  }

  /// Whether a page from here belongs to the server that is called by this authority. Something before the server may add
  /// TLS, so both schemes do.
  func matches(_ other: Authority) -> Bool {
    let standard: UInt16 = isSecure ? 443 : 80
    return authority.host == other.host && authority.port ?? standard == other.port ?? standard
  }
}

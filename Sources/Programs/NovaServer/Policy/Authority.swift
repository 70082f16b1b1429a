import NovaCore

/// The host and port of a `Host` header, of a URL or of an origin.
struct Authority: Equatable {
  /// In lower case, without the dot that may end a name; an IPv6 address in brackets.
  let host: String
  let port: UInt16?

  /// Nil unless it is a name or an address with or without a port; user names are not allowed.
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
      let labels = bytes[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      // Only the last dot of a name may have nothing after it.
      guard labels.dropLast().allSatisfy({ !$0.isEmpty }) else { return nil }
    }
    let digits = bytes[end...].dropFirst()
    let port = UInt16(String(decoding: digits, as: UTF8.self))
    // A colon without a port is allowed.
    guard digits.allSatisfy(\.isASCIIDigit), digits.isEmpty || port != nil,
      end == bytes.count || bytes[end] == UInt8(ascii: ":")
    else { return nil }
    let nameEnd = end > 1 && bytes[end - 1] == UInt8(ascii: ".") ? end - 1 : end
    host = String(decoding: bytes[..<nameEnd].map(\.asciiLowercased), as: UTF8.self)
    self.port = port
  }

  /// Whether the host is an IP address, which DNS rebinding cannot use.
  var isAddress: Bool {
    if host.hasPrefix("[") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }

  /// Whether it is `localhost` or a subdomain, which browsers resolve to this machine without DNS.
  var isLocalName: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "-._".utf8.contains(byte)
  }

  private static func isInAddress(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || "abcdefABCDEF:.".utf8.contains(byte)
  }
}

/// The origin of a web page, as browsers send it in `Origin`.
struct Origin {
  private let isSecure: Bool
  private let authority: Authority

  /// Nil for `null` and everything else that is not an HTTP origin.
  init?(_ text: String) {
    let text = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix),
      let authority = Authority(text.dropFirst(scheme.count))
    else { return nil }
    isSecure = scheme == "https://"
    self.authority = authority
  }

  /// Whether the origin is that of the server with this authority.
  ///
  /// - Parameter allowsTLS: whether a proxy in front of the server may add TLS. The server itself speaks plain HTTP.
  func matches(_ other: Authority, allowsTLS: Bool) -> Bool {
    if isSecure && !allowsTLS { return false }
    let standard: UInt16 = isSecure ? 443 : 80
    return authority.host == other.host && authority.port ?? standard == other.port ?? standard
  }
}

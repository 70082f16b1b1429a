import NovaCore

/// The host and port of a `Host` header, of a URL or of an origin.
package struct Authority: Sendable, Hashable {
  /// In lower case, without the dot that may end a name; an IPv6 address in brackets.
  package let host: String
  package let port: UInt16?

  /// Nil unless it is a name or an address with or without a port; user names are not allowed.
  package init?(_ text: some StringProtocol) {
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
  package var isAddress: Bool {
    if host.hasPrefix("[") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
  }

  /// Whether it is `localhost` or a subdomain, which browsers resolve to this machine without DNS.
  package var isLocalName: Bool { host == "localhost" || host.hasSuffix(".localhost") }

  private static func isInName(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "-._".utf8.contains(byte)
  }

  private static func isInAddress(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || "abcdefABCDEF:.".utf8.contains(byte)
  }
}

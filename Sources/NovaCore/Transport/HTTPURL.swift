/// An absolute http or https URL, checked, with the parts that decide where a request may go.
///
/// Strict on purpose: what this accepts, libcurl reads in the same way, so that there is no URL we take for one host and
/// libcurl for another.
package struct HTTPURL: Sendable, Hashable {
  /// The URL without its fragment.
  package let text: String
  /// Whether the scheme is https.
  package let isSecure: Bool
  /// In lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The port given, or the scheme's own.
  package let port: Int

  /// Checks `text`.
  ///
  /// - Throws: ``TransportError`` of kind `invalidURL`. Its message never repeats the URL, which may hold secrets.
  package init(_ text: String) throws(TransportError) {
    var text = text
    var bytes = Array(text.utf8)
    guard bytes.allSatisfy(Self.mayAppear) else {
      throw .invalidURL("the URL has a character that must be percent-encoded")
    }
    if let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) {
      bytes.removeSubrange(fragment...)
      text = String(decoding: bytes, as: UTF8.self)
    }
    let (isSecure, rest) = try Self.scheme(bytes)
    let authority = bytes[rest...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw .invalidURL("the URL must not hold a user name or a password")
    }
    let (host, port) = try Self.hostAndPort(authority)
    self.text = text
    self.isSecure = isSecure
    self.host = host
    self.port = port ?? (isSecure ? 443 : 80)
  }

  /// Host and port, for messages.
  package var place: String { "\(host):\(port)" }

  /// Whether the host is this machine, by its name or address alone.
  package var isLoopback: Bool { NetworkHost.isLoopback(host) }

  /// Whether scheme, host and port are the same.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    isSecure == other.isSecure && host == other.host && port == other.port
  }
}

extension HTTPURL {
  private static func mayAppear(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21...0x7e).contains(byte)
    }
  }

  /// Whether the URL is secure, and where its authority begins.
  private static func scheme(_ bytes: [UInt8]) throws(TransportError) -> (isSecure: Bool, rest: Int) {
    for (prefix, isSecure) in [("http://", false), ("https://", true)] {
      let start = bytes.prefix(prefix.utf8.count)
      if start.elementsEqual(prefix.utf8, by: { $0.asciiLowercased == $1 }) { return (isSecure, start.count) }
    }
    throw .invalidURL("the URL must begin with http:// or https://")
  }

  private static func hostAndPort(_ authority: ArraySlice<UInt8>) throws(TransportError) -> (String, Int?) {
    let colon = UInt8(ascii: ":")
    let isBracketed = authority.first == UInt8(ascii: "[")
    let end =
      isBracketed
      ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? authority.endIndex
      : authority.firstIndex(of: colon) ?? authority.endIndex
    let host = authority[..<end]
    guard isBracketed ? isIPv6(host) : !host.isEmpty && host.allSatisfy(isHostByte) else {
      throw .invalidURL(host.isEmpty ? "the URL has no host" : "the URL's host is not a valid name or address")
    }
    let name = String(decoding: host.map(\.asciiLowercased), as: UTF8.self)
    let rest = authority[end...]
    if rest.isEmpty { return (name, nil) }
    let digits = rest.dropFirst()
    guard rest.first == colon, digits.count <= 5, digits.allSatisfy(\.isASCIIDigit),
      let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
    else { throw .invalidURL("the URL's port must be a number from 1 to 65535") }
    return (name, port)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_")
  }

  private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
    host.last == UInt8(ascii: "]") && host.contains(UInt8(ascii: ":"))
      && host.dropFirst().dropLast().allSatisfy {
        isHostByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%")
      }
  }
}

extension UInt8 {
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased) }
}

extension TransportError {
  static func invalidURL(_ message: String) -> TransportError {
    TransportError(.invalidURL, message, requestMayHaveLeft: false)
  }
}

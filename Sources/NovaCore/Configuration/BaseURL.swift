#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The root of a gateway's URLs: `http` or `https`, a host, perhaps a port and a path prefix, and nothing else.
package struct BaseURL: Sendable, Hashable {
  /// The scheme in lower case.
  let scheme: String
  /// The host in lower case, an IPv6 address in brackets.
  let host: String
  /// The port as written, if one was.
  let port: String?
  /// Empty, or begins with a slash and ends without one.
  let path: String

  static let expectation = "a URL such as https://api.nova.social"

  /// The URL in its normal form, without a slash at the end.
  var text: String { "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }

  /// Whether requests would leave this machine unencrypted.
  var isPlainTextToOthers: Bool { scheme == "http" && !isLoopback }

  /// Whether the host is this machine.
  var isLoopback: Bool { NetworkHost.isLoopback(host) }

  /// Nil when the text is not such a URL.
  init?(_ text: String) {
    guard text.utf8.count <= 2000, let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return nil
    }
    scheme = text[..<colon].lowercased()
    let rest = text[text.index(colon, offsetBy: 3)...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    guard scheme == "http" || scheme == "https", let (host, port) = Self.authority(rest[..<slash]),
      let path = Self.path(rest[slash...])
    else { return nil }
    self.host = host
    self.port = port
    self.path = path
  }

  private static func authority(_ text: Substring) -> (host: String, port: String?)? {
    var host = text
    var port: Substring?
    // The colons inside an IPv6 address are not the port's.
    let afterAddress = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[afterAddress...].firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    if let port {
      guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy(isDigit), let number = Int(port),
        (1...65535).contains(number)
      else { return nil }
    }
    guard isHost(host) else { return nil }
    return (host.lowercased(), port.map(String.init))
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("[") { return host.hasSuffix("]") && isAddress(String(host.dropFirst().dropLast()), AF_INET6) }
    guard host.utf8.count <= 253 else { return false }
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels {
      guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-"),
        label.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
      else { return false }
    }
    // What ends like an address must be one: resolvers read 127.1 and 0x7f.1 each in their own way.
    guard let last = labels.last, last.allSatisfy(isDigit) || last.starts(with: "0x".utf8) else { return true }
    return isAddress(String(host), AF_INET)
  }

  private static func path(_ text: Substring) -> String? {
    var bytes = Array(text.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let others = Array("-._~!$&'()*+,;=:@/".utf8)
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2]) else { return nil }
      } else if !isLetterOrDigit(byte), !others.contains(byte) {
        return nil
      }
    }
    let path = String(decoding: bytes, as: UTF8.self)
    let segments = path.split(separator: "/")
    return segments.contains(".") || segments.contains("..") ? nil : path
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    // In C, a string ends at a zero byte.
    return !text.utf8.contains(0) && inet_pton(family, text, &address) == 1
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// The text without what may be a password or a key: everything before an `@`, and a query or fragment.
  static func masked(_ text: String) -> String {
    var text = text
    if let at = text.lastIndex(of: "@") {
      let start = text.endOfScheme ?? text.startIndex
      text = text[..<min(start, at)] + SecretText.mask + text[at...]
    }
    guard let end = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
    return text.index(after: end) < text.endIndex ? text[...end] + SecretText.mask : text
  }
}

extension String {
  /// The index after `://`, if the text begins with a scheme.
  fileprivate var endOfScheme: Index? {
    guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix("://") else { return nil }
    return index(colon, offsetBy: 3)
  }
}

import NovaLibc
import NovaSupport

/// An IP address in any spelling, for rules about where requests may go.
///
/// Accepts everything that `inet_aton` and libcurl accept, so that no spelling (`0x7f.1`, `2130706433`,
/// `[::ffff:127.0.0.1]`) of an address can bypass a rule.
package struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 bytes. An IPv6 address that contains an IPv4 address is stored as the latter.
  private let bytes: [UInt8]
  /// Whether the IPv4 address is reached through a translator or relay, which is another machine.
  private let isRelayed: Bool

  /// Parses an address; nil for a host name.
  ///
  /// - Parameter host: a host as in a URL, with or without brackets, zone, and trailing dot.
  package init?(_ host: String) {
    if host.utf8Bytes.contains(UInt8(ascii: ":")) {
      let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
      let text = isBracketed ? String(host.dropFirst().dropLast()) : host
      guard let bytes = Self.version6(text.parts(between: "%", keepsEmpty: true)[0]) else { return nil }
      let embedded = Self.embedded(bytes)
      self.bytes = embedded ?? bytes
      isRelayed = embedded != nil && !Self.isMapped(bytes)
    } else {
      guard let bytes = Self.version4(host.hasSuffix(".") ? String(host.dropLast()) : host) else { return nil }
      self.bytes = bytes
      isRelayed = false
    }
  }

  /// Whether the address is in 127.0.0.0/8 or is `::1`, and no other machine is needed to reach it.
  package var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 && !isRelayed : bytes == Self.loopback6 }

  /// Whether the address is in 169.254.0.0/16 or fe80::/10.
  package var isLinkLocal: Bool {
    bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether the address is in 0.0.0.0/8 or is `::`. On some systems, these reach this machine.
  package var isUnspecified: Bool { bytes.count == 4 ? bytes[0] == 0 : bytes == [UInt8](repeating: 0, count: 16) }

  /// Whether the address is a metadata service beyond the link-local addresses. Cloud providers hand out credentials
  /// there without authentication.
  package var isMetadataService: Bool { Self.metadataServices.contains(bytes) }

  /// The number of bits: 32 or 128.
  var bitCount: Int { bytes.count * 8 }

  /// Whether its first bits equal those of `network`, an address of the same version.
  func isIn(_ network: NetworkAddress, prefix: Int) -> Bool {
    guard bytes.count == network.bytes.count, prefix <= bitCount else { return false }
    let (whole, rest) = (prefix / 8, prefix % 8)
    guard bytes[..<whole] == network.bytes[..<whole] else { return false }
    return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> UInt8(8 - rest) == 0
  }

  /// An IPv4 address as four decimal numbers; nil for an IPv6 address.
  var dottedDecimal: String? { bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : nil }

  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  // Alibaba Cloud, Oracle Cloud, and Azure; Amazon (fd00:ec2::254) and Google (fd20:ce::254) over IPv6.
  private static let metadataServices: [[UInt8]] = [
    [100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16],
    [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
    [0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
  ]

  /// The IPv4 address in a mapped (`::ffff:0:0/96`), compatible (`::/96`), translated (`64:ff9b::/96`), or 6to4
  /// (`2002::/16`) address.
  private static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
    let digits = Hexadecimal.encode(bytes)
    let isCompatible = digits.hasPrefix(zeros(12)) && !digits.hasPrefix(zeros(15))
    if isMapped(bytes) || isCompatible || digits.hasPrefix("0064ff9b" + zeros(8)) { return Array(bytes[12...]) }
    return digits.hasPrefix("2002") ? Array(bytes[2..<6]) : nil
  }

  private static func isMapped(_ bytes: [UInt8]) -> Bool {
    Hexadecimal.encode(bytes).hasPrefix(zeros(10) + "ffff")
  }

  private static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }

  private static func version6(_ text: String) -> [UInt8]? {
    var address = in6_addr()
    // In C, a string ends at a zero byte.
    guard !text.utf8Bytes.contains(0), inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
  }

  /// Parses one to four numbers: decimal, octal (`0177`), or hexadecimal (`0x7f`). The last one fills the remaining
  /// bytes.
  private static func version4(_ text: String) -> [UInt8]? {
    let parts = text.lowercased().parts(between: ".", keepsEmpty: true)
    guard parts.count <= 4 else { return nil }
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      let count = index == parts.count - 1 ? 4 - index : 1
      guard let number = number(part), number >> UInt64(8 * count) == 0 else { return nil }
      for place in 1...count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - place)))) }
    }
    return bytes
  }

  /// Parses a number of at most 32 bits.
  private static func number(_ text: String) -> UInt64? {
    if text == "0x" { return 0 }
    if text.hasPrefix("0x") { return UInt64(digits: text.dropFirst(2), radix: 16) }
    return UInt64(digits: text[...], radix: text.hasPrefix("0") ? 8 : 10)
  }
}

/// The rules for hosts: their normal form, which ones are this machine, and which ones are never upload targets.
package enum NetworkHost {
  /// The normal form of a URL's host: in lower case, and an IPv4 address in any spelling as four decimal numbers; nil
  /// if it is neither a name nor an address.
  static func normalized(_ host: String) -> String? {
    if host.hasPrefix("[") { return normalizedIPv6(host) }
    let name = host.lowercased()
    var labels = name.parts(between: ".", keepsEmpty: true)
    if labels.count > 1, labels.last == "" { labels.removeLast() }
    for label in labels {
      guard label.consists(of: .label, count: 1...63), !label.hasPrefix("-"), !label.hasSuffix("-") else { return nil }
    }
    guard name.utf8.count <= 254, let last = labels.last else { return nil }
    // A host that ends like an address must be an address, and means what libcurl reads.
    let isNumber =
      last.hasPrefix("0x") ? String(last.dropFirst(2)).consists(of: .hexadecimalDigits) : last.consists(of: .digits)
    return isNumber ? NetworkAddress(name)?.dottedDecimal : name
  }

  /// Keeps the zone, which names an interface of this machine.
  private static func normalizedIPv6(_ host: String) -> String? {
    guard host.hasSuffix("]"), host.contains(":"), host.consists(of: .address6), NetworkAddress(host) != nil else {
      return nil
    }
    let zone = host.firstIndex(of: "%") ?? host.endIndex
    return host[..<zone].lowercased() + host[zone...]
  }

  /// Whether the host is this machine: `localhost`, `*.localhost` (RFC 6761), 127.0.0.0/8, or `::1`, in any spelling.
  package static func isLoopback(_ host: String) -> Bool {
    // The fast path, because every call checks this.
    if host == "localhost" || host == "127.0.0.1" || host == "[::1]" { return true }
    // A trailing dot turns an address into a name. Resolvers treat such names differently, so they may lead anywhere.
    if host.hasSuffix(".") { return false }
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    return NetworkAddress(host)?.isLoopback ?? false
  }

  /// The hosts of ``isNeverStorage(_:)``, for error messages.
  package static let neverStorage = "a link-local, unspecified or metadata address and never a storage"

  /// Whether the host is never an upload target: link-local and unspecified addresses, and cloud providers' metadata
  /// services, by address or by name.
  package static func isNeverStorage(_ host: String) -> Bool {
    if let address = NetworkAddress(host) {
      return address.isLinkLocal || address.isUnspecified || address.isMetadataService
    }
    let name = host.lowercased()
    return metadataNames.contains(name.hasSuffix(".") ? String(name.dropLast()) : name)
  }

  private static let metadataNames = [
    "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com",
    "metadata.packet.net", "metadata.platformequinix.com", "instance-data", "instance-data.ec2.internal",
  ]
}

extension ASCIISet {
  fileprivate static let label = alphanumerics + ASCIISet("-_")
  fileprivate static let address6 = alphanumerics + ASCIISet("-._:%[]")
}

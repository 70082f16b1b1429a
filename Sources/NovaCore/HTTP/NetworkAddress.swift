#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An IP address, however it is spelled, for rules about where requests may go.
///
/// Reads what `inet_aton` and libcurl read, so that no spelling (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`) passes a
/// rule that another spelling of the same address does not.
package struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 bytes. An IPv6 address that stands for an IPv4 address is stored as that address.
  private let bytes: [UInt8]
  /// Whether the IPv4 address is reached through a translator or relay, which is another machine.
  private let isRelayed: Bool

  /// Nil for a host name.
  ///
  /// - Parameter host: as in a URL, with or without brackets, zone, and the dot at the end.
  package init?(_ host: String) {
    var text = host[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    if text.contains(":") {
      guard let bytes = Self.version6(text.prefix { $0 != "%" }) else { return nil }
      let embedded = Self.embedded(bytes)
      self.bytes = embedded ?? bytes
      isRelayed = embedded != nil && !Self.isMapped(bytes)
    } else {
      guard let bytes = Self.version4(text.hasSuffix(".") ? text.dropLast() : text) else { return nil }
      self.bytes = bytes
      isRelayed = false
    }
  }

  /// 127.0.0.0/8 and `::1`, unless it takes another machine to get there.
  package var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 && !isRelayed : bytes == Self.loopback6 }

  /// 169.254.0.0/16 and fe80::/10.
  package var isLinkLocal: Bool {
    bytes.count == 4 ? bytes.starts(with: [169, 254]) : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// 0.0.0.0/8 and `::`, which reach this machine on some systems.
  package var isUnspecified: Bool { bytes.count == 4 ? bytes[0] == 0 : bytes.allSatisfy { $0 == 0 } }

  /// Metadata services, where cloud providers hand out credentials without authentication, beyond the link-local
  /// addresses.
  package var isMetadataService: Bool { Self.metadataServices.contains(bytes) }

  /// An IPv4 address as four decimal numbers; nil for an IPv6 address.
  var dottedDecimal: String? { bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : nil }

  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  // Alibaba Cloud, Oracle Cloud, Azure; Amazon (fd00:ec2::254) and Google (fd20:ce::254) over IPv6.
  private static let metadataServices: Set<[UInt8]> = [
    [100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16],
    [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
    [0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
  ]

  /// The IPv4 address inside a mapped (`::ffff:0:0/96`), compatible (`::/96`), translated (`64:ff9b::/96`) or 6to4
  /// (`2002::/16`) address.
  private static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
    let zeros = [UInt8](repeating: 0, count: 10)
    let last = Array(bytes[12...])
    if isMapped(bytes) { return last }
    if bytes.starts(with: zeros + [0, 0]), bytes[12...].dropLast().contains(where: { $0 != 0 }) { return last }
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return last }
    return bytes.starts(with: [0x20, 0x02]) ? Array(bytes[2..<6]) : nil
  }

  private static func isMapped(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
  }

  private static func version6(_ text: Substring) -> [UInt8]? {
    var address = in6_addr()
    // In C, a string ends at a zero byte.
    guard !text.utf8.contains(0), inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { Array($0) }
  }

  /// One to four numbers, decimal, octal (`0177`) or hexadecimal (`0x7f`); the last one fills the bytes that are left.
  private static func version4(_ text: Substring) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count, let last = numbers.last, numbers.dropLast().allSatisfy({ $0 <= 255 }) else {
      return nil
    }
    let rest = 4 - (numbers.count - 1)
    guard last < UInt64(1) << UInt64(8 * rest) else { return nil }
    let tail = (0..<rest).reversed().map { UInt8(truncatingIfNeeded: last >> UInt64(8 * $0)) }
    return numbers.dropLast().map { UInt8($0) } + tail
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard text.utf8.allSatisfy({ $0.isASCIIDigit || $0.isASCIILetter }) else { return nil }
    let lowercased = text.lowercased()
    if lowercased.hasPrefix("0x") {
      let digits = lowercased.dropFirst(2)
      return digits.isEmpty ? 0 : UInt64(digits, radix: 16)
    }
    return lowercased.hasPrefix("0") ? UInt64(lowercased, radix: 8) : UInt64(lowercased)
  }
}

/// The rules for hosts: how they are written, which are this machine, and which are never upload targets.
package enum NetworkHost {
  /// The host of a URL in its normal form: in lower case, and an IPv4 address, however it is spelled, as four decimal
  /// numbers. Nil if it is neither a name nor an address.
  static func normalized(_ host: String) -> String? {
    if host.hasPrefix("[") { return normalizedIPv6(host) }
    let name = host.lowercased()
    var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard name.utf8.count <= 254, labels.allSatisfy(isLabel), let last = labels.last else { return nil }
    // What ends like an address must be one, and means what libcurl takes it for.
    return isNumber(last) ? NetworkAddress(name)?.dottedDecimal : name
  }

  /// The zone, which names one of this machine's interfaces, is kept as it is.
  private static func normalizedIPv6(_ host: String) -> String? {
    guard host.hasSuffix("]"), host.contains(":"), host.utf8.allSatisfy(isIPv6Byte), NetworkAddress(host) != nil else {
      return nil
    }
    let zone = host.firstIndex(of: "%") ?? host.endIndex
    return host[..<zone].lowercased() + host[zone...]
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || $0 == hyphen || $0 == UInt8(ascii: "_") }
  }

  private static func isNumber(_ label: Substring.UTF8View) -> Bool {
    label.allSatisfy(\.isASCIIDigit)
      || label.starts(with: "0x".utf8)
        && label.dropFirst(2).allSatisfy { $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }

  private static func isIPv6Byte(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "-._:%[]".utf8.contains(byte)
  }

  /// Whether the host is this machine: `localhost`, `*.localhost` (RFC 6761), 127.0.0.0/8 or `::1`, in any spelling.
  package static func isLoopback(_ host: String) -> Bool {
    // A fast path: every call checks this.
    if host == "localhost" || host == "127.0.0.1" || host == "[::1]" { return true }
    // A dot at the end makes a name of an address, and resolvers differ about such names: they may lead anywhere.
    if host.hasSuffix(".") { return false }
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    guard let first = name.utf8.first, first.isASCIIDigit || name.utf8.contains(UInt8(ascii: ":")) else { return false }
    return NetworkAddress(host)?.isLoopback ?? false
  }

  /// The hosts of ``isNeverStorage(_:)``, for error messages.
  static let neverStorage = "a link-local, unspecified or metadata address and never a storage"

  /// Whether the host cannot be an upload target: link-local and unspecified addresses, and the metadata services of
  /// cloud providers, by address or by name.
  package static func isNeverStorage(_ host: String) -> Bool {
    let name = name(host)
    if let address = NetworkAddress(host) {
      return address.isLinkLocal || address.isUnspecified || address.isMetadataService
    }
    return metadataNames.contains(name)
  }

  private static let metadataNames: Set<String> = [
    "metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com",
    "metadata.packet.net", "metadata.platformequinix.com", "instance-data", "instance-data.ec2.internal",
  ]

  private static func name(_ host: String) -> String {
    let name = host.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}

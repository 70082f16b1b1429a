import NovaSupport

/// A host that is reached without a proxy, as in `no_proxy`. It is matched here, because versions of libcurl differ.
package struct ProxyException: Sendable, Hashable, CustomStringConvertible {
  private enum Hosts: Hashable {
    case all
    /// A name and all its subdomains.
    case name(String)
    case network(NetworkAddress, prefix: Int)
  }

  private let hosts: Hosts
  private let port: Int?
  package let description: String

  /// Parses an exception; nil if the text does not match ``expectation``.
  package init?(_ text: String) {
    description = text
    guard let (host, port) = Self.split(text) else { return nil }
    self.port = port
    let parts = host.parts(between: "/", keepsEmpty: true)
    if host == "*" {
      hosts = .all
    } else if let address = NetworkAddress(parts[0]), Self.isSpelledOut(parts[0]) {
      guard let prefix = Self.prefix(parts.dropFirst(), of: address) else { return nil }
      hosts = .network(address, prefix: prefix)
    } else {
      // Nearly all programs treat `.example`, `*.example`, and `example` the same.
      let name =
        host.hasPrefix("*.") ? String(host.dropFirst(2)) : host.hasPrefix(".") ? String(host.dropFirst()) : host
      guard let name = NetworkHost.normalized(name), NetworkAddress(name) == nil else { return nil }
      hosts = .name(Self.withoutDot(name))
    }
  }

  package static let expectation =
    "a host, an IP address, or a network such as 10.0.0.0/8, perhaps with a port, or *"

  package func covers(_ origin: HTTPOrigin) -> Bool {
    if let port, port != origin.port { return false }
    switch hosts {
    case .all: return true
    case .name(let name):
      let host = Self.withoutDot(origin.host)
      return host == name || host.hasSuffix("." + name)
    case .network(let network, let prefix): return NetworkAddress(origin.host)?.isIn(network, prefix: prefix) ?? false
    }
  }

  /// Splits a host and a port. An IPv6 address without brackets has no port.
  private static func split(_ text: String) -> (host: String, port: Int?)? {
    let isBracketed = text.hasPrefix("[")
    guard let colon = text.lastIndex(of: ":"), isBracketed || text.firstIndex(of: ":") == colon,
      !text.hasSuffix("]"), !isBracketed || text[..<colon].hasSuffix("]")
    else { return text.isEmpty ? nil : (text, nil) }
    let digits = String(text[text.index(after: colon)...])
    guard digits.consists(of: .digits, count: 1...5), let port = Int(digits), (1...65535).contains(port) else {
      return nil
    }
    return (String(text[..<colon]), port)
  }

  /// Whether an address has all its parts. `127.1` is probably a typo.
  private static func isSpelledOut(_ text: String) -> Bool {
    text.contains(":") || text.parts(between: ".", keepsEmpty: true).count == 4
  }

  private static func prefix(_ parts: ArraySlice<String>, of address: NetworkAddress) -> Int? {
    guard let text = parts.first else { return address.bitCount }
    guard parts.count == 1, text.consists(of: .digits, count: 1...3), let prefix = Int(text) else { return nil }
    return prefix <= address.bitCount ? prefix : nil
  }

  private static func withoutDot(_ name: String) -> String { name.hasSuffix(".") ? String(name.dropLast()) : name }
}

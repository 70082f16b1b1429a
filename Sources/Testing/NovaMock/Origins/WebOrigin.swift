import NovaCore

/// The origin of a web page, as browsers send it in `Origin`: `http://localhost:5173`.
package struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
  /// In lower case. Pages of apps and extensions have their own, for example `capacitor` and `chrome-extension`.
  let scheme: String
  let authority: Authority

  /// Nil for `null`, which all pages without an origin share, and for everything else that is not an origin.
  package init?(_ text: String) {
    guard let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://"), Self.isScheme(text[..<end]),
      let authority = Authority(text[end...].dropFirst(3))
    else { return nil }
    scheme = text[..<end].lowercased()
    self.authority = authority
  }

  /// Whether the text is a scheme (RFC 3986, section 3.1).
  static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isASCIILetter else { return false }
    return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
  }

  /// The port that a scheme has without one; nil for other schemes than those of HTTP.
  static func standardPort(of scheme: String) -> UInt16? { ["http": 80, "https": 443][scheme] }

  package var host: String { authority.host }

  /// The port, also if it is the scheme's own; nil if the scheme has none.
  var port: UInt16? { authority.port ?? Self.standardPort(of: scheme) }

  /// As browsers write it: without the scheme's own port.
  package var description: String {
    let port = authority.port == Self.standardPort(of: scheme) ? nil : authority.port
    return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
  }

  /// Whether a page of this origin can only have come from this machine or from an IP address: DNS does not decide where
  /// its requests go.
  package var needsNoDNS: Bool {
    Self.standardPort(of: scheme) != nil && (authority.isLocalName || authority.isAddress)
  }

  /// Whether the origin is that of the server with this authority.
  ///
  /// - Parameter allowsTLS: whether a proxy in front of the server may add TLS. The server itself speaks plain HTTP.
  package func matches(_ other: Authority, allowsTLS: Bool) -> Bool {
    guard scheme == "http" || scheme == "https" && allowsTLS else { return false }
    return host == other.host && port == other.port ?? Self.standardPort(of: scheme)
  }
}

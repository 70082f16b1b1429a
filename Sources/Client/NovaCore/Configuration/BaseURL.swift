/// The configuration's rules for a gateway's URL, which are stricter than those for any ``HTTPURL``.
enum BaseURL {
  #if GRPC
    static let allowsGRPC = true
    static let expectation = "a URL such as https://api.nova.social"
  #else
    static let allowsGRPC = false
    static let expectation = "a URL such as https://api.nova.social (grpc:// needs the package trait GRPC)"
  #endif

  static let gatewayExpectation = "a URL with http:// or https://, such as https://api.nova.social"

  /// What is expected of a text that begins with `grpc`.
  static let servicesExpectation =
    "servers without a path, such as grpc://localhost:50051 or grpc://10.1.0.1:50051,10.1.0.2:50051"

  private static let longest = 2000

  /// The URL without slashes at its end; nil unless it is a host, perhaps with a port and a path prefix, and nothing
  /// else.
  static func parse(_ text: String) -> HTTPURL? {
    guard text.utf8.count <= longest, !text.contains("?"), !text.contains("#"),
      let url = try? HTTPURL(parsingService: text),
      isSpelledOut(url.origin, in: text), let path = path(url.target)
    else { return nil }
    return HTTPURL(url.origin, target: path)
  }

  /// Whether the host is written in its normal form: an address such as `127.1` or `0x7f.1` is probably a typing error.
  /// A zone and a dot at the end mean something else on every machine.
  private static func isSpelledOut(_ origin: HTTPOrigin, in text: String) -> Bool {
    guard let start = text.endOfScheme else { return false }
    let written = text[start...].lowercased()
    guard written.hasPrefix(origin.host) else { return false }
    for server in origin.servers {
      if server.host.contains("%") || server.host.hasSuffix(".") || !written.contains(server.host) { return false }
    }
    return true
  }

  private static func path(_ text: String) -> String? {
    var path = text
    while path.hasSuffix("/") { path.removeLast() }
    guard path.consists(of: .path), PercentEncoding.decode(Array(path.utf8), keepsBroken: false) != nil else {
      return nil
    }
    return "\(path)/".contains("/./") || "\(path)/".contains("/../") ? nil : path
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

extension ASCIISet {
  fileprivate static let path = alphanumerics + ASCIISet("-._~!$&'()*+,;=:@/%")
}

extension String {
  /// The index after `://`, if the text begins with a scheme.
  fileprivate var endOfScheme: Index? {
    guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix("://") else { return nil }
    return index(colon, offsetBy: 3)
  }
}

/// Whether secrets may travel to a gateway.
package enum CredentialSafety {
  /// Scheme, host and port of a URL.
  package static func origin(of url: String) -> String { BaseURL.parse(url)?.origin.text ?? "" }

  /// Refuses to send a password or a token where others could read it.
  ///
  /// - Throws: ``APIError`` with the code `insecureConnection`.
  package static func requireSafe(_ url: HTTPURL, for what: String) throws(APIError) {
    guard !url.origin.protectsSecrets else { return }
    throw APIError(
      .insecureConnection,
      "\(what) would travel unencrypted", reason: "\(url.origin) is neither https nor this machine", sent: .nothing,
      advice: "use an https URL")
  }
}

/// Bodies as they may stand in a log.
package struct LoggedBody {
  /// Larger ones are not taken apart for a log.
  private static let largestTakenApart = 1 << 20
  /// Parts of the names of what nobody should read, in lower case and without separators.
  private static let secretWords = [
    "password", "passwd", "passphrase", "token", "secret", "authorization", "credential", "apikey", "privatekey",
    "cookie",
  ]

  /// The names that are secret because the contract says so, compared like ``secretWords``.
  private let secretNames: Set<String>
  private let limit: Int

  /// - Parameters:
  ///   - message: what the body is read or written as.
  ///   - limit: the most bytes to show.
  package init(_ message: MessageDescriptor, limit: Int) {
    let secrets = message.fields.filter(\.isSecret)
    secretNames = Set(secrets.flatMap { [$0.name, $0.jsonName] + $0.aliases }.map(Self.plain))
    self.limit = limit
  }

  /// The body with its secrets masked, cut to the limit; of what is not JSON from end to end, only the size, because
  /// nobody can tell where its secrets are.
  package func text(_ body: [UInt8]) -> String? {
    if body.isEmpty { return nil }
    guard body.count <= Self.largestTakenApart, let json = try? JSONValue(jsonUTF8: body) else {
      return "\(body.count) bytes, not shown"
    }
    let bytes = masked(json).jsonUTF8
    return bytes.count <= limit ? String(decoding: bytes, as: UTF8.self) : Self.cut(bytes, to: limit)
  }

  private func masked(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let members):
      .object(
        members.map { member in
          let value = isSecret(member.name) ? .string(ConfigurationEntry.mask) : masked(member.value)
          return JSONValue.Member(name: member.name, value: value)
        })
    case .array(let elements): .array(elements.map(masked))
    case .string(let text) where Self.looksLikeToken(text): .string(ConfigurationEntry.mask)
    default: json
    }
  }

  private func isSecret(_ name: String) -> Bool {
    let name = Self.plain(name)
    return secretNames.contains(name) || Self.secretWords.contains { name.contains($0) }
  }

  /// `refresh_token`, `refreshToken` and `Refresh-Token` are one name.
  private static func plain(_ name: String) -> String {
    String(
      decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map(\.asciiLowercased),
      as: UTF8.self)
  }

  /// A JSON Web Token, or the value of an `Authorization` header, under whatever name.
  private static func looksLikeToken(_ text: String) -> Bool {
    if text.hasPrefix("eyJ"), text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 { return true }
    return text.prefix(7).lowercased() == "bearer "
  }

  /// Whole characters only.
  private static func cut(_ bytes: [UInt8], to limit: Int) -> String {
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "… (\(bytes.count) bytes)"
  }
}

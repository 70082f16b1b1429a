/// Recognizes secrets by their names and forms.
package enum SecretText {
  /// Replaces a secret in output.
  package static let mask = "****"

  /// Parts of the names of secrets, in lower case and without separators.
  private static let words = [
    "password", "passwd", "passphrase", "token", "secret", "authorization", "credential", "apikey", "privatekey",
    "cookie",
  ]

  /// Whether the name is that of a secret.
  package static func isSecret(name: String) -> Bool {
    let name = plain(name)
    return words.contains { name.contains($0) }
  }

  /// The same for a URL's query parameter, where a signature also grants access.
  package static func isSecretParameter(_ name: String) -> Bool {
    let plain = plain(name)
    return isSecret(name: name) || plain == "sig" || plain.hasSuffix("signature")
  }

  /// `refresh_token`, `refreshToken` and `Refresh-Token` are one name.
  package static func plain(_ name: String) -> String {
    String(
      decoding: name.utf8.lazy.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map(\.asciiLowercased),
      as: UTF8.self)
  }

  /// The names of a message's fields that the contract declares secret, as ``plain(_:)`` has them.
  package static func names(in message: MessageDescriptor) -> Set<String> {
    Set(message.fields.filter(\.isSecret).flatMap { [$0.name, $0.jsonName] + $0.aliases }.map(plain))
  }

  /// The value with a text in place of each secret, as its name or its form shows.
  ///
  /// - Parameters:
  ///   - names: the names of members that are secret besides those that are obvious, as ``plain(_:)`` has them.
  ///   - text: what replaces a secret. Default: ``mask``.
  package static func masked(_ json: JSONValue, names: Set<String> = [], with text: String = mask) -> JSONValue {
    switch json {
    case .object(let members):
      .object(
        members.map { member in
          let isSecret = isSecret(name: member.name) || names.contains(plain(member.name))
          let value = isSecret ? .string(text) : masked(member.value, names: names, with: text)
          return JSONValue.Member(name: member.name, value: value)
        })
    case .array(let elements): .array(elements.map { masked($0, names: names, with: text) })
    case .string(let token) where looksLikeToken(token): .string(text)
    default: json
    }
  }

  /// A JSON Web Token, or the value of an `Authorization` header, under whatever name.
  package static func looksLikeToken(_ text: String) -> Bool {
    if text.hasPrefix("eyJ"), text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 { return true }
    return text.prefix(7).lowercased() == "bearer "
  }
}

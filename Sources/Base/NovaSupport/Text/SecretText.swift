/// Recognizes secrets by their names and forms.
package enum SecretText {
  /// Replaces a secret in output.
  package static let mask = "****"

  /// Parts of secrets' names, in lower case and without separators.
  private static let words = [
    "password", "passwd", "passphrase", "token", "secret", "authorization", "credential", "apikey", "privatekey",
    "cookie",
  ]

  /// Whether the name is one of a secret.
  @inline(never)
  package static func isSecret(name: String) -> Bool {
    let name = plain(name)
    return words.contains { name.contains($0) }
  }

  /// Whether the name is exactly a common name of a secret: `refresh_token`, but not `hunter2token`.
  package static func isObviousName(_ name: String) -> Bool { obviousNames.contains(plain(name)) }

  private static let obviousNames = Set(
    words + ["accesstoken", "refreshtoken", "idtoken", "newpassword", "oldpassword", "currentpassword", "clientsecret"])

  /// Whether the name is one of a secret in a URL's query, where a signature also grants access.
  package static func isSecretParameter(_ name: String) -> Bool {
    let plain = plain(name)
    return isSecret(name: name) || plain == "sig" || plain.hasSuffix("signature")
  }

  /// The name without case and separators: `refresh_token`, `refreshToken`, and `Refresh-Token` are the same.
  package static func plain(_ name: String) -> String {
    var plain: [UInt8] = []
    for byte in name.utf8Bytes where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
      plain.append(byte.asciiLowercased)
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Whether the text is a JSON Web Token or the value of an `Authorization` header, regardless of its name.
  package static func looksLikeToken(_ text: String) -> Bool {
    if text.prefix(7).lowercased() == "bearer " { return true }
    var dots = 0
    if text.hasPrefix("eyJ") { for byte in text.utf8 where byte == UInt8(ascii: ".") { dots += 1 } }
    if dots == 2 { return true }
    let bytes = text.utf8Bytes
    return !bytes.isEmpty && WebTokenScanner(bytes).token(at: 0) == 0..<bytes.count
  }
}

import NovaCore

/// Finds secrets in a text of no known form: `token=…`, `"password": "…"`, `Bearer …`, JSON Web Tokens.
enum LooseSecrets {
  struct Piece: Hashable {
    var text: String
    var isSecret: Bool
  }

  /// The text, cut where secrets begin and end.
  static func pieces(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix(while: isWord)
      guard !word.isEmpty else {
        plain.append(rest.removeFirst())
        continue
      }
      rest = rest.dropFirst(word.count)
      if SecretText.looksLikeToken(String(word)) {
        add(String(word), &plain, &pieces)
        continue
      }
      plain += word
      guard let lead = lead(word, rest) else { continue }
      plain += lead.text
      rest = rest.dropFirst(lead.text.count)
      let secret = rest.prefix { character in
        lead.quote.map { character != $0 } ?? !"\"'&,;} \n\r\t".contains(character)
      }
      add(String(secret), &plain, &pieces)
      rest = rest.dropFirst(secret.count)
    }
    if !plain.isEmpty { pieces.append(Piece(text: plain, isSecret: false)) }
    return pieces
  }

  private static func add(_ secret: String, _ plain: inout String, _ pieces: inout [Piece]) {
    if secret.isEmpty { return }
    if !plain.isEmpty { pieces.append(Piece(text: plain, isSecret: false)) }
    plain = ""
    pieces.append(Piece(text: secret, isSecret: true))
  }

  /// What stands between a secret's name and the secret, if `word` is such a name.
  private static func lead(_ word: Substring, _ rest: Substring) -> (text: String, quote: Character?)? {
    if word.lowercased() == "bearer" {
      let spaces = rest.prefix { $0 == " " }
      return spaces.isEmpty ? nil : (String(spaces), nil)
    }
    guard SecretText.isSecret(name: String(word)) else { return nil }
    let lead = rest.prefix { "\"' \t:=".contains($0) }
    guard lead.contains(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let quote = lead.last.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    return (String(lead + bearer(rest.dropFirst(lead.count))), quote)
  }

  private static func bearer(_ text: Substring) -> Substring {
    text.prefix(7).lowercased() == "bearer " ? text.prefix(7) : ""
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "-" || character == "."
  }
}

import NovaCore

/// The latest tokens, which must not be recorded, and their redactor. In memory only.
struct TokensInUse: Sendable {
  /// How many are recognized, besides those of the events at hand.
  static let limit = 100

  /// The latest one last.
  private var tokens: [AccessToken] = []
  private var redactor: SecretRedactor?

  /// Recognizes these tokens, and the latest ones before them; nil without any.
  mutating func redactor(adding added: [AccessToken]) -> SecretRedactor? {
    var known = Set(tokens)
    let new = added.filter { known.insert($0).inserted }
    if !new.isEmpty {
      let all = tokens + new
      redactor = SecretRedactor(all.map(\.secretValue))
      tokens = all.suffix(Self.limit)
    }
    return redactor
  }
}

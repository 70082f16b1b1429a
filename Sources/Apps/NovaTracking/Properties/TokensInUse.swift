import NovaCore

/// The latest tokens, which must not be recorded, and their redactor. In memory only.
struct TokensInUse: Sendable {
  /// The maximum number of tokens that are kept, in addition to those of the events at hand.
  static let limit = 100

  /// The tokens, latest last.
  private var tokens: [AccessToken] = []
  private var redactor: SecretRedactor?

  /// A redactor of these tokens and the latest earlier ones; nil if there are no tokens.
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

/// The placeholder of a secret in a cassette: `{{secret:3}}`. The same secret has the same number throughout.
package struct SecretPlaceholder: Sendable, Hashable {
  package let number: Int

  init(number: Int) { self.number = number }

  /// Parses a placeholder; nil for any other text.
  init?(_ text: some StringProtocol) {
    guard text.hasPrefix("{{secret:"), text.hasSuffix("}}"), let number = Int(text.dropFirst(9).dropLast(2)) else {
      return nil
    }
    self.number = number
  }

  var text: String { "{{secret:\(number)}}" }

  /// Splits a text into literals and placeholders.
  package static func pieces(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      if character == "{", let found = leading(rest) {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.placeholder(found.placeholder))
        rest = rest[found.end...]
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return pieces
  }

  package enum Piece: Sendable, Hashable {
    case literal(String)
    case placeholder(SecretPlaceholder)
  }

  private static func leading(_ text: Substring) -> (placeholder: SecretPlaceholder, end: Substring.Index)? {
    guard text.hasPrefix("{{secret:") else { return nil }
    var end = text.index(text.startIndex, offsetBy: 9)
    while end < text.endIndex, text[end].isASCII, text[end].isNumber { end = text.index(after: end) }
    guard text[end...].hasPrefix("}}") else { return nil }
    end = text.index(end, offsetBy: 2)
    return SecretPlaceholder(text[..<end]).map { ($0, end) }
  }
}

/// The secrets that the placeholders of a cassette stand for during a replay. Different placeholders stand for
/// different secrets. Values stay in memory.
struct SecretBindings: Sendable {
  private var values: [Int: String] = [:]

  /// Whether `text` matches the recorded `pattern`. Binds new placeholders.
  mutating func match(_ pattern: String, _ text: String) -> Bool {
    if pattern == text { return true }
    guard pattern.contains("{{secret:") else { return false }
    var learned = self
    guard learned.match(SecretPlaceholder.pieces(pattern)[...], text[...]) else { return false }
    self = learned
    return true
  }

  private mutating func match(_ pieces: ArraySlice<SecretPlaceholder.Piece>, _ text: Substring) -> Bool {
    guard let first = pieces.first else { return text.isEmpty }
    switch first {
    case .literal(let literal):
      return text.hasPrefix(literal) && match(pieces.dropFirst(), text.dropFirst(literal.count))
    case .placeholder(let placeholder):
      for known in [placeholder.text, values[placeholder.number]].compactMap(\.self) where text.hasPrefix(known) {
        if match(pieces.dropFirst(), text.dropFirst(known.count)) { return true }
      }
      if values[placeholder.number] != nil { return false }
      guard let length = length(before: pieces.dropFirst(), text), length > 0 else { return false }
      let value = String(text.prefix(length))
      guard !values.values.contains(value), SecretPlaceholder(value) == nil else { return false }
      values[placeholder.number] = value
      return match(pieces.dropFirst(), text.dropFirst(length))
    }
  }

  /// Returns the length of a secret that ends at the next piece.
  private func length(before pieces: ArraySlice<SecretPlaceholder.Piece>, _ text: Substring) -> Int? {
    guard case .literal(let literal) = pieces.first else { return text.count }
    var length = 1
    while length <= text.count {
      if text.dropFirst(length).hasPrefix(literal) { return length }
      length += 1
    }
    return nil
  }

  /// Returns the text with known secrets in place of their placeholders.
  func filledIn(_ text: String) -> String {
    guard text.contains("{{secret:") else { return text }
    return SecretPlaceholder.pieces(text).map { piece in
      switch piece {
      case .literal(let literal): literal
      case .placeholder(let placeholder): values[placeholder.number] ?? placeholder.text
      }
    }.joined()
  }
}

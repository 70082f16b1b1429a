import NovaCore

/// Replaces secrets by placeholders. The same secret always gets the same placeholder.
struct SecretMasker: Sendable {
  /// The minimum length of secrets to find in other texts; shorter ones cause false matches.
  private static let shortestLookedFor = 8

  private let words: ContractWords
  private var numbers: [String: Int] = [:]
  /// Finds known secrets in other texts.
  private var redactor: SecretRedactor
  private var lookedFor: [(secret: String, number: Int)] = []

  /// - Parameter words: names and paths that are no secrets, even if a password is the same word: a replay could
  ///   not find them.
  init(_ words: ContractWords = ContractMessages.nova.words) {
    self.words = words
    redactor = SecretRedactor(keepsName: words.hasField)
  }

  /// The number of known secrets.
  var count: Int { numbers.count }

  /// Returns the placeholder of a secret.
  mutating func placeholder(_ secret: String) -> String {
    if secret.isEmpty || SecretPlaceholder(secret) != nil { return secret }
    if let number = numbers[secret] { return SecretPlaceholder(number: number).text }
    let number = numbers.count + 1
    numbers[secret] = number
    if secret.utf8.count >= Self.shortestLookedFor {
      lookedFor.append((secret, number))
      let found = lookedFor.map(\.number)
      redactor = SecretRedactor(
        lookedFor.map(\.secret), replacement: { SecretPlaceholder(number: found[$0]).text }, keepsName: words.hasField)
    }
    return SecretPlaceholder(number: number).text
  }

  // MARK: Parts of messages

  mutating func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        let value = SecretText.isSecret(name: field.name) ? credentials(field.value) : text(field.value)
        return HTTPHeaders.Field(name: field.name, value: value)
      })
  }

  mutating func path(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      if words.segments.contains(String(segment)) { return String(segment) }
      guard let plain = PercentEncoding.decode(String(segment)) else { return hidingKnown(String(segment)) }
      let masked = text(plain)
      return masked == plain ? String(segment) : PercentEncoding.encode(masked)
    }.joined(separator: "/")
  }

  mutating func query(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let (name, value) = PercentEncoding.pairs(String(pair)).first else { return String(pair) }
      let masked = SecretText.isSecretParameter(name) ? placeholder(value) : text(value)
      return masked == value ? String(pair) : "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(masked))"
    }.joined(separator: "&")
  }

  /// - Parameter secretNames: the names of the contract's secret fields, as ``SecretText/plain(_:)`` returns them.
  mutating func body(_ body: [UInt8], _ secretNames: Set<String>) -> RecordedBody {
    guard var form = MultipartForm(body) else { return content(body, secretNames) }
    for index in form.parts.indices {
      let part = form.parts[index]
      form.parts[index].head = looseText(part.head)
      let isSecret = part.name.map { SecretText.isSecret(name: $0) || secretNames.contains(SecretText.plain($0)) }
      if isSecret == true {
        form.parts[index].head = form.parts[index].headWithoutLength
        form.parts[index].content = Array(placeholder(String(decoding: part.content, as: UTF8.self)).utf8)
      } else {
        form.parts[index].content = content(part.content, secretNames).bytes
      }
    }
    return RecordedBody(form.bytes)
  }

  /// Masks anything other than a form with parts.
  private mutating func content(_ content: [UInt8], _ secretNames: Set<String>) -> RecordedBody {
    switch RecordedBody(content) {
    case .json(let value): .json(json(value, secretNames, isSecret: false))
    case .text(let text): .text(looseText(text))
    case .bytes(let bytes): .bytes(redactor.masked(bytes))
    case .none: .none
    case .omitted(let count): .omitted(count: count)
    }
  }

  private mutating func json(_ value: JSONValue, _ names: Set<String>, isSecret: Bool) -> JSONValue {
    switch value {
    case .object(let members):
      var masked: [JSONValue.Member] = []
      for member in members {
        let isSecret =
          isSecret || SecretText.isSecret(name: member.name) || names.contains(SecretText.plain(member.name))
        let value = json(member.value, names, isSecret: isSecret)
        let name = words.hasField(member.name) ? member.name : hidingKnown(member.name)
        masked.append(JSONValue.Member(name: name, value: value))
      }
      return .object(masked)
    case .array(let elements): return .array(elements.map { json($0, names, isSecret: isSecret) })
    case .string(let text): return .string(isSecret ? credentials(text) : self.text(text))
    case .number(let text): return isSecret ? .string(placeholder(text)) : redactor.masked(value)
    case .bool, .null: return value
    }
  }

  // MARK: Texts

  /// Masks a secret after an optional authentication scheme.
  private mutating func credentials(_ text: String) -> String {
    for kind in ["bearer ", "basic "] where text.prefix(kind.count).lowercased() == kind {
      return text.prefix(kind.count) + placeholder(String(text.dropFirst(kind.count)))
    }
    return placeholder(text)
  }

  /// Masks secrets in a text whose name is not secret.
  private mutating func text(_ text: String) -> String {
    if SecretText.looksLikeToken(text) { return credentials(text) }
    if let masked = SecretText.replacingTokens(in: text, with: { placeholder($0) }) { return self.text(masked) }
    if let mark = text.firstIndex(of: "?"), text.hasPrefix("/") || text.contains("://") {
      let query = text[text.index(after: mark)...].prefix { $0 != "#" }
      return hidingKnown(text[...mark] + self.query(String(query)) + text[query.endIndex...])
    }
    return hidingKnown(text)
  }

  /// Returns the text without known secrets in any encoding.
  func hidingKnown(_ text: String) -> String { redactor.masked(text) }

  /// Masks secrets in a text that is not valid JSON, perhaps because it was truncated. Finds secrets by their names.
  private mutating func looseText(_ text: String) -> String {
    var output = ""
    for piece in LooseSecrets.pieces(text) {
      output +=
        piece.isSecret
        ? placeholder(piece.text) : SecretText.replacingTokens(in: piece.text) { placeholder($0) } ?? piece.text
    }
    return hidingKnown(output)
  }
}

/// Finds secrets in a text of unknown format: `token=…`, `"password": "…"`, `Bearer …`, JSON Web Tokens.
enum LooseSecrets {
  struct Piece: Hashable {
    var text: String
    var isSecret: Bool
  }

  /// Splits a text into secrets and other pieces.
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
        add(String(word), after: &plain, to: &pieces)
        continue
      }
      plain += word
      guard let lead = lead(word, rest) else { continue }
      plain += lead.text
      rest = rest.dropFirst(lead.text.count)
      let secret = rest.prefix { character in
        lead.quote.map { character != $0 } ?? !"\"'&,;} \n\r\t".contains(character)
      }
      add(String(secret), after: &plain, to: &pieces)
      rest = rest.dropFirst(secret.count)
    }
    if !plain.isEmpty { pieces.append(Piece(text: plain, isSecret: false)) }
    return pieces
  }

  private static func add(_ secret: String, after plain: inout String, to pieces: inout [Piece]) {
    if secret.isEmpty { return }
    if !plain.isEmpty { pieces.append(Piece(text: plain, isSecret: false)) }
    plain = ""
    pieces.append(Piece(text: secret, isSecret: true))
  }

  /// Returns the text between a secret's name and the secret; nil if `word` is not such a name.
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

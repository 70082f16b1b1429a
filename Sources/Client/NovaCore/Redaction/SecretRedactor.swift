/// Masks secrets in server text, in all common encodings, before it is shown or logged.
///
/// A server may quote a password in JSON, in a URL, in HTML or in Base64, and parts of it may be encoded twice. The
/// search therefore does not use a list of encoded secrets: it matches each character of a secret with all decodings at
/// a position. It finds JSON and programming-language escapes, percent-encoding (also in part, and `+` for a space) and
/// HTML entities, nested up to four levels; Base64 in both alphabets, of the secret alone or as part of more data; and
/// equivalent Unicode forms. Secrets shorter than ``shortest`` bytes are not masked.
package struct SecretRedactor: Sendable {
  /// Shorter secrets occur by chance, and masking them would reveal them.
  package static let shortest = 4

  /// The position of a secret in text.
  struct Match {
    var range: Range<Int>
    /// The number of the secret, in the order in which they were given.
    var secret: Int
  }

  /// The replacement for a secret.
  private let replacement: @Sendable (Int) -> String
  private let patterns: [(secret: Int, pattern: SecretPattern)]
  /// For each byte, the patterns that can begin with it, except for escapes.
  private let beginnings: [[Int]]
  /// Whether a whole name of a member is that of a field, and is not masked even if a password is the same word.
  private let keepsName: @Sendable (String) -> Bool
  /// Whether an encoding changes a secret, so that its Base64 differs from that of the secret.
  private let looksIntoBase64: Bool

  /// - Parameters:
  ///   - secrets: the secrets to mask.
  ///   - replacement: returns the replacement for a secret by its number. Default: the mask.
  ///   - keepsName: whether a whole name of a member is that of a field. Such a name is not masked, even if a password is
  ///     the same word: without it, a message would lose the field. Default: ``FieldNames/ofErrors(_:)``.
  package init(
    _ secrets: [String] = [], replacement: @escaping @Sendable (Int) -> String = { _ in SecretText.mask },
    keepsName: @escaping @Sendable (String) -> Bool = FieldNames.ofErrors
  ) {
    self.replacement = replacement
    self.keepsName = keepsName
    var patterns: [(secret: Int, pattern: SecretPattern)] = []
    var looksIntoBase64 = false
    for number in secrets.indices {
      let bytes = secrets[number].utf8Bytes
      if bytes.count < Self.shortest { continue }
      patterns.append((number, SecretPattern(secrets[number])))
      for offset in 0..<3 {
        if let pattern = SecretPattern(base64: bytes, offset: offset) { patterns.append((number, pattern)) }
      }
      for byte in bytes where !Base64.isDigit(UInt32(byte)) && byte != UInt8(ascii: ".") { looksIntoBase64 = true }
    }
    self.patterns = patterns
    self.looksIntoBase64 = looksIntoBase64
    var beginnings: [[Int]] = Array(repeating: [], count: patterns.isEmpty ? 0 : 256)
    for index in patterns.indices {
      for byte in beginnings.indices where patterns[index].pattern.canBegin(with: UInt8(byte)) {
        beginnings[byte].append(index)
      }
    }
    self.beginnings = beginnings
  }

  /// Whether there are no secrets to mask.
  var isEmpty: Bool { patterns.isEmpty }

  // MARK: What is masked

  /// The text without the secrets.
  package func masked(_ text: String) -> String {
    maskedIfFound(text) ?? text
  }

  /// A percent-encoded path without the secrets. Its fixed segments are not secret, even if a password is the same word.
  ///
  /// - Parameter words: the fixed segments of the API's paths.
  package func masked(path: String, words: Set<String>) -> String {
    if isEmpty { return path }
    let segments = path.parts(between: "/", keepsEmpty: true)
    let masked = masked(path)
    // A secret can contain slashes.
    guard masked != path, segments.contains(where: words.contains) else { return masked }
    return segments.map { words.contains($0) ? $0 : self.masked($0) }.joined(separator: "/")
  }

  /// The JSON without the secrets, in its names and numbers too.
  package func masked(_ json: JSONValue) -> JSONValue { maskedIfFound(json) ?? json }

  /// A body of any kind without the secrets. JSON remains valid JSON.
  package func masked(_ body: [UInt8]) -> [UInt8] {
    if isEmpty { return body }
    guard let json = try? JSONValue(keepingRepeatedNames: body) else { return maskedIfFound(body) ?? body }
    return maskedIfFound(json)?.jsonUTF8 ?? body
  }

  private func maskedIfFound(_ json: JSONValue) -> JSONValue? {
    switch json {
    case .object(let members):
      var isChanged = false
      let masked = members.map { member in
        let (name, value) = (maskedName(member.name), maskedIfFound(member.value))
        isChanged = isChanged || name != nil || value != nil
        return JSONValue.Member(name: name ?? member.name, value: value ?? member.value)
      }
      return isChanged ? .object(masked) : nil
    case .array(let elements):
      var isChanged = false
      let masked = elements.map { element in
        let masked = maskedIfFound(element)
        isChanged = isChanged || masked != nil
        return masked ?? element
      }
      return isChanged ? .array(masked) : nil
    case .string(let text), .number(let text):
      return maskedIfFound(text).map { .string($0) }
    case .bool, .null: return nil
    }
  }

  /// Names with a secret in them are rare, so a name is looked up only if it has one.
  private func maskedName(_ name: String) -> String? {
    guard let masked = maskedIfFound(name) else { return nil }
    return keepsName(name) ? nil : masked
  }

  @inline(never)
  private func maskedIfFound(_ text: String) -> String? {
    maskedIfFound(text.utf8Bytes).map { String(decoding: $0, as: UTF8.self) }
  }

  @inline(never)
  private func maskedIfFound(_ bytes: [UInt8]) -> [UInt8]? {
    let matches = matches(in: bytes)
    if matches.isEmpty { return nil }
    var masked: [UInt8] = []
    var place = 0
    for match in matches {
      masked += Array(bytes[place..<match.range.lowerBound])
      masked += replacement(match.secret).utf8Bytes
      place = match.range.upperBound
    }
    return masked + Array(bytes[place...])
  }

  // MARK: Finding

  /// The positions of secrets, in order and without overlaps.
  func matches(in bytes: [UInt8]) -> [Match] {
    if isEmpty { return [] }
    var found = plainMatches(in: bytes)
    if looksIntoBase64 { addMatchesInBase64(bytes, to: &found) }
    if found.isEmpty { return [] }
    var longest: [Match?] = Array(repeating: nil, count: bytes.count)
    for match in found {
      let start = match.range.lowerBound
      if match.range.upperBound > longest[start]?.range.upperBound ?? 0 { longest[start] = match }
    }
    var merged: [Match] = []
    for case let match? in longest {
      if let last = merged.last?.range, match.range.lowerBound < last.upperBound {
        merged[merged.count - 1].range = last.lowerBound..<max(last.upperBound, match.range.upperBound)
      } else {
        merged.append(match)
      }
    }
    return merged
  }

  private func plainMatches(in bytes: [UInt8]) -> [Match] {
    bytes.withUnsafeBufferPointer { buffer in
      let text = EncodedText(buffer, patience: 1 + patterns.count / 16)
      var found: [Match] = []
      for place in buffer.indices {
        // The content of such text cannot be determined.
        if text.isExhausting {
          found.append(Match(range: place..<buffer.count, secret: patterns[0].secret))
          break
        }
        let byte = buffer[place]
        for index in EncodedText.isOpener(byte) ? Array(patterns.indices) : beginnings[Int(byte)] {
          let (secret, pattern) = patterns[index]
          if let range = pattern.range(in: text, at: place) { found.append(Match(range: range, secret: secret)) }
        }
      }
      return found
    }
  }

  /// Base64 may contain JSON, or a query, with a secret in it.
  private func addMatchesInBase64(_ bytes: [UInt8], to found: inout [Match]) {
    var start = 0
    while start < bytes.count {
      guard Base64.isDigit(UInt32(bytes[start])) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, Base64.isDigit(UInt32(bytes[end])) { end += 1 }
      // The start of the encoded text in such a run is unknown: slashes in paths are digits, too.
      for offset in 0..<4 where end - start - offset >= 8 {
        let surplus = (end - start - offset) % 4 == 1 ? 1 : 0
        for match in plainMatches(in: Base64.decodeLeniently(bytes[(start + offset)..<(end - surplus)])) {
          let first = start + offset + match.range.lowerBound * 8 / 6
          let last = start + offset + (match.range.upperBound * 8 + 5) / 6
          found.append(Match(range: first..<min(last, end), secret: match.secret))
        }
      }
      start = end
    }
  }
}

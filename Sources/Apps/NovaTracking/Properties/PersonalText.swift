import NovaCore

/// Recognizes, by its form, text that must not be recorded. Only a safety net: it is the list of allowed properties
/// that keeps personal text out.
enum PersonalText {
  /// Tokens are random texts of at least this length.
  private static let shortestToken = 32

  /// Whether the text seems to contain an e-mail address, a token, or a URL with a query or a password.
  static func isLikely(_ text: String) -> Bool {
    // Most values are words and IDs.
    if text.utf8.count < 5 { return false }
    let bytes = Array(text.utf8)
    return hasAddress(bytes) || hasURLWithQuery(bytes) || hasToken(bytes) || SecretText.looksLikeToken(text)
      || containsIgnoringCase(bytes, "bearer ") || containsIgnoringCase(bytes, "basic ")
  }

  /// Finds `ada@example` and `ada%40example`.
  private static func hasAddress(_ bytes: [UInt8]) -> Bool {
    for index in bytes.indices where index > 0 && isWord(bytes[index - 1]) {
      if bytes[index] == UInt8(ascii: "@"), index + 1 < bytes.count, isWord(bytes[index + 1]) { return true }
      guard bytes[index] == UInt8(ascii: "%"), index + 3 < bytes.count else { continue }
      if bytes[index + 1] == UInt8(ascii: "4"), bytes[index + 2] == UInt8(ascii: "0"), isWord(bytes[index + 3]) {
        return true
      }
    }
    return false
  }

  /// Whether the byte is a digit, or part of a letter of any alphabet.
  private static func isWord(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 }

  /// Finds URLs with queries, which contain searches and signatures. Passwords in URLs are recognized as addresses.
  private static func hasURLWithQuery(_ bytes: [UInt8]) -> Bool {
    guard let query = bytes.firstIndex(of: UInt8(ascii: "?")) else { return false }
    return containsIgnoringCase(Array(bytes[..<query]), "://") || bytes.first == UInt8(ascii: "/")
  }

  /// Finds a run of token characters that has digits and letters, and is not a UUID.
  private static func hasToken(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      guard tokenCharacters.contains(bytes[start]) else {
        start += 1
        continue
      }
      var end = start
      while end < bytes.count, tokenCharacters.contains(bytes[end]) { end += 1 }
      if isToken(bytes[start..<end]) { return true }
      start = end
    }
    return false
  }

  private static func isToken(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count >= shortestToken, !isUUID(run) else { return false }
    return run.contains { $0.isASCIIDigit } && run.contains { $0.isASCIILetter }
  }

  private static func isUUID(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count == 36 else { return false }
    return run.enumerated().allSatisfy { place, byte in
      [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : ASCIISet.hexadecimalDigits.contains(byte)
    }
  }

  private static let tokenCharacters = ASCIISet.alphanumerics + ASCIISet("-_+=")

  private static func containsIgnoringCase(_ bytes: [UInt8], _ part: StaticString) -> Bool {
    let count = part.utf8CodeUnitCount
    guard bytes.count >= count else { return false }
    return part.withUTF8Buffer { part in
      (0...(bytes.count - count)).contains { start in
        part.indices.allSatisfy { bytes[start + $0].asciiLowercased == part[$0] }
      }
    }
  }
}

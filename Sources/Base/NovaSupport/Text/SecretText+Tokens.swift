// Tokens inside other text.

extension SecretText {
  /// The length of the shortest opaque token after `Bearer`.
  private static let shortestBearer = 16

  private static let bearerBytes = ASCIISet.alphanumerics + ASCIISet("-_.~+/=")

  /// The text with each token replaced; nil if it contains none.
  ///
  /// A token is a JSON Web Token, even a truncated one, or text after `Bearer` that looks random.
  ///
  /// - Parameter replacement: returns the replacement of a token.
  @inline(never)
  package static func replacingTokens(in text: String, with replacement: (String) -> String) -> String? {
    let bytes = text.utf8Bytes
    let scanner = WebTokenScanner(bytes)
    var replaced: [UInt8] = []
    var (copied, place) = (0, 0)
    while place < bytes.count {
      guard let token = token(in: bytes, at: place, scanner) else {
        place += 1
        continue
      }
      replaced += bytes[copied..<token.lowerBound]
      replaced += replacement(String(decoding: bytes[token], as: UTF8.self)).utf8Bytes
      (copied, place) = (token.upperBound, token.upperBound)
    }
    if copied == 0 { return nil }
    return String(decoding: replaced + bytes[copied...], as: UTF8.self)
  }

  private static func token(in bytes: [UInt8], at start: Int, _ scanner: WebTokenScanner) -> Range<Int>? {
    let first = bytes[start]
    if first == UInt8(ascii: "B") || first == UInt8(ascii: "b") {
      guard start == 0 || !WebTokenScanner.isDigit(bytes[start - 1]),
        let bearer = bearerToken(in: bytes, at: start)
      else { return nil }
      // The dots of a JSON Web Token can be written in several ways.
      let end = scanner.token(at: bearer.lowerBound)?.upperBound ?? bearer.upperBound
      return bearer.lowerBound..<max(end, bearer.upperBound)
    }
    // Ignores the character before it, which may be part of an escape such as `%20` or `\n`.
    return scanner.token(at: start)
  }

  private static func bearerToken(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    let scheme: StaticString = "bearer "
    let first = start + scheme.utf8CodeUnitCount
    guard first < bytes.count else { return nil }
    let isScheme = scheme.withUTF8Buffer { scheme in
      scheme.indices.allSatisfy { bytes[start + $0].asciiLowercased == scheme[$0] }
    }
    guard isScheme else { return nil }
    var end = first
    while end < bytes.count, bearerBytes.contains(bytes[end]) { end += 1 }
    while end > first, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard end - first >= shortestBearer, bytes[first..<end].contains(where: \.isASCIIDigit) else { return nil }
    return first..<end
  }
}

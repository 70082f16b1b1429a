// Tokens in the middle of other text.

extension SecretText {
  /// The lengths of the shortest header of a JSON Web Token, and of the shortest opaque token after `Bearer`.
  private static let shortestHeader = 12, shortestBearer = 16

  private static let tokenBytes = ASCIISet.alphanumerics + ASCIISet("-_")
  private static let bearerBytes = ASCIISet.alphanumerics + ASCIISet("-_.~+/=")

  /// The text with another one in place of each token in it; nil if it has none.
  ///
  /// A token is a JSON Web Token, also one that was cut, or what follows `Bearer` if it looks random.
  ///
  /// - Parameter replacement: returns what replaces a token.
  @inline(never)
  package static func replacingTokens(in text: String, with replacement: (String) -> String) -> String? {
    let bytes = text.utf8Bytes
    var replaced: [UInt8] = []
    var (copied, place) = (0, 0)
    while place < bytes.count {
      guard let token = token(in: bytes, at: place) else {
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

  private static func token(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    switch bytes[start] {
    // Whatever stands before it: it may be a part of an escape, such as `%20` or `\n`.
    case UInt8(ascii: "e"): return webToken(in: bytes, at: start)
    case UInt8(ascii: "B"), UInt8(ascii: "b"):
      return start == 0 || !tokenBytes.contains(bytes[start - 1]) ? bearerToken(in: bytes, at: start) : nil
    default: return nil
    }
  }

  /// Parts in Base64 with dots between them, of which the first is a JSON object. The second one is, too, unless it is
  /// encrypted.
  private static func webToken(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    guard isObject(bytes, at: start) else { return nil }
    var (end, dots, second) = (start, 0, 0)
    while end < bytes.count, tokenBytes.contains(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
      if bytes[end] == UInt8(ascii: ".") {
        if dots == 0, end - start < shortestHeader { return nil }
        dots += 1
        if dots == 1 { second = end + 1 }
      }
      end += 1
    }
    guard dots >= 2 || dots == 1 && isObject(bytes, at: second) else { return nil }
    // A dot after an unfinished token ends the sentence.
    if bytes[end - 1] == UInt8(ascii: "."), dots > 2 || dots == 2 && !isObject(bytes, at: second) { end -= 1 }
    return start..<end
  }

  /// `eyJ` is `{"` in Base64.
  private static func isObject(_ bytes: [UInt8], at start: Int) -> Bool {
    start + 3 <= bytes.count && bytes[start] == UInt8(ascii: "e") && bytes[start + 1] == UInt8(ascii: "y")
      && bytes[start + 2] == UInt8(ascii: "J")
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

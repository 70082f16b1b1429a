/// Finds JSON Web Tokens in free text: parts in Base64, separated by dots. The first part is a JSON object. So is the
/// second, unless the token is encrypted.
struct WebTokenScanner {
  /// The minimum number of digits of a header: `{"a":"b"}` has 9 bytes.
  private static let shortestHeader = 12
  private static let digits = ASCIISet.alphanumerics + ASCIISet("-_")

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a byte can be part of a token.
  static func isDigit(_ byte: UInt8) -> Bool { digits.contains(byte) }

  /// The token that starts at an index; nil if there is none. A token may be truncated after its header.
  func token(at start: Int) -> Range<Int>? {
    guard beginsObject(at: start) else { return nil }
    var (place, dots, second) = (start, 0, 0)
    var lastDot = start..<start
    while place < bytes.count {
      if Self.isDigit(bytes[place]) {
        place += 1
      } else if let length = separatorLength(at: place) {
        if dots == 0, !isHeader(start..<place) { return nil }
        lastDot = place..<place + length
        (dots, place) = (dots + 1, lastDot.upperBound)
        if dots == 1 { second = place }
      } else {
        break
      }
    }
    let hasPayload = dots > 0 && beginsObject(at: second)
    guard dots >= 2 || hasPayload else { return nil }
    // A dot after an unfinished token ends the sentence. An unsigned token ends with a dot.
    let isUnfinished = place == lastDot.upperBound && (dots > 2 || !hasPayload)
    return start..<(isUnfinished ? lastDot.lowerBound : place)
  }

  // MARK: Dots

  /// The HTML entities for a dot, without the `&`.
  private static let entities: [StaticString] = ["#46;", "#046;", "#x2e;", "#x02e;", "#x002e;", "period;"]

  /// The length of the dot at an index, including the padding that some encoders leave before it; nil if there is no
  /// dot.
  private func separatorLength(at place: Int) -> Int? {
    var dot = place
    while dot < place + 6, let length = paddingLength(at: dot) { dot += length }
    return dot < bytes.count ? dotLength(at: dot).map { dot + $0 - place } : nil
  }

  private func paddingLength(at place: Int) -> Int? {
    guard place < bytes.count else { return nil }
    return bytes[place] == UInt8(ascii: "=") ? 1 : matches("%3d", at: place) ? 3 : nil
  }

  /// The length of the dot at an index; nil if there is no dot. It can be written as in URLs (`%2E` or `%252E`), in
  /// JSON (`\u002e`), or in HTML (`&#46;`).
  private func dotLength(at place: Int) -> Int? {
    switch bytes[place] {
    case UInt8(ascii: "."): return 1
    case UInt8(ascii: "%"):
      var end = place + 1
      while matches("25", at: end) { end += 2 }
      return matches("2e", at: end) ? end + 2 - place : nil
    case UInt8(ascii: "\\"): return matches("u002e", at: place + 1) ? 6 : nil
    case UInt8(ascii: "&"): return Self.entities.first { matches($0, at: place + 1) }.map { $0.utf8CodeUnitCount + 1 }
    default: return nil
    }
  }

  private func matches(_ text: StaticString, at place: Int) -> Bool {
    text.withUTF8Buffer { text in
      place + text.count <= bytes.count && text.indices.allSatisfy { bytes[place + $0].asciiLowercased == text[$0] }
    }
  }

  // MARK: JSON in Base64

  /// Whether a nonempty JSON object starts here. JSON allows whitespace around the `{`, so it need not start with
  /// `eyJ`, which is `{"`.
  private func beginsObject(at start: Int) -> Bool {
    var decoder = Decoder()
    var isOpen = false
    for place in start..<max(start, bytes.count) {
      guard let value = Self.value(of: bytes[place]) else { return false }
      guard let byte = decoder.add(value), !Self.isSpace(byte) else { continue }
      switch byte {
      case UInt8(ascii: "{") where !isOpen: isOpen = true
      case UInt8(ascii: "\"") where isOpen: return true
      default: return false
      }
    }
    return false
  }

  /// Whether the digits encode a complete JSON object. Words can start like one: `moneyJuggler`.
  private func isHeader(_ range: Range<Int>) -> Bool {
    guard range.count >= Self.shortestHeader, range.count % 4 != 1 else { return false }
    var decoder = Decoder()
    var last: UInt8 = 0
    var hasColon = false
    for place in range {
      guard let byte = Self.value(of: bytes[place]).flatMap({ decoder.add($0) }), !Self.isSpace(byte) else { continue }
      if byte < UInt8(ascii: " ") { return false }
      if byte == UInt8(ascii: ":") { hasColon = true }
      last = byte
    }
    return hasColon && last == UInt8(ascii: "}")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// Decodes Base64 digit by digit.
  private struct Decoder {
    private var bits: UInt32 = 0
    private var count = 0

    /// Adds a digit, and returns the byte that it completes; nil if it completes none.
    mutating func add(_ value: UInt8) -> UInt8? {
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      guard count >= 8 else { return nil }
      count -= 8
      return UInt8(truncatingIfNeeded: bits >> UInt32(count))
    }
  }
}

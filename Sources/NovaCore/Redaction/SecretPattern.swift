/// A search pattern for a secret: its characters in any encoding, or in Base64 at one of three alignments.
struct SecretPattern {
  enum Element {
    /// A character in any encoding.
    case scalar(UInt32)
    /// A character that Unicode can write in several ways, composed or not, and the most scalars that takes.
    case character(Character, Int)
    /// A digit of Base64 in the standard alphabet.
    case digit(UInt8)
  }

  /// The length from which a prefix of a secret is masked, too: servers and proxies truncate what they quote.
  private static let tellingPrefix = 16

  let elements: [Element]
  private let isBase64: Bool
  /// Whether the Base64 digits before and after also contain bits of the secret.
  private let hasBitsBefore: Bool
  private let hasBitsBehind: Bool

  /// The secret itself.
  init(_ secret: String) {
    elements = secret.flatMap { character -> [Element] in
      let scalars = character.unicodeScalars
      if scalars.allSatisfy({ $0.isASCII || $0.hasOneSpelling }) { return scalars.map { .scalar($0.value) } }
      return [.character(character, scalars.count * 3 + 1)]
    }
    (isBase64, hasBitsBefore, hasBitsBehind) = (false, false, false)
  }

  /// The digits that depend only on the secret if `offset` bytes precede it in a group of three; nil if there are none.
  init?(base64 secret: [UInt8], offset: Int) {
    let (first, end) = ((offset * 8 + 5) / 6, (offset + secret.count) * 8 / 6)
    let digits = Base64.encode(Array(repeating: 0, count: offset) + secret)
    guard end - first >= 4 else { return nil }
    elements = digits[first..<end].map { .digit($0) }
    isBase64 = true
    hasBitsBefore = offset > 0
    hasBitsBehind = (offset + secret.count) % 3 > 0
  }

  /// The bytes with which it can begin, except for escapes.
  var beginnings: [UInt8] {
    switch elements.first {
    case .scalar(0x20)?: [0x20, UInt8(ascii: "+")]
    case .scalar(let scalar)?: scalar < 0x80 ? [UInt8(scalar)] : Array(0x80...0xFF)
    case .character(let character, _)?:
      Array(0x80...0xFF) + Set(Self.compositionStarts + character.utf8.prefix(1).filter { $0 < 0x80 })
    case .digit(UInt8(ascii: "+"))?: [UInt8(ascii: "+"), UInt8(ascii: "-")]
    case .digit(UInt8(ascii: "/"))?: [UInt8(ascii: "/"), UInt8(ascii: "_")]
    case .digit(let digit)?: [digit]
    case nil: []
    }
  }

  /// The ASCII characters that Unicode composes with marks, or treats as equivalent to others.
  private static let compositionStarts = (UInt8(0x20)..<0x7F).filter { byte in
    Unicode.Scalar(byte).properties.isAlphabetic || "<=>;`".utf8.contains(byte)
  }

  /// The range of the secret, or of a long enough prefix of it, at a position.
  func range(in text: EncodedText, at place: Int) -> Range<Int>? {
    var places = [place]
    for (index, element) in elements.enumerated() {
      let next = ends(of: element, in: text, at: places)
      if next.isEmpty {
        return index >= Self.tellingPrefix ? places.max().map { place..<$0 } : nil
      }
      places = next
    }
    guard let end = places.max() else { return nil }
    return isBase64 ? widened(place..<end, in: text) : place..<end
  }

  private func ends(of element: Element, in text: EncodedText, at places: [Int]) -> [Int] {
    var ends: [Int] = []
    for place in places {
      switch element {
      case .scalar(let scalar):
        for reading in text.readings(at: place)
        where reading.scalar == scalar || scalar == 0x20 && reading.scalar == 0x2B {
          ends.append(reading.end)
        }
      case .digit(let digit): addEnds(of: digit, in: text, at: place, lines: 2, to: &ends)
      case .character(let character, let most): addEnds(of: character, most, in: text, at: place, to: &ends)
      }
    }
    // Text with many escapes has many decodings that end at the same positions.
    return ends.count > 1 ? Array(Set(ends)) : ends
  }

  /// - Parameter lines: the maximum number of line breaks in between.
  private func addEnds(of digit: UInt8, in text: EncodedText, at place: Int, lines: Int, to ends: inout [Int]) {
    for reading in text.readings(at: place) {
      if Self.isSame(reading.scalar, digit) {
        ends.append(reading.end)
      } else if lines > 0, reading.scalar == 0x0A || reading.scalar == 0x0D {
        addEnds(of: digit, in: text, at: reading.end, lines: lines - 1, to: &ends)
      }
    }
  }

  /// Swift compares characters by Unicode canonical equivalence.
  private func addEnds(
    of character: Character, _ most: Int, in text: EncodedText, at place: Int, to ends: inout [Int]
  ) {
    var open: [(scalars: String.UnicodeScalarView, end: Int)] = [(String.UnicodeScalarView(), place)]
    for _ in 0..<most {
      var longer: [(scalars: String.UnicodeScalarView, end: Int)] = []
      for (scalars, end) in open {
        for reading in text.readings(at: end) {
          guard let scalar = Unicode.Scalar(reading.scalar) else { continue }
          guard scalar.canStand(in: character, first: scalars.isEmpty) else { continue }
          var scalars = scalars
          scalars.append(scalar)
          if String(scalars) == String(character) { ends.append(reading.end) }
          longer.append((scalars, reading.end))
        }
      }
      open = Array(longer.prefix(16))
      if open.isEmpty { return }
    }
  }

  private static func isSame(_ scalar: UInt32, _ digit: UInt8) -> Bool {
    switch digit {
    case UInt8(ascii: "+"): scalar == 0x2B || scalar == 0x2D
    case UInt8(ascii: "/"): scalar == 0x2F || scalar == 0x5F
    default: scalar == UInt32(digit)
    }
  }

  private func widened(_ range: Range<Int>, in text: EncodedText) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    if hasBitsBefore, start > 0, Base64.isDigit(UInt32(text.bytes[start - 1])) { start -= 1 }
    if hasBitsBehind, let next = text.readings(at: end).first(where: { Base64.isDigit($0.scalar) }) { end = next.end }
    return start..<end
  }
}

extension Base64 {
  /// Whether a character is a digit of one of the alphabets.
  static func isDigit(_ scalar: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(scalar), scalar.isASCII else { return false }
    return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "+/-_".unicodeScalars.contains(scalar)
  }
}

extension Unicode.Scalar {
  /// Whether Unicode has only one form of it: most ideographs, emoji and symbols.
  fileprivate var hasOneSpelling: Bool {
    (0x3100...0xABFF).contains(value) || (0x1F000...0x1FFFF).contains(value) || Self.joiners.contains(value)
  }

  /// The zero-width joiner and the variation selectors of emoji, and the mark around keys.
  private static let joiners: Set<UInt32> = [0x200D, 0xFE0E, 0xFE0F, 0x20E3]

  /// Whether an equivalent form of a character can contain this scalar.
  fileprivate func canStand(in character: Character, first isFirst: Bool) -> Bool {
    if character.unicodeScalars.contains(self) { return true }
    if isASCII { return isFirst && (properties.isAlphabetic || "<=>;`".unicodeScalars.contains(self)) }
    return !hasOneSpelling
  }
}

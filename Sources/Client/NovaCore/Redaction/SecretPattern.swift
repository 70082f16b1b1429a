/// A search pattern for a secret: its characters in any encoding, or in Base64 at one of three alignments.
struct SecretPattern {
  enum Element {
    /// A character in any encoding.
    case scalar(UInt32)
    /// A character with several forms in Unicode, composed or not, and its scalars here.
    case character(String, [Unicode.Scalar])
    /// A digit of Base64 in the standard alphabet.
    case digit(UInt8)
  }

  /// The length of the shortest prefix that is masked as well: servers and proxies truncate what they quote.
  private static let shortestPrefix = 16

  let elements: [Element]
  private let isBase64: Bool
  /// Whether the Base64 digits before and after also contain bits of the secret.
  private let hasBitsBefore: Bool
  private let hasBitsAfter: Bool

  /// The secret itself.
  init(_ secret: String) {
    var elements: [Element] = []
    for character in secret {
      let text = String(character)
      let scalars = text.scalars
      var isPlain = true
      for scalar in scalars where !scalar.isASCII && !scalar.hasOneSpelling { isPlain = false }
      if isPlain {
        for scalar in scalars { elements.append(.scalar(scalar.value)) }
      } else {
        elements.append(.character(text, scalars))
      }
    }
    self.elements = elements
    (isBase64, hasBitsBefore, hasBitsAfter) = (false, false, false)
  }

  /// The digits that depend only on the secret if `offset` bytes precede it in a group of three; nil if there are too few.
  @inline(never)
  init?(base64 secret: [UInt8], offset: Int) {
    let (first, end) = ((offset * 8 + 5) / 6, (offset + secret.count) * 8 / 6)
    let digits = Base64.encode(Array(repeating: 0, count: offset) + secret)
    guard end - first >= 4 else { return nil }
    elements = digits[first..<end].map { .digit($0) }
    isBase64 = true
    hasBitsBefore = offset > 0
    hasBitsAfter = (offset + secret.count) % 3 > 0
  }

  /// Whether it can begin with this byte, except for escapes.
  @inline(never)
  func canBegin(with byte: UInt8) -> Bool {
    switch elements.first {
    case .scalar(let scalar)?: scalar < 0x80 ? Self.isSame(UInt32(byte), scalar: scalar) : byte >= 0x80
    case .character(_, let scalars)?:
      byte >= 0x80 || ASCIISet.composable.contains(byte) || scalars.first?.value == UInt32(byte)
    case .digit(let digit)?: Self.isSame(UInt32(byte), digit: digit)
    case nil: false
    }
  }

  /// The range of the secret, or of a long enough prefix of it, at a position.
  func range(in text: EncodedText, at place: Int) -> Range<Int>? {
    var places = [place]
    for index in elements.indices {
      var ends: [Int] = []
      for place in places { addEnds(of: elements[index], in: text, at: place, to: &ends) }
      if ends.isEmpty {
        return index >= Self.shortestPrefix ? places.max().map { place..<$0 } : nil
      }
      places = ends
    }
    guard let end = places.max() else { return nil }
    return isBase64 ? widened(place..<end, in: text) : place..<end
  }

  private func addEnds(of element: Element, in text: EncodedText, at place: Int, to ends: inout [Int]) {
    switch element {
    case .scalar(let scalar):
      for reading in text.readings(at: place) where Self.isSame(reading.scalar, scalar: scalar) {
        Self.add(reading.end, to: &ends)
      }
    case .digit(let digit): addEnds(of: digit, in: text, at: place, lines: 2, to: &ends)
    case .character(let character, let scalars):
      addEnds(of: character, scalars, in: text, at: place, to: &ends)
    }
  }

  /// Text with many escapes has many decodings that end at the same positions.
  @inline(never)
  private static func add(_ end: Int, to ends: inout [Int]) {
    if !ends.contains(end) { ends.append(end) }
  }

  /// - Parameter lines: the maximum number of line breaks in between.
  private func addEnds(of digit: UInt8, in text: EncodedText, at place: Int, lines: Int, to ends: inout [Int]) {
    for reading in text.readings(at: place) {
      if Self.isSame(reading.scalar, digit: digit) {
        Self.add(reading.end, to: &ends)
      } else if lines > 0, reading.scalar == 0x0A || reading.scalar == 0x0D {
        addEnds(of: digit, in: text, at: reading.end, lines: lines - 1, to: &ends)
      }
    }
  }

  /// Swift compares text by Unicode canonical equivalence.
  private func addEnds(
    of character: String, _ scalars: [Unicode.Scalar], in text: EncodedText, at place: Int, to ends: inout [Int]
  ) {
    var open = [(text: "", end: place)]
    // No form of a character takes more scalars.
    for _ in 0..<(scalars.count * 3 + 1) {
      var longer: [(text: String, end: Int)] = []
      for (begun, end) in open {
        for reading in text.readings(at: end) {
          guard let scalar = Unicode.Scalar(reading.scalar), scalar.canOccur(in: scalars, first: begun.isEmpty) else {
            continue
          }
          var grown = begun
          grown.unicodeScalars.append(scalar)
          if grown == character { Self.add(reading.end, to: &ends) }
          if longer.count < 16 { longer.append((grown, reading.end)) }
        }
      }
      open = longer
    }
  }

  private static func isSame(_ found: UInt32, scalar: UInt32) -> Bool {
    found == scalar || scalar == 0x20 && found == UInt32(UInt8(ascii: "+"))
  }

  private static func isSame(_ scalar: UInt32, digit: UInt8) -> Bool {
    switch digit {
    case UInt8(ascii: "+"): scalar == 0x2B || scalar == 0x2D
    case UInt8(ascii: "/"): scalar == 0x2F || scalar == 0x5F
    default: scalar == UInt32(digit)
    }
  }

  private func widened(_ range: Range<Int>, in text: EncodedText) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    if hasBitsBefore, start > 0, Base64.isDigit(UInt32(text.bytes[start - 1])) { start -= 1 }
    if hasBitsAfter, let next = text.readings(at: end).first(where: { Base64.isDigit($0.scalar) }) { end = next.end }
    return start..<end
  }
}

extension Base64 {
  /// Whether a character is a digit of one of the alphabets.
  static func isDigit(_ scalar: UInt32) -> Bool {
    scalar < 128 && ASCIISet.base64.contains(UInt8(scalar))
  }
}

extension ASCIISet {
  fileprivate static let base64 = alphanumerics + ASCIISet("+/-_")
  /// The characters that Unicode composes with marks, or treats as equivalent to others.
  fileprivate static let composable = lowercase + uppercase + ASCIISet("<=>;`")
}

extension Unicode.Scalar {
  /// Whether Unicode has only one form of it: most ideographs, emoji and symbols.
  fileprivate var hasOneSpelling: Bool {
    switch value {
    case 0x3100...0xABFF, 0x1F000...0x1FFFF: true
    // The zero-width joiner and the variation selectors of emoji, and the mark around keys.
    case 0x200D, 0xFE0E, 0xFE0F, 0x20E3: true
    default: false
    }
  }

  /// Whether an equivalent form of a character can contain this scalar.
  fileprivate func canOccur(in character: [Unicode.Scalar], first isFirst: Bool) -> Bool {
    for scalar in character where scalar == self { return true }
    return isASCII ? isFirst && ASCIISet.composable.contains(UInt8(value)) : !hasOneSpelling
  }
}

/// Text with all its possible decodings: a character of a secret can be literal, a JSON or programming-language escape,
/// percent-encoded, or an HTML entity, and each character of such an encoding can be encoded again.
final class EncodedText {
  /// A character, and where the next one begins.
  struct Reading {
    let scalar: UInt32
    let end: Int
  }

  /// How a number is written.
  private struct Digits {
    let radix: UInt32
    let count: ClosedRange<Int>

    static let byte = Digits(radix: 16, count: 2...2)
    static let unit = Digits(radix: 16, count: 4...4)
    static let scalar = Digits(radix: 16, count: 8...8)
    static let hexadecimal = Digits(radix: 16, count: 1...8)
    static let decimal = Digits(radix: 10, count: 1...9)
    static let octal = Digits(radix: 8, count: 1...3)
  }

  /// The maximum depth of nested encodings.
  static let deepest = 4
  /// The number of cached positions: more than the length of a nested escape.
  private static let mostRemembered = 4096

  let bytes: UnsafeBufferPointer<UInt8>
  /// Each position and depth has one slot, which it shares with others.
  private var remembered: [(key: Int, readings: [Reading])] = []
  private var steps = 0

  private let mostSteps: Int

  /// - Parameter patience: the limit on the work of a search.
  init(_ bytes: UnsafeBufferPointer<UInt8>, patience: Int = 1) {
    self.bytes = bytes
    mostSteps = patience * (8 * bytes.count + 100_000)
  }

  /// Whether decoding takes much longer than it does for ordinary text.
  var isExhausting: Bool { steps > mostSteps }

  /// Whether a byte can begin an encoded character.
  static func isOpener(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
  }

  /// The characters that can be decoded at a position, the literal one first.
  @inline(never)
  func readings(at place: Int, depth: Int = deepest) -> [Reading] {
    guard place < bytes.count else { return [] }
    steps += 1
    let plain = plain(at: place)
    guard depth > 0, Self.isOpener(bytes[place]) else { return [plain] }
    let key = place * (Self.deepest + 1) + depth
    if remembered.isEmpty {
      let count = min(Self.mostRemembered, (bytes.count + 1) * (Self.deepest + 1))
      remembered = Array(repeating: (-1, []), count: count)
    }
    let slot = key % remembered.count
    if remembered[slot].key == key { return remembered[slot].readings }
    var found = [plain]
    for opener in readings(at: place, depth: depth - 1) {
      add(opener.scalar, opener.end, to: &found)
      switch opener.scalar {
      case 0x5C: addEscapes(at: opener.end, depth: depth - 1, to: &found)
      case 0x25: addPercentEncoded(at: opener.end, depth: depth - 1, to: &found)
      case 0x26: addEntity(at: opener.end, depth: depth - 1, to: &found)
      default: break
      }
    }
    remembered[slot] = (key, found)
    return found
  }

  @inline(never)
  private func add(_ scalar: UInt32, _ end: Int, to found: inout [Reading]) {
    for reading in found where reading.scalar == scalar && reading.end == end { return }
    found.append(Reading(scalar: scalar, end: end))
  }

  /// The literal character at a position. A byte that is not UTF-8 is read as Latin-1.
  private func plain(at place: Int) -> Reading {
    let lead = bytes[place]
    let end = place + Self.length(ofSequenceWith: lead)
    if end > place + 1, end <= bytes.count, let scalar = Self.scalar(Array(bytes[place..<end])) {
      return Reading(scalar: scalar, end: end)
    }
    return Reading(scalar: UInt32(lead), end: place + 1)
  }

  // MARK: Escapes with a backslash

  private func addEscapes(at place: Int, depth: Int, to found: inout [Reading]) {
    for next in readings(at: place, depth: depth) {
      switch next.scalar {
      case 0x75: addUnicodeEscape(at: next.end, depth: depth, opener: 0x5C, to: &found)  // u
      case 0x55:  // U, with eight digits
        if let number = number(.scalar, at: next.end, depth: depth) { add(number.scalar, number.end, to: &found) }
      case 0x78: addBytes(.byte, at: next.end, depth: depth, opener: 0x5C, letter: 0x78, to: &found)  // x
      case 0x30...0x37: addBytes(.octal, at: place, depth: depth, opener: 0x5C, to: &found)
      default:
        if let control = Self.control(next.scalar) {
          add(control, next.end, to: &found)
        } else if !Self.isAlphanumeric(next.scalar) {
          add(next.scalar, next.end, to: &found)
        }
      }
    }
  }

  private static func control(_ letter: UInt32) -> UInt32? {
    switch letter {
    case 0x61: 7
    case 0x62: 8
    case 0x65: 0x1B
    case 0x66: 12
    case 0x6E: 10
    case 0x72: 13
    case 0x74: 9
    case 0x76: 11
    default: nil
    }
  }

  /// `XXXX`, optionally followed by another one for a surrogate pair, or `{X…}`.
  @inline(never)
  private func addUnicodeEscape(at place: Int, depth: Int, opener: UInt32, to found: inout [Reading]) {
    if let brace = end(of: 0x7B, at: place, depth: depth) {
      if let number = number(.hexadecimal, at: brace, depth: depth),
        let end = end(of: 0x7D, at: number.end, depth: depth)
      {
        add(number.scalar, end, to: &found)
      }
      return
    }
    guard let unit = number(.unit, at: place, depth: depth) else { return }
    guard unit.scalar & 0xFC00 == 0xD800 else { return add(unit.scalar, unit.end, to: &found) }
    for start in starts(after: opener, letter: 0x75, at: unit.end, depth: depth) {
      if let low = number(.unit, at: start, depth: depth), low.scalar & 0xFC00 == 0xDC00 {
        add(0x10000 + (unit.scalar & 0x3FF) << 10 + low.scalar & 0x3FF, low.end, to: &found)
      }
    }
  }

  // MARK: Percent-encoding

  private func addPercentEncoded(at place: Int, depth: Int, to found: inout [Reading]) {
    if let letter = end(of: 0x75, at: place, depth: depth) {
      addUnicodeEscape(at: letter, depth: depth, opener: 0x25, to: &found)
    } else {
      addBytes(.byte, at: place, depth: depth, opener: 0x25, to: &found)
    }
  }

  /// A character whose bytes are encoded separately, in UTF-8 or else Latin-1.
  ///
  /// - Parameters:
  ///   - opener: the character before the digits of each byte.
  ///   - letter: the letter between the opener and the digits, if there is one.
  @inline(never)
  private func addBytes(
    _ digits: Digits, at place: Int, depth: Int, opener: UInt32, letter: UInt32? = nil, to found: inout [Reading]
  ) {
    guard let lead = number(digits, at: place, depth: depth), lead.scalar < 256 else { return }
    add(lead.scalar, lead.end, to: &found)
    var (sequence, end) = ([UInt8(lead.scalar)], lead.end)
    let length = Self.length(ofSequenceWith: sequence[0])
    while sequence.count < length {
      let count = sequence.count
      for start in starts(after: opener, letter: letter, at: end, depth: depth) where sequence.count == count {
        guard let byte = number(digits, at: start, depth: depth), 0x80..<0xC0 ~= byte.scalar else { continue }
        sequence.append(UInt8(byte.scalar))
        end = byte.end
      }
      if sequence.count == count { return }
    }
    if length > 1, let scalar = Self.scalar(sequence) { add(scalar, end, to: &found) }
  }

  // MARK: HTML

  private func addEntity(at place: Int, depth: Int, to found: inout [Reading]) {
    let digits = end(of: 0x23, at: place, depth: depth)
    var entity: Reading?
    if let digits {
      let letter = end(of: 0x78, at: digits, depth: depth) ?? end(of: 0x58, at: digits, depth: depth)
      entity = number(letter == nil ? .decimal : .hexadecimal, at: letter ?? digits, depth: depth)
    } else {
      var (name, end) = ("", place)
      while name.utf8.count < HTMLEntities.longestName,
        let next = alphanumeric(at: end, depth: depth)
      {
        name.unicodeScalars.append(Unicode.Scalar(UInt8(next.scalar)))
        end = next.end
      }
      entity = HTMLEntities.scalar(named: name).map { Reading(scalar: $0, end: end) }
    }
    guard let entity else { return }
    add(entity.scalar, end(of: 0x3B, at: entity.end, depth: depth) ?? entity.end, to: &found)
  }

  // MARK: Parts of spellings

  /// The end of the first reading of a character at a position.
  @inline(never)
  private func end(of scalar: UInt32, at place: Int, depth: Int) -> Int? {
    for reading in readings(at: place, depth: depth) where reading.scalar == scalar { return reading.end }
    return nil
  }

  /// The first reading of a position as a letter or digit.
  private func alphanumeric(at place: Int, depth: Int) -> Reading? {
    for reading in readings(at: place, depth: depth) where Self.isAlphanumeric(reading.scalar) { return reading }
    return nil
  }

  /// The possible positions after an opener, and a letter if there must be one.
  @inline(never)
  private func starts(after opener: UInt32, letter: UInt32?, at place: Int, depth: Int) -> [Int] {
    var starts: [Int] = []
    for reading in readings(at: place, depth: depth) where reading.scalar == opener {
      guard let letter else {
        starts.append(reading.end)
        continue
      }
      if let start = end(of: letter, at: reading.end, depth: depth) { starts.append(start) }
    }
    return starts
  }

  /// A number, and where it ends.
  @inline(never)
  private func number(_ digits: Digits, at place: Int, depth: Int) -> Reading? {
    var (value, end, count) = (UInt32(0), place, 0)
    reading: while count < digits.count.upperBound {
      for next in readings(at: end, depth: depth) {
        guard next.scalar < 128, let digit = UInt8(next.scalar).hexadecimalValue, digit < digits.radix else {
          continue
        }
        value = value &* digits.radix &+ UInt32(digit)
        end = next.end
        count += 1
        continue reading
      }
      break
    }
    return count >= digits.count.lowerBound ? Reading(scalar: value, end: end) : nil
  }

  private static func isAlphanumeric(_ scalar: UInt32) -> Bool {
    scalar < 128 && ASCIISet.alphanumerics.contains(UInt8(scalar))
  }

  // MARK: UTF-8

  private static func length(ofSequenceWith lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  private static func scalar(_ sequence: [UInt8]) -> UInt32? {
    var scalar = UInt32(sequence[0]) & (0x7F >> UInt32(sequence.count))
    for byte in sequence[1...] {
      guard byte & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return scalar
  }
}

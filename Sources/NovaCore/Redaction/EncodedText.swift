/// Text with all its possible decodings: a character of a secret can be literal, a JSON or programming-language escape,
/// percent-encoded, or an HTML entity, and each character of such an encoding can be encoded again.
final class EncodedText {
  /// A character, and where the next one begins.
  struct Reading: Equatable {
    let scalar: UInt32
    let end: Int
  }

  /// The maximum number of nested encodings.
  static let deepest = 4
  /// The number of cached positions: more than the length of a nested escape.
  private static let mostRemembered = 4096

  let bytes: UnsafeBufferPointer<UInt8>
  private var remembered: [Int: [Reading]] = [:]
  private var steps = 0

  private let mostSteps: Int

  /// - Parameter patience: the limit on the work of a search.
  init(_ bytes: UnsafeBufferPointer<UInt8>, patience: Int = 1) {
    self.bytes = bytes
    mostSteps = patience * (8 * bytes.count + 100_000)
  }

  var count: Int { bytes.count }

  /// Whether decoding takes much longer than it does for ordinary text.
  var isExhausting: Bool { steps > mostSteps }

  /// Whether a byte can begin an encoded character.
  static func isOpener(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
  }

  /// The characters that can be decoded at a position, the literal one first.
  func readings(at place: Int, depth: Int = deepest) -> [Reading] {
    guard place < count else { return [] }
    steps += 1
    let plain = plain(at: place)
    guard depth > 0, Self.isOpener(bytes[place]) else { return [plain] }
    let key = place * (Self.deepest + 1) + depth
    if let known = remembered[key] { return known }
    let found = spelled(plain, at: place, depth)
    if remembered.count >= Self.mostRemembered { remembered.removeAll(keepingCapacity: true) }
    remembered[key] = found
    return found
  }

  private func spelled(_ plain: Reading, at place: Int, _ depth: Int) -> [Reading] {
    var found = [plain]
    for opener in readings(at: place, depth: depth - 1) {
      found.add(opener)
      switch opener.scalar {
      case 0x5C: addEscapes(at: opener.end, depth - 1, to: &found)
      case 0x25: addPercentEncoded(at: opener.end, depth - 1, to: &found)
      case 0x26: addEntity(at: opener.end, depth - 1, to: &found)
      default: break
      }
    }
    return found
  }

  /// The literal character at a position. A byte that is not UTF-8 is read as Latin-1.
  private func plain(at place: Int) -> Reading {
    let lead = bytes[place]
    if lead < 0x80 { return Reading(scalar: UInt32(lead), end: place + 1) }
    let length = Self.length(ofSequenceWith: lead)
    let rest = (1..<max(1, length)).map { place + $0 < count ? bytes[place + $0] : 0 }
    guard length > 1, let scalar = Self.scalar(lead, rest) else { return Reading(scalar: UInt32(lead), end: place + 1) }
    return Reading(scalar: scalar, end: place + length)
  }

  // MARK: Escapes with a backslash

  private func addEscapes(at place: Int, _ depth: Int, to found: inout [Reading]) {
    for next in readings(at: place, depth: depth) {
      switch next.scalar {
      case 0x75: addUnicodeEscape(at: next.end, depth, opener: 0x5C, to: &found)  // u
      case 0x55:  // U, with eight digits
        if let (value, end) = hexadecimal(at: next.end, depth, digits: 8) { found.add(value, end) }
      case 0x78:  // x
        addBytes(at: next.end, depth, to: &found) {
          hexadecimal(at: $0, depth, digits: 2)
        } next: { place in
          ends(of: 0x5C, place, depth).compactMap { take(0x78, $0, depth) }
        }
      case 0x30...0x37:  // octal
        addBytes(at: place, depth, to: &found) {
          octal(at: $0, depth)
        } next: {
          ends(of: 0x5C, $0, depth)
        }
      default:
        if let control = Self.controls[next.scalar] {
          found.add(control, next.end)
        } else if !Self.isAlphanumeric(next.scalar) {
          found.add(next.scalar, next.end)
        }
      }
    }
  }

  private static let controls: [UInt32: UInt32] = [
    0x61: 7, 0x62: 8, 0x65: 0x1B, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9, 0x76: 11,
  ]

  /// `XXXX`, optionally followed by another one for a surrogate pair, or `{X…}`.
  private func addUnicodeEscape(at place: Int, _ depth: Int, opener: UInt32, to found: inout [Reading]) {
    if let brace = take(0x7B, place, depth) {
      guard let (value, end) = hexadecimal(at: brace, depth, digits: nil), let end = take(0x7D, end, depth) else {
        return
      }
      return found.add(value, end)
    }
    guard let (unit, end) = hexadecimal(at: place, depth, digits: 4) else { return }
    guard unit & 0xFC00 == 0xD800 else { return found.add(unit, end) }
    for letter in ends(of: opener, end, depth).compactMap({ take(0x75, $0, depth) }) {
      if let (low, end) = hexadecimal(at: letter, depth, digits: 4), low & 0xFC00 == 0xDC00 {
        found.add(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, end)
      }
    }
  }

  // MARK: Percent-encoding

  private func addPercentEncoded(at place: Int, _ depth: Int, to found: inout [Reading]) {
    if let letter = take(0x75, place, depth) {
      return addUnicodeEscape(at: letter, depth, opener: 0x25, to: &found)
    }
    addBytes(at: place, depth, to: &found) {
      hexadecimal(at: $0, depth, digits: 2)
    } next: {
      ends(of: 0x25, $0, depth)
    }
  }

  /// A character whose bytes are encoded separately, in UTF-8 or else Latin-1.
  ///
  /// - Parameters:
  ///   - byte: reads the digits of a byte.
  ///   - next: where the digits of another can begin.
  private func addBytes(
    at place: Int, _ depth: Int, to found: inout [Reading], _ byte: (Int) -> (UInt32, Int)?, next: (Int) -> [Int]
  ) {
    guard let (lead, end) = byte(place), lead < 256 else { return }
    found.add(lead, end)
    var rest: [UInt8] = []
    var place = end
    while rest.count + 1 < Self.length(ofSequenceWith: UInt8(lead)) {
      let others = next(place).compactMap(byte)
      guard let (value, end) = others.first(where: { (0x80..<0xC0).contains($0.0) }) else { return }
      rest.append(UInt8(value))
      place = end
    }
    if !rest.isEmpty, let scalar = Self.scalar(UInt8(lead), rest) { found.add(scalar, place) }
  }

  // MARK: HTML

  private func addEntity(at place: Int, _ depth: Int, to found: inout [Reading]) {
    if let number = take(0x23, place, depth) {
      let letter = take(0x78, number, depth) ?? take(0x58, number, depth)
      guard let (value, end) = letter.map({ hexadecimal(at: $0, depth, digits: nil) }) ?? decimal(at: number, depth)
      else { return }
      return found.add(value, take(0x3B, end, depth) ?? end)
    }
    var name: [UInt8] = []
    var end = place
    while name.count < HTMLEntities.longestName, let next = take(end, depth, where: Self.isAlphanumeric) {
      name.append(UInt8(next.scalar))
      end = next.end
    }
    guard let scalar = HTMLEntities.scalar(named: name) else { return }
    found.add(scalar, take(0x3B, end, depth) ?? end)
  }

  // MARK: Parts of spellings

  private func take(_ place: Int, _ depth: Int, where isWanted: (UInt32) -> Bool) -> Reading? {
    readings(at: place, depth: depth).first { isWanted($0.scalar) }
  }

  private func take(_ scalar: UInt32, _ place: Int, _ depth: Int) -> Int? {
    take(place, depth) { $0 == scalar }?.end
  }

  /// The possible end positions of a character at a position.
  private func ends(of scalar: UInt32, _ place: Int, _ depth: Int) -> [Int] {
    readings(at: place, depth: depth).filter { $0.scalar == scalar }.map(\.end)
  }

  /// A number in hexadecimal digits: exactly `count`, or up to eight.
  private func hexadecimal(at place: Int, _ depth: Int, digits: Int?) -> (UInt32, Int)? {
    number(at: place, depth, radix: 16, digits: digits.map { $0...$0 } ?? 1...8)
  }

  private func decimal(at place: Int, _ depth: Int) -> (UInt32, Int)? {
    number(at: place, depth, radix: 10, digits: 1...9)
  }

  private func octal(at place: Int, _ depth: Int) -> (UInt32, Int)? {
    number(at: place, depth, radix: 8, digits: 1...3)
  }

  private func number(at place: Int, _ depth: Int, radix: UInt32, digits: ClosedRange<Int>) -> (UInt32, Int)? {
    var (value, end, taken) = (UInt32(0), place, 0)
    while taken < digits.upperBound, let next = take(end, depth, where: { Self.digit($0).map { $0 < radix } ?? false })
    {
      value = value &* radix &+ (Self.digit(next.scalar) ?? 0)
      end = next.end
      taken += 1
    }
    return taken >= digits.lowerBound ? (value, end) : nil
  }

  private static func digit(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x30...0x39: scalar - 0x30
    case 0x41...0x46: scalar - 0x37
    case 0x61...0x66: scalar - 0x57
    default: nil
    }
  }

  private static func isAlphanumeric(_ scalar: UInt32) -> Bool {
    (0x30...0x39).contains(scalar) || (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
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

  private static func scalar(_ lead: UInt8, _ rest: [UInt8]) -> UInt32? {
    guard rest.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return nil }
    return rest.reduce(UInt32(lead) & (0x7F >> UInt32(rest.count + 1))) { $0 << 6 | UInt32($1 & 0x3F) }
  }
}

extension [EncodedText.Reading] {
  fileprivate mutating func add(_ reading: EncodedText.Reading) { if !contains(reading) { append(reading) } }

  fileprivate mutating func add(_ scalar: UInt32, _ end: Int) { add(EncodedText.Reading(scalar: scalar, end: end)) }
}

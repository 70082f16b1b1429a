/// RFC 4648, both alphabets for reading; for writing the standard one, unless the name says otherwise.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
      for place in 0..<4 {
        text.append(place <= count ? alphabet[Int(group >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// The alphabet that needs no escaping in URLs, without padding, as JSON Web Tokens have it.
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    let text = encode(bytes).lazy.filter { $0 != UInt8(ascii: "=") }.map { character in
      switch character {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: character
      }
    }
    return String(decoding: Array(text), as: UTF8.self)
  }

  /// Nil for a foreign character, a wrong length or padding, and for bits that stand for nothing.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = text.utf8[...]
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding == 0 || (padding <= 2 && digits.count % 4 == 0) else { return nil }
    digits = digits.dropLast(padding)
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bits & (1 << UInt32(bitCount) - 1) == 0 ? bytes : nil
  }

  /// Decodes digits and ignores remaining bits; invalid digits count as the first digit.
  package static func decodeLeniently(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var (bits, bitCount) = (UInt32(0), 0)
    for digit in digits {
      bits = bits << 6 | UInt32(value(of: digit) ?? 0)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

import NovaSupport

/// Base64 (RFC 4648). Decoding accepts both alphabets; encoding uses the standard one, unless the name says otherwise.
package enum Base64 {
  private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8Bytes

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

  /// Encodes with the URL alphabet and without padding, as in JSON Web Tokens.
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for character in encode(bytes) where character != UInt8(ascii: "=") {
      let isPlus = character == UInt8(ascii: "+")
      text.append(isPlus ? UInt8(ascii: "-") : character == UInt8(ascii: "/") ? UInt8(ascii: "_") : character)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64; nil for a foreign character, a wrong length or padding, and nonzero unused bits.
  package static func decode(_ text: String) -> [UInt8]? { decode(text, ignoresUnusedBits: false) }

  /// Decodes base64; nil for a foreign character, and a wrong length or padding.
  package static func decode(_ text: String, ignoresUnusedBits: Bool) -> [UInt8]? {
    let digits = text.utf8Bytes
    var count = digits.count
    while count > 0, digits[count - 1] == UInt8(ascii: "=") { count -= 1 }
    guard count == digits.count || (digits.count - count <= 2 && digits.count % 4 == 0), count % 4 != 1 else {
      return nil
    }
    return decode(digits[..<count], isStrict: true, ignoresUnusedBits: ignoresUnusedBits)
  }

  /// Decodes digits and ignores the remaining bits. An invalid digit counts as the first digit.
  package static func decodeLeniently(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    decode(digits, isStrict: false, ignoresUnusedBits: true) ?? []
  }

  @inline(never)
  private static func decode(_ digits: ArraySlice<UInt8>, isStrict: Bool, ignoresUnusedBits: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var (bits, bitCount) = (UInt32(0), 0)
    for digit in digits {
      let value = value(of: digit)
      if value == nil, isStrict { return nil }
      bits = bits << 6 | UInt32(value ?? 0)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return !ignoresUnusedBits && bits & (1 << UInt32(bitCount) - 1) != 0 ? nil : bytes
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

import NovaLibc
import NovaSupport

/// Finds the special bytes in the text of JSON strings, eight bytes at a time.
///
/// The test is the classic one for a zero byte, applied to the differences from `"` and from `\`; the same borrow also
/// finds bytes below a space. The first mark is exact. Marks after it can be wrong, because a borrow carries into
/// higher bytes.
enum JSONText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The first position at or after `start` of a quote, a backslash, a control character, or a non-ASCII byte; `end` if
  /// there is none.
  @inline(__always)
  static func endOfPlainASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    firstSpecial(in: bytes, from: start, to: end, withNonASCII: true)
  }

  /// The first position at or after `start` of a byte that must be escaped: a quote, a backslash, or a control
  /// character; `end` if there is none.
  @inline(__always)
  static func endOfUnescaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    firstSpecial(in: bytes, from: start, to: end, withNonASCII: false)
  }

  @inline(__always)
  private static func firstSpecial(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, withNonASCII: Bool
  ) -> Int {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return end }
    var index = start
    let lastWord = end - 8
    while index <= lastWord {
      let word = base.word(at: index)
      // The highest bit is set in every non-ASCII byte of the word.
      let found = (withNonASCII ? marks(in: word) | word : marks(in: word) & ~word) & highs
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C || withNonASCII && byte >= 0x80 { return index }
      index += 1
    }
    return end
  }

  /// Sets the highest bit of each special byte, and of some non-ASCII bytes.
  @inline(__always)
  private static func marks(in word: UInt64) -> UInt64 {
    ((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones) | (word &- ones &* 0x20)
  }

  /// Decodes a scanned string and resolves its escapes. An escape is never shorter than its character, so the text fits
  /// in the size of its source.
  static func unescaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to stop: Int) -> String {
    String(unsafeUninitializedCapacity: stop - start) { text in
      var written = 0
      var index = start
      while index < stop {
        let plain = UnsafeBufferPointer(rebasing: bytes[index..<nextEscape(in: bytes, from: index, to: stop)])
        UnsafeMutableRawBufferPointer(text)[written...].copyBytes(from: plain)
        written += plain.count
        index += plain.count
        guard index < stop else { break }
        index = unescape(in: bytes, at: index, into: text, &written)
      }
      return written
    }
  }

  private static func nextEscape(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to stop: Int
  ) -> Int {
    guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(UInt8(ascii: "\\")), stop - start) else {
      return stop
    }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// Resolves the escape at `index`, which was already scanned, and returns the index after it.
  private static func unescape(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int, into text: UnsafeMutableBufferPointer<UInt8>,
    _ written: inout Int
  ) -> Int {
    func put(_ byte: UInt8) {
      text[written] = byte
      written += 1
    }
    switch bytes[index + 1] {
    case UInt8(ascii: "b"): put(0x08)
    case UInt8(ascii: "f"): put(0x0C)
    case UInt8(ascii: "n"): put(0x0A)
    case UInt8(ascii: "r"): put(0x0D)
    case UInt8(ascii: "t"): put(0x09)
    case UInt8(ascii: "u"):
      let unit = UInt32(codeUnit(in: bytes, at: index))
      let isPair = unit & 0xFC00 == 0xD800
      let scalar = isPair ? 0x10000 + (unit & 0x3FF) << 10 + UInt32(codeUnit(in: bytes, at: index + 6) & 0x3FF) : unit
      // The scan checked that surrogates are paired, so this is a scalar.
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { put(byte) }
      return index + (isPair ? 12 : 6)
    case let byte: put(byte)
    }
    return index + 2
  }

  /// The value of a `\uXXXX` that was already scanned.
  private static func codeUnit(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16 {
    (2..<6).reduce(0) { $0 << 4 | UInt16(bytes[start + $1].hexadecimalValue ?? 0) }
  }
}

extension UnsafeRawPointer {
  /// Loads eight bytes, the first one lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

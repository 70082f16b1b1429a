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
}

extension UnsafeRawPointer {
  /// Loads eight bytes, the first one lowest.
  @inline(__always)
  fileprivate func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

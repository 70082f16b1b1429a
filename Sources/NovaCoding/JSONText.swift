/// Finds what is special in the text of JSON strings, eight bytes at a time.
///
/// The classic test for a zero byte, applied to the differences from `"` and `\`, and the same trick with the borrow for
/// bytes below a space. What it marks is exact up to the first mark: a borrow may mark bytes behind it.
enum JSONText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The first place from `start` on that is a quote, a backslash, a control character or not ASCII; `end` for none.
  @inline(__always)
  static func endOfPlainASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return end }
    var index = start
    let lastWord = end - 8
    while index <= lastWord {
      let word = base.word(at: index)
      // A byte that is not ASCII is marked anyway, so the tests need not tell its differences from those of others.
      let marks =
        (((word ^ ones &* 0x22) &- ones) | ((word ^ ones &* 0x5C) &- ones) | (word &- ones &* 0x20) | word) & highs
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return index }
      index += 1
    }
    return end
  }

  /// The first place from `start` on that must be escaped: a quote, a backslash or a control character; `end` for none.
  @inline(__always)
  static func endOfUnescaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return end }
    var index = start
    let lastWord = end - 8
    while index <= lastWord {
      let word = base.word(at: index)
      let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
      let marks =
        ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word) & highs
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return index }
      index += 1
    }
    return end
  }
}

extension UnsafeRawPointer {
  /// Eight bytes, the first one lowest.
  @inline(__always)
  fileprivate func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

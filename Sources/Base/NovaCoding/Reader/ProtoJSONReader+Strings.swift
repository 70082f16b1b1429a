import NovaSupport

extension ProtoJSONReader {
  /// Reads a string.
  mutating func string() throws(ProtoJSONError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a string") }
    let start = position + 1
    let scan = try scanString()
    if scan.hasEscapes { return JSONText.unescaped(in: bytes, from: start, to: position - 1) }
    return text(start..<position - 1)
  }

  /// Decodes a range of bytes as text.
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  struct StringScan { var hasEscapes = false }

  /// Skips the string at the current position, and checks every byte of it.
  mutating func scanString() throws(ProtoJSONError) -> StringScan {
    var scan = StringScan()
    let opening = position
    position = JSONText.endOfPlainASCII(in: bytes, from: opening + 1, to: end)
    while position < end {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return scan
      case UInt8(ascii: "\\"):
        scan.hasEscapes = true
        try skipEscape()
      case 0..<0x20:
        throw failure("control characters escaped", found: "byte \(byte.hexadecimal) in a string")
      default:
        try skipMultibyte()
      }
      position = JSONText.endOfPlainASCII(in: bytes, from: position, to: end)
    }
    position = opening
    throw failure("a closing quote", found: "the end of the input")
  }

  /// Skips one character of two to four bytes, which must be well-formed by RFC 3629.
  private mutating func skipMultibyte() throws(ProtoJSONError) {
    let first = bytes[position]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF:
      count = 3
      if first == 0xE0 { second = 0xA0...0xBF }
      if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      count = 4
      if first == 0xF0 { second = 0x90...0xBF }
      if first == 0xF4 { second = 0x80...0x8F }
    default: throw failure("valid UTF-8", found: "byte \(first.hexadecimal)")
    }
    for offset in 1..<count {
      guard position + offset < end else { throw failure("valid UTF-8", found: "a character cut short") }
      let byte = bytes[position + offset]
      guard (offset == 1 ? second : 0x80...0xBF).contains(byte) else {
        throw failure("valid UTF-8", found: "byte \(byte.hexadecimal) after \(first.hexadecimal)")
      }
    }
    position += count
  }

  /// Skips one escape. A low surrogate must follow a high one.
  private mutating func skipEscape() throws(ProtoJSONError) {
    guard position + 1 < end else { throw failure("an escape", found: "the end of the input") }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      let unit = try hexEscape(at: position)
      if unit & 0xFC00 == 0xDC00 { throw failure("a high surrogate first", found: "a lone low surrogate") }
      if unit & 0xFC00 == 0xD800 {
        guard position + 7 < end, bytes[position + 6] == UInt8(ascii: "\\"), bytes[position + 7] == UInt8(ascii: "u"),
          try hexEscape(at: position + 6) & 0xFC00 == 0xDC00
        else { throw failure("a low surrogate after it", found: "a lone high surrogate") }
        position += 6
      }
      position += 6
    default:
      throw failure(#"one of \" \\ \/ \b \f \n \r \t \u"#, found: #"\\#(bytes[position + 1].printable)"#)
    }
  }

  /// The value of the `\uXXXX` at `start`.
  private func hexEscape(at start: Int) throws(ProtoJSONError) -> UInt16 {
    guard start + 6 <= end else { throw failure("four hexadecimal digits", found: "the end of the input") }
    var unit: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = bytes[start + offset].hexadecimalValue else {
        throw failure("four hexadecimal digits", found: "\"\(bytes[start + offset].printable)\"")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  @inline(never)
  private func failure(_ expected: String, found: String) -> ProtoJSONError {
    ProtoJSONError(expected, found: found, at: position, in: bytes)
  }
}

import NovaLibc
import NovaSupport

extension ProtoJSONReader {
  /// Reads a string.
  mutating func string() throws(ProtoJSONError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a string") }
    let start = position + 1
    let scan = try scanString()
    if scan.hasEscapes { return unescaped(from: start, to: position - 1) }
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
        throw failure("control characters escaped", found: "byte \(hex(byte)) in a string")
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
    default: throw failure("valid UTF-8", found: "byte \(hex(first))")
    }
    for offset in 1..<count {
      guard position + offset < end else { throw failure("valid UTF-8", found: "a character cut short") }
      let byte = bytes[position + offset]
      guard (offset == 1 ? second : 0x80...0xBF).contains(byte) else {
        throw failure("valid UTF-8", found: "byte \(hex(byte)) after \(hex(first))")
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
      throw failure(#"one of \" \\ \/ \b \f \n \r \t \u"#, found: #"\\#(printable(bytes[position + 1]))"#)
    }
  }

  /// The value of the `\uXXXX` at `start`.
  private func hexEscape(at start: Int) throws(ProtoJSONError) -> UInt16 {
    guard start + 6 <= end else { throw failure("four hexadecimal digits", found: "the end of the input") }
    var unit: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = bytes[start + offset].hexadecimalValue else {
        throw failure("four hexadecimal digits", found: "\"\(printable(bytes[start + offset]))\"")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Decodes a scanned string and resolves its escapes. An escape is never shorter than its character, so the text fits
  /// in the size of its source.
  func unescaped(from start: Int, to stop: Int) -> String {
    String(unsafeUninitializedCapacity: stop - start) { text in
      var written = 0
      var index = start
      while index < stop {
        let plain = UnsafeBufferPointer(rebasing: bytes[index..<nextEscape(from: index, to: stop)])
        UnsafeMutableRawBufferPointer(text)[written...].copyBytes(from: plain)
        written += plain.count
        index += plain.count
        guard index < stop else { break }
        index = unescape(at: index, into: text, &written)
      }
      return written
    }
  }

  private func nextEscape(from start: Int, to stop: Int) -> Int {
    guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(UInt8(ascii: "\\")), stop - start) else {
      return stop
    }
    return UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
  }

  /// Resolves the escape at `index`, which was already scanned, and returns the index after it.
  private func unescape(at index: Int, into text: UnsafeMutableBufferPointer<UInt8>, _ written: inout Int) -> Int {
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
      let unit = UInt32(codeUnit(at: index))
      let isPair = unit & 0xFC00 == 0xD800
      let scalar = isPair ? 0x10000 + (unit & 0x3FF) << 10 + UInt32(codeUnit(at: index + 6) & 0x3FF) : unit
      // The scan checked that surrogates are paired, so this is a scalar.
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { put(byte) }
      return index + (isPair ? 12 : 6)
    case let byte: put(byte)
    }
    return index + 2
  }

  /// The value of a `\uXXXX` that was already scanned.
  private func codeUnit(at start: Int) -> UInt16 {
    (2..<6).reduce(0) { $0 << 4 | UInt16(bytes[start + $1].hexadecimalValue ?? 0) }
  }
}

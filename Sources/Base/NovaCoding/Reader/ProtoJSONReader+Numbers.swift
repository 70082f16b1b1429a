import NovaSupport

extension ProtoJSONReader {
  /// Reads an integer from a number or a string of digits.
  ///
  /// `12`, `"12"`, `12.0`, and `1.2e1` all mean twelve, by proto3 JSON. Throws for `1.5` and for a number outside the
  /// range.
  mutating func integer(in range: ClosedRange<Int128>, expected: StaticString) throws(ProtoJSONError) -> Int128 {
    let byte = peek()
    let start = position
    let quoted = byte == UInt8(ascii: "\"")
    if quoted { position += 1 }
    if let value = plainInteger(), range.contains(value) {
      if !quoted { return value }
      if position < end, bytes[position] == UInt8(ascii: "\"") {
        position += 1
        return value
      }
    }
    position = start
    let text = quoted ? try string() : try numberText(expected)
    guard let value = DecimalNumber(text)?.integer, range.contains(value) else {
      position = start
      throw unexpected(expected)
    }
    return value
  }

  /// The fast path: reads digits with an optional minus sign and no fraction or exponent after them. Returns nil for
  /// everything else; the position is then undefined.
  private mutating func plainInteger() -> Int128? {
    let negative = position < end && bytes[position] == UInt8(ascii: "-")
    let first = negative ? position + 1 : position
    var index = first
    var magnitude: UInt64 = 0
    // Nineteen digits cannot overflow 64 bits.
    let limit = min(end, first + 19)
    while index < limit {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      index += 1
    }
    position = index
    guard position > first, bytes[first] != UInt8(ascii: "0") || position == first + 1 else { return nil }
    if position < end {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
      default: break
      }
    }
    return negative ? -Int128(magnitude) : Int128(magnitude)
  }

  /// Reads a floating-point number: a JSON number, the same in quotes, or `"NaN"`, `"Infinity"`, `"-Infinity"`.
  mutating func floatingPoint<T: BinaryFloatingPoint & LosslessStringConvertible>(
    _ expected: StaticString
  ) throws(ProtoJSONError) -> T {
    let start = position
    let quoted = peek() == UInt8(ascii: "\"")
    let text = quoted ? try string() : try numberText(expected)
    guard let value = T(protoJSON: text) else {
      position = start
      _ = peek()
      throw unexpected(expected)
    }
    return value
  }

  /// Reads a number and returns its text.
  private mutating func numberText(_ expected: StaticString) throws(ProtoJSONError) -> String {
    switch peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
    default: throw unexpected(expected)
    }
    let start = position
    try scanNumber()
    return text(start..<position)
  }

  /// Skips a number, and checks its syntax.
  mutating func scanNumber() throws(ProtoJSONError) {
    let start = position
    guard let length = DecimalNumber.length(UnsafeBufferPointer(rebasing: bytes[start..<end])) else {
      throw unexpected("a JSON number")
    }
    position += length
    if position < end, isBare(bytes[position]) {
      position = start
      throw unexpected("a JSON number")
    }
  }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  /// Parses a JSON number, `NaN`, `Infinity`, or `-Infinity`; nil for other text and outside the type's range.
  package init?(protoJSON text: String) {
    let isSpecial = text == "NaN" || text == "Infinity" || text == "-Infinity"
    guard isSpecial || DecimalNumber(text) != nil, let value = Self(text), isSpecial || value.isFinite else {
      return nil
    }
    self = value
  }
}

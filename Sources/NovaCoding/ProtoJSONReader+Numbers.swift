import NovaSupport

extension ProtoJSONReader {
  /// Reads an integer that stands as a number or as a string of digits.
  ///
  /// `12`, `"12"`, `12.0` and `1.2e1` are all twelve, as proto3 JSON has it; `1.5` is an error, and so is what does not
  /// fit the range.
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

  /// Takes digits with an optional minus and nothing number-like behind them; nil (and no telling where the position
  /// is) for everything else.
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

  /// Takes a number and returns its text.
  private mutating func numberText(_ expected: StaticString) throws(ProtoJSONError) -> String {
    switch peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
    default: throw unexpected(expected)
    }
    let start = position
    try scanNumber()
    return text(start..<position)
  }

  /// Takes a number, checking its syntax.
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
  /// The value of a JSON number or of `NaN`, `Infinity`, `-Infinity`; nil for other text and beyond the type's range.
  init?(protoJSON text: String) {
    let isSpecial = text == "NaN" || text == "Infinity" || text == "-Infinity"
    guard isSpecial || DecimalNumber(text) != nil, let value = Self(text), isSpecial || value.isFinite else {
      return nil
    }
    self = value
  }
}

extension ProtoJSONReader {
  /// Reads an integer that stands as a number or as a string of digits.
  ///
  /// `12`, `"12"`, `12.0` and `1.2e1` are all twelve, as proto3 JSON has it; `1.5` is an error, and so is what does not
  /// fit the type.
  @usableFromInline
  mutating func integer<T: FixedWidthInteger>(_ type: T.Type, expected: StaticString) throws(ProtoJSONError) -> T {
    let byte = peek()
    let start = position
    let quoted = byte == UInt8(ascii: "\"")
    if quoted { position += 1 }
    if let value = plainInteger(T.self) {
      if !quoted { return value }
      if position < end, base[position] == UInt8(ascii: "\"") {
        position += 1
        return value
      }
    }
    position = start
    return try unusualInteger(expected: expected, quoted: quoted)
  }

  /// Takes digits with an optional minus and nothing number-like behind them; nil (and no telling where the position
  /// is) for everything else.
  @inline(__always)
  private mutating func plainInteger<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    let negative = position < end && base[position] == UInt8(ascii: "-")
    if negative { position += 1 }
    let first = position
    var magnitude: UInt64 = 0
    // Nineteen digits cannot overflow 64 bits.
    while position < end, position - first < 19 {
      let digit = base[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      position += 1
    }
    guard position > first, base[first] != UInt8(ascii: "0") || position == first + 1 else { return nil }
    if position < end {
      switch base[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
      default: break
      }
    }
    return Self.value(magnitude, negative: negative)
  }

  private static func value<T: FixedWidthInteger>(_ magnitude: UInt64, negative: Bool) -> T? {
    guard negative else { return T(exactly: magnitude) }
    guard magnitude <= UInt64(Int64.max) + 1 else { return nil }
    return T(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  private mutating func unusualInteger<T: FixedWidthInteger>(
    expected: StaticString, quoted: Bool
  ) throws(ProtoJSONError) -> T {
    let start = position
    let text = quoted ? try string() : try numberText(expected)
    let value: T? = DecimalNumber(text).flatMap(\.integer).flatMap { Self.value($0.magnitude, negative: $0.negative) }
    guard let value else {
      position = start
      throw unexpected(expected)
    }
    return value
  }

  /// Reads a floating-point number: a JSON number, the same in quotes, or `"NaN"`, `"Infinity"`, `"-Infinity"`.
  @usableFromInline
  mutating func floatingPoint<T: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: T.Type, expected: StaticString
  ) throws(ProtoJSONError) -> T {
    let start = position
    let quoted = peek() == UInt8(ascii: "\"")
    let text = quoted ? try string() : try numberText(expected)
    if quoted {
      switch text {
      case "NaN": return .nan
      case "Infinity": return .infinity
      case "-Infinity": return -.infinity
      default: break
      }
    }
    guard DecimalNumber(text) != nil, let value = T(text), value.isFinite else {
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
    return String(decoding: UnsafeBufferPointer(start: base + start, count: position - start), as: UTF8.self)
  }

  /// Takes a number, checking its syntax.
  mutating func scanNumber() throws(ProtoJSONError) {
    let start = position
    guard
      let length = DecimalNumber.length(UnsafeBufferPointer(start: base + start, count: end - start))
    else { throw unexpected("a JSON number") }
    position += length
    if position < end, isBare(base[position]) {
      position = start
      throw unexpected("a JSON number")
    }
  }
}

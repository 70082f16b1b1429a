import NovaSupport

extension ProtoJSONReader {
  /// Skips one value of any kind, checking its syntax.
  mutating func skipValue() throws(ProtoJSONError) {
    switch peek() {
    case UInt8(ascii: "{"):
      guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
      repeat {
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a field name in quotes") }
        _ = try scanString()
        try takeColon()
        try skipValue()
      } while try next(closing: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard try open(UInt8(ascii: "["), expected: "a list") else { return }
      repeat { try skipValue() } while try next(closing: UInt8(ascii: "]"))
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try takeLiteral("true")
    case UInt8(ascii: "f"): try takeLiteral("false")
    case UInt8(ascii: "n"): try takeLiteral("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber()
    default: throw unexpected("a JSON value")
    }
  }
}

// The standard library's `init(_:radix:)` is compiled again for every combination of a text type and an integer type.

extension UInt64 {
  /// Parses ASCII digits; nil for other text, a sign, and a number that does not fit.
  package init?(digits text: Substring, radix: UInt64 = 10) {
    var number: UInt64 = 0
    for byte in String(text).utf8Bytes {
      guard let digit = byte.asciiDigitValue, digit < radix else { return nil }
      let (product, overflows) = number.multipliedReportingOverflow(by: radix)
      let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
      if overflows || carries { return nil }
      number = sum
    }
    if text.isEmpty { return nil }
    self = number
  }
}

extension Int {
  /// Parses ASCII digits, as `UInt64.init(digits:)` does.
  package init?(digits text: Substring) {
    guard let number = UInt64(digits: text) else { return nil }
    self.init(exactly: number)
  }
}

extension Int64 {
  /// Parses ASCII digits with an optional sign, as the standard library does.
  @inline(never)
  package init?(decimal text: String) {
    let isSigned = text.hasPrefix("-") || text.hasPrefix("+")
    guard let magnitude = UInt64(digits: isSigned ? text.dropFirst() : text[...]) else { return nil }
    self.init(exactly: text.hasPrefix("-") ? -Int128(magnitude) : Int128(magnitude))
  }
}

extension Int {
  /// The decimal digits of the number, padded with zeros to `count` characters.
  @inline(never)
  package func padded(to count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}

extension UInt8 {
  /// The value of an ASCII digit, or of a letter of either case, which is a digit from 10 to 35.
  package var asciiDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The value of a hexadecimal digit of either case.
  package var hexadecimalValue: UInt8? { asciiDigitValue.flatMap { $0 < 16 ? $0 : nil } }
}

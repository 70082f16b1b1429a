import NovaSupport

/// A number in JSON's syntax, split into its parts without rounding.
package struct DecimalNumber {
  private var digits: [UInt8] = []
  private var exponent = 0
  private var isNegative = false

  /// Parses a JSON number; nil if `text` is anything else.
  package init?(_ text: String) {
    var parsed: DecimalNumber?
    text.readUTF8 { bytes in
      if Self.length(bytes) == bytes.count { parsed = DecimalNumber(checked: bytes) }
    }
    guard let parsed else { return nil }
    self = parsed
  }

  private init(checked bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    var inFraction = false
    var given = 0
    isNegative = bytes[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    while index < bytes.count, bytes[index] | 0x20 != UInt8(ascii: "e") {
      if bytes[index] == UInt8(ascii: ".") {
        inFraction = true
      } else {
        if !digits.isEmpty || bytes[index] != UInt8(ascii: "0") { digits.append(bytes[index] - UInt8(ascii: "0")) }
        if inFraction { exponent -= 1 }
      }
      index += 1
    }
    if index < bytes.count {
      // An exponent of more than six digits cannot matter, because no input is that long.
      let negative = bytes[index + 1] == UInt8(ascii: "-")
      for byte in bytes[(index + 1)...] where byte >= UInt8(ascii: "0") {
        given = min(given * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000_000)
      }
      exponent += negative ? -given : given
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// The value, if it is a whole number whose magnitude fits in 64 bits.
  package var integer: Int128? {
    guard exponent >= 0, digits.count + exponent <= 20 else { return nil }
    var magnitude: UInt64 = 0
    for digit in digits + [UInt8](repeating: 0, count: exponent) {
      let (product, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      if overflowed || carried { return nil }
      magnitude = sum
    }
    return isNegative ? -Int128(magnitude) : Int128(magnitude)
  }

  /// The length of the JSON number at the start; nil if there is no number.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    func digits() -> Bool {
      let start = index
      while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
      return index > start
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    let whole = index
    guard digits() else { return nil }
    if bytes[whole] == UInt8(ascii: "0"), index > whole + 1 { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() else { return nil }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() else { return nil }
    }
    return index
  }
}

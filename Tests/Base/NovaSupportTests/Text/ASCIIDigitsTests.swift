import NovaSupport
import Testing

@Suite struct ASCIIDigitsTests {
  @Test(
    arguments: [
      ("0", 0), ("007", 7), ("18446744073709551615", UInt64.max), ("18446744073709551616", nil),
      ("99999999999999999999", nil), ("", nil), ("-1", nil), ("+1", nil), (" 1", nil), ("1a", nil), ("١", nil),
    ] as [(String, UInt64?)])
  func decimalNumbersAreRead(_ text: String, _ number: UInt64?) {
    #expect(UInt64(digits: text[...]) == number)
    #expect(Int(digits: text[...]) == number.flatMap { Int(exactly: $0) })
  }

  @Test func otherRadixesAreRead() {
    #expect(UInt64(digits: "fFfFfFfFfFfFfFfF", radix: 16) == .max)
    #expect(UInt64(digits: "10000000000000000", radix: 16) == nil)
    #expect(UInt64(digits: "g", radix: 16) == nil)
    #expect(UInt64(digits: "0177", radix: 8) == 127)
    #expect(UInt64(digits: "8", radix: 8) == nil)
  }

  @Test func everyByteIsADigitOrNot() {
    let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    for byte in UInt8.min...UInt8.max {
      let value = digits.firstIndex(of: byte) ?? digits.firstIndex(of: byte | 0x20).flatMap { $0 > 9 ? $0 : nil }
      #expect(byte.asciiDigitValue.map { Int($0) } == value)
      #expect(byte.hexadecimalValue == byte.asciiDigitValue.flatMap { $0 < 16 ? $0 : nil })
    }
  }
}

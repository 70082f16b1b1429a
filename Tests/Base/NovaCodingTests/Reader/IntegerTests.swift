import NovaCoding
import NovaSupport
import Testing

@Suite struct IntegerTests {
  /// The value of `text` in `field`, read from the number and from the number in quotes; nil if refused.
  private func read(_ field: String, _ text: String, quoted: Bool) -> String? {
    let value = quoted ? "\"\(text)\"" : text
    guard let message = accepted(Scalars.self, "{\"\(field)\":\(value)}") else { return nil }
    return switch field {
    case "int32_value": "\(message.int32Value)"
    case "sint32_value": "\(message.sint32Value)"
    case "sfixed32_value": "\(message.sfixed32Value)"
    case "uint32_value": "\(message.uint32Value)"
    case "fixed32_value": "\(message.fixed32Value)"
    case "int64_value": "\(message.int64Value)"
    case "sint64_value": "\(message.sint64Value)"
    case "sfixed64_value": "\(message.sfixed64Value)"
    case "uint64_value": "\(message.uint64Value)"
    case "fixed64_value": "\(message.fixed64Value)"
    case "created_at": "\(message.createdAt)"
    default: "an unknown field"
    }
  }

  private static let types: [(fields: [String], low: String, high: String, below: String, above: String)] = [
    (["int32_value", "sint32_value", "sfixed32_value"], "-2147483648", "2147483647", "-2147483649", "2147483648"),
    (["uint32_value", "fixed32_value"], "0", "4294967295", "-1", "4294967296"),
    (
      ["int64_value", "sint64_value", "sfixed64_value", "created_at"],
      "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"
    ),
    (["uint64_value", "fixed64_value"], "0", "18446744073709551615", "-1", "18446744073709551616"),
  ]

  @Test(arguments: [false, true]) func theBoundsFitAndTheirNeighboursDoNot(_ quoted: Bool) {
    for type in Self.types {
      for field in type.fields {
        for text in [type.low, type.high, "0", "1", "2147483647"] {
          #expect(read(field, text, quoted: quoted) == text, "\(field) \(text)")
          #expect(read(field, text + ".0", quoted: quoted) == text, "\(field) \(text).0")
          #expect(read(field, text + "e0", quoted: quoted) == text, "\(field) \(text)e0")
          #expect(read(field, text + ".00e+00", quoted: quoted) == text, "\(field) \(text).00e+00")
        }
        for text in [
          type.below, type.above, type.above + ".0", type.below + "e0", type.high + "0", "1e20", "-1e20", "1e400",
          "123456789012345678901234567890", "-123456789012345678901234567890", "99999999999999999999",
        ] {
          #expect(read(field, text, quoted: quoted) == nil, "\(field) \(text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("0.0", "0"), ("-0.0", "0"), ("0e5", "0"), ("0e999999999999999999999", "0"),
    ("0e-999999999999999999999", "0"), ("0.000e12", "0"), ("12", "12"), ("12.0", "12"),
    ("12.000000000000000000000", "12"),
    ("1e3", "1000"), ("1E3", "1000"), ("1e+3", "1000"), ("1.5e1", "15"), ("15e-1", nil), ("150e-1", "15"),
    ("1.20e1", "12"),
    ("1e00003", "1000"), ("0.00012e5", "12"), ("1.5", nil), ("0.1", nil), ("-0.5", nil), ("1e-1", nil),
    ("1e-999999999999", nil), ("1e999999999999", nil), ("1e99999999999999999999999999", nil),
    ("1e-99999999999999999999999999", nil), ("0.9999999999999999999999", nil), ("12.00000000000000000001", nil),
    ("1000000000000000000000000000000e-30", "1"), ("0.000000000000000000000000000001e30", "1"),
  ])
  func unusualFormsOfIntegers(_ text: String, _ value: String?) {
    for field in Self.types.flatMap(\.fields) {
      for quoted in [false, true] { #expect(read(field, text, quoted: quoted) == value, "\(field) \(quoted)") }
    }
  }

  @Test(arguments: [
    "", " ", " 1", "1 ", "\\t1", "+1", "--1", "- 1", "01", "00", "-01", "1.", ".5", "1e", "1e+", "0x1", "1_000",
    "1,000",
    "NaN", "Infinity", "-Infinity", "null", "true", "one", "1a", "１", "١", "1\\u0000", "\\u0000", "1.0.0", "1e1e1",
  ])
  func stringsThatAreNoIntegersAreRefused(_ text: String) {
    for field in Self.types.flatMap(\.fields) { #expect(read(field, text, quoted: true) == nil, "\(field)") }
  }

  @Test func escapedDigitsAreDigits() {
    #expect(read("int32_value", #"\u0031\u0032"#, quoted: true) == "12")
    #expect(read("uint64_value", #"1\u002e0"#, quoted: true) == "1")
  }

  @Test func hugeNumbersAreReadInReasonableTime() {
    let digits = String(repeating: "0", count: 200_000)
    #expect(read("int32_value", "1.\(digits)", quoted: false) == "1")
    #expect(read("int32_value", "1\(digits)e-200000", quoted: false) == "1")
    #expect(read("int64_value", "1\(digits)", quoted: false) == nil)
    #expect(read("uint64_value", "1e\(digits)1", quoted: true) == "10")
  }

  @Test func randomIntegersAreReadAndWritten() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let signed = random.integer(Int64.self)
      let unsigned = random.integer(UInt64.self)
      let message = Scalars(int64Value: signed, uint64Value: unsigned)
      let numbers = try message.json(.request)
      #expect(accepted(Scalars.self, numbers) == message, "\(numbers)")
      for suffix in ["", ".0", "e0", ".000e+00"] {
        #expect(read("int64_value", "\(signed)\(suffix)", quoted: random.one(in: 2)) == "\(signed)")
        #expect(read("uint64_value", "\(unsigned)\(suffix)", quoted: random.one(in: 2)) == "\(unsigned)")
      }
    }
  }
}

import Foundation
import NovaCoding
import NovaSupport
import Testing

@Suite struct FloatingPointTests {
  private func double(_ value: String) -> Double? { accepted(Scalars.self, "{\"double_value\":\(value)}")?.doubleValue }
  private func float(_ value: String) -> Float? { accepted(Scalars.self, "{\"float_value\":\(value)}")?.floatValue }
  private func written(_ value: Double) throws -> String {
    try Optionals(doubleValue: value).json(.request)
      .replacingOccurrences(of: "{\"double_value\":", with: "").replacingOccurrences(of: "}", with: "")
  }

  @Test(arguments: [
    ("0", 0.0), ("-0", -0.0), ("-0.0", -0.0), ("0e0", 0.0), ("1", 1.0), ("1.5", 1.5), ("-1.5e3", -1500.0),
    ("1E-3", 0.001), ("5e-324", .leastNonzeroMagnitude), ("2.5e-324", .leastNonzeroMagnitude),
    ("4.9406564584124654e-324", .leastNonzeroMagnitude),
    ("2.2250738585072014e-308", 2.2250738585072014e-308),
    ("2.225073858507201e-308", Double.leastNormalMagnitude.nextDown),
    ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
    ("-1.7976931348623157e308", -Double.greatestFiniteMagnitude),
    ("1.7976931348623158e308", Double.greatestFiniteMagnitude), ("9007199254740993", 9007199254740992.0),
    ("0.1", 0.1), ("0.30000000000000004", 0.30000000000000004),
    ("123456789012345678901234567890", 1.2345678901234568e29),
    ("0.000000000000000000000000000000000000000000000000000000000000000001", 1e-66), ("1e-400", 0.0), ("-1e-400", -0.0),
    ("0e999999999999", 0.0), ("1e-999999999999", 0.0), ("1e-99999999999999999999999", 0.0),
  ])
  func numbersAreTheNearestDouble(_ text: String, _ value: Double) {
    #expect(double(text)?.bitPattern == value.bitPattern, "\(String(describing: double(text)))")
    #expect(double("\"\(text)\"")?.bitPattern == value.bitPattern, "in quotes")
  }

  @Test(arguments: [
    "1e309", "-1e309", "1.8e308", "1e400", "-1e999999999999", "1e99999999999999999999999", "nan", "inf", "infinity",
    "NAN",
    "+Infinity", "+1", "0x1p3", "1.", ".5", "01", "", " 1", "1 ", "1e", "true", "null", "-", "--Infinity", "１",
  ])
  func whatIsNoFiniteNumberIsRefused(_ text: String) {
    #expect(double("\"\(text)\"") == nil)
    #expect(float("\"\(text)\"") == nil)
    if text != "null", !text.contains(" ") { #expect(double(text) == nil) }
  }

  @Test func theSpecialValuesStandAsStrings() throws {
    #expect(double("\"NaN\"")?.isNaN == true)
    #expect(double("\"Infinity\"") == .infinity)
    #expect(double("\"-Infinity\"") == -.infinity)
    #expect(float("\"NaN\"")?.isNaN == true)
    #expect(float("\"-Infinity\"") == -.infinity)
    #expect(try written(.nan) == "\"NaN\"")
    #expect(try written(-.nan) == "\"NaN\"")
    #expect(try written(.signalingNaN) == "\"NaN\"")
    #expect(try written(.infinity) == "\"Infinity\"")
    #expect(try written(-.infinity) == "\"-Infinity\"")
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e16, "1e+16"), (1e-7, "1e-07"),
    (.leastNonzeroMagnitude, "5e-324"),
    (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"), (1_764_585_000, "1764585000"),
  ])
  func doublesAreWrittenAsShortAsTheyCanBe(_ value: Double, _ text: String) throws {
    #expect(try written(value) == text)
  }

  @Test func minusZeroIsNotTheDefault() throws {
    #expect(try Scalars(doubleValue: -0.0, floatValue: -0.0).json(.request) == #"{"double_value":-0,"float_value":-0}"#)
    #expect(try Scalars(doubleValue: 0, floatValue: 0).json(.request) == "{}")
  }

  @Test(arguments: [
    ("3.4028234663852886e38", Float.greatestFiniteMagnitude), ("1e-45", Float.leastNonzeroMagnitude), ("1e-46", 0),
    ("-1e-999", -0.0), ("16777217", 16_777_216), ("0.1", 0.1),
    // Rounding to a double first would result in the wrong neighbor.
    ("1.000000059604644775390625000000000000001", Float(1).nextUp), ("7.038531e-26", 7.038531e-26),
  ])
  func numbersAreTheNearestFloat(_ text: String, _ value: Float) {
    #expect(float(text)?.bitPattern == value.bitPattern, "\(String(describing: float(text)))")
  }

  @Test(arguments: ["3.5e38", "-3.5e38", "1e39", "1e308", "1e400"])
  func numbersBeyondAFloatAreRefused(_ text: String) { #expect(float(text) == nil) }

  @Test func randomDoublesSurviveAndAreTheShortest() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = try written(value)
      #expect(double(text)?.bitPattern == value.bitPattern, "\(text)")
      #expect(Double(text)?.bitPattern == value.bitPattern, "\(text)")
    }
  }

  @Test func randomFloatsSurvive() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard value.isFinite else { continue }
      let json = try Scalars(floatValue: value).jsonUTF8(.request)
      #expect(try Scalars(jsonUTF8: json).floatValue.bitPattern == value.bitPattern, "\(readable(json))")
    }
  }

  @Test func randomDecimalsAreReadAsStrtodReadsThem() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<5000 {
      let digits = (0...random.int(below: 30)).map { _ in "\(random.int(below: 10))" }.joined()
      let text = "\(1 + random.int(below: 9)).\(digits)e\(random.int(below: 700) - 350)"
      let expected = strtod(text, nil)
      #expect(double(text)?.bitPattern == (expected.isFinite ? expected.bitPattern : nil), "\(text)")
    }
  }
}

import NovaCoding
import NovaSupport
import Testing

@Suite struct StringTests {
  /// The bytes of the string between the quotes; nil if refused.
  private func read(_ inside: some Sequence<UInt8>) -> [UInt8]? {
    let json = Array(#"{"string_value":""#.utf8) + Array(inside) + Array(#""}"#.utf8)
    return (try? Scalars(jsonUTF8: json)).map { Array($0.stringValue.utf8) }
  }

  private func skips(_ inside: some Sequence<UInt8>) -> Bool {
    let inside = Array(inside)
    let asValue = Array(#"{"x":[""#.utf8) + inside + Array(#""]}"#.utf8)
    let asKey = Array(#"{""#.utf8) + inside + Array(#"":1}"#.utf8)
    let results = [(try? Nothing(jsonUTF8: asValue)) != nil, (try? Nothing(jsonUTF8: asKey)) != nil]
    #expect(results[0] == results[1], "as value \(results[0]), as key \(results[1]): \(readable(inside))")
    return results[0]
  }

  @Test(arguments: [
    (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"), (#"\r"#, "\r"),
    (#"\t"#, "\t"), (#"\u0000"#, "\0"), (#"\u001F"#, "\u{1F}"), (#"\u0041"#, "A"), (#"\u007f"#, "\u{7F}"),
    (#"\u0080"#, "\u{80}"), (#"\u07FF"#, "\u{7FF}"), (#"\u0800"#, "\u{800}"), (#"\uD7FF"#, "\u{D7FF}"),
    (#"\uE000"#, "\u{E000}"), (#"\uFFFF"#, "\u{FFFF}"), (#"\uD800\uDC00"#, "\u{10000}"),
    (#"\udbff\udfff"#, "\u{10FFFF}"),
    (#"\ud83d\uDE00"#, "😀"), (#"\\u0041"#, "\\u0041"), (#"\\\""#, "\\\""), (#"\u005c\u0022"#, "\\\""),
    (#"\u00e9é"#, "éé"),
  ])
  func escapesStandForTheirCharacters(_ escaped: String, _ text: String) {
    for prefix in 0...9 {
      for suffix in 0...9 {
        let before = String(repeating: "a", count: prefix)
        let after = String(repeating: "z", count: suffix)
        #expect(read((before + escaped + after).utf8) == Array((before + text + after).utf8), "\(prefix) \(suffix)")
        #expect(skips((before + escaped + after).utf8))
      }
    }
  }

  /// Every boundary of well-formed UTF-8, on both sides.
  private static let sequences: [([UInt8], Bool)] = [
    ([0x20], true), ([0x21], true), ([0x7E], true), ([0x7F], true), ([0x00], false), ([0x1F], false), ([0x0A], false),
    ([0x80], false), ([0xBF], false), ([0xC0, 0x80], false), ([0xC1, 0xBF], false), ([0xC2, 0x80], true),
    ([0xC2, 0x7F], false), ([0xC2, 0xC0], false), ([0xC2], false), ([0xDF, 0xBF], true), ([0xDF, 0xC0], false),
    ([0xE0, 0x9F, 0xBF], false), ([0xE0, 0xA0, 0x80], true), ([0xE0, 0xBF, 0xBF], true), ([0xE0, 0xC0, 0x80], false),
    ([0xE1, 0x80, 0x80], true), ([0xE1, 0x7F, 0x80], false), ([0xE1, 0x80, 0x7F], false), ([0xE1, 0x80, 0xC0], false),
    ([0xE1, 0x80], false), ([0xE1], false), ([0xEC, 0xBF, 0xBF], true), ([0xED, 0x80, 0x80], true),
    ([0xED, 0x9F, 0xBF], true), ([0xED, 0xA0, 0x80], false), ([0xED, 0xBF, 0xBF], false), ([0xEE, 0x80, 0x80], true),
    ([0xEF, 0xBB, 0xBF], true), ([0xEF, 0xBF, 0xBE], true), ([0xEF, 0xBF, 0xBF], true),
    ([0xF0, 0x8F, 0xBF, 0xBF], false),
    ([0xF0, 0x90, 0x80, 0x80], true), ([0xF0, 0xBF, 0xBF, 0xBF], true), ([0xF1, 0x80, 0x80, 0x80], true),
    ([0xF1, 0x80, 0x80], false), ([0xF1, 0x80], false), ([0xF1], false), ([0xF1, 0x80, 0xC0, 0x80], false),
    ([0xF1, 0x80, 0x80, 0x7F], false), ([0xF3, 0xBF, 0xBF, 0xBF], true), ([0xF4, 0x80, 0x80, 0x80], true),
    ([0xF4, 0x8F, 0xBF, 0xBF], true), ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false),
    ([0xF8, 0x88, 0x80, 0x80, 0x80], false), ([0xFE], false), ([0xFF], false),
  ]

  /// The scanner reads eight bytes at a time, so each sequence is tested at each alignment and distance.
  @Test(arguments: 0...16) func everyCharacterAtEveryAlignment(_ prefix: Int) {
    for (bytes, isValid) in Self.sequences {
      for suffix in 0...9 {
        let text = [UInt8](repeating: 0x61, count: prefix) + bytes + [UInt8](repeating: 0x7A, count: suffix)
        #expect(read(text) == (isValid ? text : nil), "\(readable(text))")
        #expect(skips(text) == isValid, "\(readable(text))")
      }
    }
  }

  @Test(arguments: 0...16) func everyByteAtEveryAlignment(_ prefix: Int) {
    for byte in UInt8.min...UInt8.max {
      let text = [UInt8](repeating: 0x61, count: prefix) + [byte] + [UInt8](repeating: 0x7A, count: 16 - prefix)
      let isPlain = byte >= 0x20 && byte < 0x80 && byte != 0x22 && byte != 0x5C
      #expect(read(text) == (isPlain ? text : nil), "\(readable(text))")
    }
  }

  /// Swift's own validation is the reference.
  @Test func randomBytesAreReadExactlyWhenTheyAreUTF8() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var text = Array(random.text().utf8.filter { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C })
      for _ in 0..<random.int(below: 3) where !text.isEmpty {
        text[random.int(below: text.count)] = UInt8.random(in: 0x23...0x5B, using: &random)
        text[random.int(below: text.count)] = UInt8.random(in: 0x80...0xFF, using: &random)
      }
      let isValid = String(validating: text, as: UTF8.self) != nil
      #expect(read(text) == (isValid ? text : nil), "\(readable(text))")
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 4095, 4096, 100_000])
  func stringsOfEveryLength(_ count: Int) throws {
    for filler in ["a", "é", "😀", "\\", "\"", "\n"] {
      let message = Scalars(stringValue: String(repeating: filler, count: count))
      #expect(try Scalars(jsonUTF8: message.jsonUTF8()) == message, "\(count) times \(filler)")
    }
  }

  /// A string must not be read past the end of the buffer, wherever it ends.
  @Test(arguments: [
    "{\"a", "{\"string_value\":\"abc", "{\"string_value\":\"abc\\", "{\"string_value\":\"a\\u00", "{\"a\":\"é",
  ])
  func aStringThatEndsWithTheBufferIsRefused(_ beginning: String) {
    for filler in 0...17 {
      let bytes = Array((beginning + String(repeating: "0", count: filler)).utf8)
      for count in 0...bytes.count {
        let exact = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        defer { exact.deallocate() }
        _ = exact.initialize(from: bytes.prefix(count))
        #expect((try? Scalars(jsonUTF8: UnsafeBufferPointer(exact))) == nil)
        #expect((try? Nothing(jsonUTF8: UnsafeBufferPointer(exact))) == nil)
      }
    }
  }

  @Test func aTopLevelStringMayEndWithTheBuffer() throws {
    for count in 0...20 {
      let json = Array("\"\(String(repeating: "x", count: count))\"".utf8)
      #expect(try JSONValue(jsonUTF8: json).stringValue?.utf8.count == count)
    }
  }

  @Test func everyScalarSurvives() throws {
    var text = String.UnicodeScalarView()
    for value in UInt32(0)...0x10_FFFF where value < 0x3100 || value % 97 == 0 || value & 0xFFFF >= 0xFFF0 {
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    let message = Scalars(stringValue: String(text))
    let read = try Scalars(jsonUTF8: message.jsonUTF8())
    #expect(Array(read.stringValue.utf8) == Array(message.stringValue.utf8))
  }

  @Test func whatMustBeEscapedIsEscaped() throws {
    #expect(
      try Optionals(stringValue: "\0\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é\u{2028}😀").json()
        == "{\"string_value\":\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u{7F}é\u{2028}😀\"}")
    #expect(try Optionals(stringValue: "").json(.request) == #"{"string_value":""}"#)
  }
}

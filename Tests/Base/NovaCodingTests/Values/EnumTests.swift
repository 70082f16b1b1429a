import NovaCoding
import Testing

@Suite struct EnumTests {
  @Test(arguments: [
    ("\"COLOR_RED\"", Color.red, "\"COLOR_RED\""), ("1", .red, "\"COLOR_RED\""), ("1.0", .red, "\"COLOR_RED\""),
    ("1e0", .red, "\"COLOR_RED\""), ("0", .unspecified, "\"COLOR_UNSPECIFIED\""),
    ("\"COLOR_UNSPECIFIED\"", .unspecified, "\"COLOR_UNSPECIFIED\""), (#""COLOR\u005fRED""#, .red, "\"COLOR_RED\""),
    ("7", Color(rawValue: 7), "7"), ("-2147483648", Color(rawValue: .min), "-2147483648"),
    ("\"COLOR_MAUVE\"", Color(name: "COLOR_MAUVE"), "\"COLOR_MAUVE\""), ("\"\"", Color(name: ""), "\"\""),
    ("\"color_red\"", Color(name: "color_red"), "\"color_red\""), ("\"7\"", Color(name: "7"), "\"7\""),
    (#""\"\n""#, Color(name: "\"\n"), #""\"\n""#),
  ])
  func valuesAreReadByNameAndNumberAndKept(json: String, color: Color, written: String) throws {
    let message = try #require(accepted(Optionals.self, "{\"color\":\(json)}"))
    #expect(message.color == color)
    #expect(try message.json() == "{\"color\":\(written)}")
    #expect(accepted(Repeated.self, "{\"colors\":[\(json),\(json)]}")?.colors == [color, color])
  }

  @Test(arguments: ["2147483648", "-2147483649", "1.5", "1e400", "true", "[]", "{}", "[1]", "1x"])
  func whatIsNoValueIsRefused(_ json: String) {
    #expect(accepted(Optionals.self, "{\"color\":\(json)}") == nil)
    #expect(accepted(Repeated.self, "{\"colors\":[\(json)]}") == nil)
  }

  @Test func unknownValuesAreNotTheDefault() throws {
    #expect(try Scalars(color: Color(name: "NEW")).json(.request) == #"{"color":"NEW"}"#)
    #expect(try Scalars(color: Color(rawValue: 9)).json(.request) == #"{"color":9}"#)
    #expect(try Scalars(color: .unspecified).json(.request) == "{}")
    #expect(Color(name: "NEW") != Color())
  }

  @Test func aValueKnowsItsName() {
    #expect(Color.darkBlue.name == "COLOR_DARK_BLUE")
    #expect(Color.darkBlue.isKnown)
    #expect(Color(name: "COLOR_RED") == .red)
    #expect(Color(name: "COLOR_RED").unknownName == nil)
    #expect(Color(name: "NEW").description == "NEW")
    #expect(!Color(name: "NEW").isKnown)
    #expect(Color(rawValue: 9).description == "9")
    #expect(!Color(rawValue: 9).isKnown)
  }

  /// For Swift's `==`, U+212A, the kelvin sign, equals `K`; for a protocol, it does not.
  @Test func namesAreComparedByteByByte() throws {
    let json = "{\"color\":\"COLOR_DAR\u{212A}_BLUE\"}"
    let message = try #require(accepted(Optionals.self, json))
    #expect(Array(try message.jsonUTF8()) == Array(json.utf8))
  }

  @Test func awkwardNamesAreReachable() throws {
    #expect(Word.`default`.name == "WORD_DEFAULT")
    #expect(Word.word4.rawValue == 4)
    #expect(Word.negative.rawValue == -8)
    let message = Awkward(class: "a", index: "b", sink: "c", source: "d")
    #expect(try message.json(.request) == #"{"class":"a","index":"b","sink":"c","source":"d"}"#)
  }
}

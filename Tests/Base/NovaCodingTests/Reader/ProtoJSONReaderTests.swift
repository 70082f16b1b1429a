import Foundation
import NovaCoding
import Testing

@Suite struct ProtoJSONReaderTests {
  private func object(_ key: String, _ value: JSONSample) -> [UInt8] {
    Array("{\"\(key)\":".utf8) + value.bytes + Array("}".utf8)
  }

  /// Fields of every kind refuse invalid JSON, and so does the code that skips unknown values.
  @Test(arguments: JSONSamples.malformed)
  func malformedJSONIsRefusedEverywhere(_ sample: JSONSample) {
    let messages: [any ProtoMessage.Type] = [Scalars.self, Optionals.self, Repeated.self, Maps.self, Node.self]
    for message in messages {
      for key in message.descriptor.fields.map(\.name) + ["unknown"] {
        #expect(
          (try? message.init(jsonUTF8: object(key, sample))) == nil,
          "\(message.descriptor.name) accepts \(readable(object(key, sample)))")
      }
    }
    #expect((try? JSONValue(jsonUTF8: sample.bytes)) == nil, "JSONValue accepts \(sample.testDescription)")
    #expect((try? JSONValue(jsonUTF8: object("a", sample))) == nil)
    #expect((try? Nothing(jsonUTF8: sample.bytes)) == nil)
    #expect((try? Nothing(jsonUTF8: Array(#"{"a":[{"b":"#.utf8) + sample.bytes + Array("}]}".utf8))) == nil)
  }

  @Test(arguments: JSONSamples.valid)
  func validJSONIsSkippedAndRead(_ sample: JSONSample) throws {
    let json = object("unknown", sample)
    #expect(outcome(Scalars.self, json) == outcome(Scalars.self, "{}"))
    #expect(outcome(Nothing.self, Array("[".utf8) + sample.bytes) != outcome(Nothing.self, "{}"))
    let value = try JSONValue(jsonUTF8: sample.bytes)
    #expect(try JSONValue(jsonUTF8: value.jsonUTF8) == value)
    #expect(try JSONSerialization.jsonObject(with: Data(json)) is [String: Any])
  }

  @Test(arguments: [
    "", " ", "null", "true", "1", "\"a\"", "[]", "[{}]", "{}{}", "{},", "{}x", "\u{FEFF}", "\u{FEFF}\u{FEFF}{}",
    " \u{FEFF}{}", "{}\u{FEFF}", "{}\0", "\0",
  ])
  func aMessageIsAnObjectAndNothingElse(_ json: String) {
    #expect(accepted(Node.self, json) == nil)
  }

  /// Some editors and servers write it.
  @Test(arguments: JSONSamples.valid) func aByteOrderMarkIsIgnored(_ sample: JSONSample) throws {
    let value = try JSONValue(jsonUTF8: sample.bytes)
    #expect(try JSONValue(jsonUTF8: [0xEF, 0xBB, 0xBF] + sample.bytes) == value)
    #expect(outcome(Scalars.self, [0xEF, 0xBB, 0xBF] + object("unknown", sample)) == outcome(Scalars.self, "{}"))
  }

  /// The capacity that is reserved for a list is an estimate, based on its first element and the next bracket. It never
  /// changes the result, whatever the texts contain, and wherever the input ends.
  @Test(arguments: [
    [], [""], ["a"], ["a", "b"], ["]"], ["[],", "]"], [",", ",,,,", "],["],
    ["a", "long enough for a heap", "é\u{301}"],
    Array(repeating: "one of many ids of some length", count: 300), [String(repeating: ",", count: 5_000), "]"],
  ]) func listsAreReadWhateverTheyLookLike(texts: [String]) throws {
    let json = try Repeated(stringValues: texts).jsonUTF8()
    #expect(try Repeated(jsonUTF8: json).stringValues == texts)
    for end in Set([0, 1, 2, 12, 13, 14, 15, json.count / 2, json.count - 2, json.count - 1]) where end < json.count {
      #expect((try? Repeated(jsonUTF8: Array(json[..<max(0, end)]))) == nil, "\(readable(json)) up to \(end)")
    }
  }

  @Test func whiteSpaceMayStandBetweenAnything() {
    let json =
      " \n{\t\"id\" \r:\n\"a\" , \"children\" : [ { } , { \"id\" : \"b\" } ] , \"leaf\" : { \"weight\" : 1 } } \n"
    #expect(
      accepted(Node.self, json) == Node(id: "a", children: [Node(), Node(id: "b")], leaf: Leaf(weight: 1)))
  }

  @Test(arguments: [
    #"{"display_name":"x"}"#, #"{"displayName":"x"}"#, #"{"label":"x"}"#, #"{"display\u005fname":"x"}"#,
    #"{"\u006cabel":"x"}"#, #"{"unknown":1,"display_name":"x"}"#, #"{"display_name":"x","displayname":2}"#,
    #"{"leaf":null,"display_name":"x","id":"","":0}"#, #"{"DISPLAY_NAME":1,"display_name":"x","display":2}"#,
  ])
  func everyNameOfAFieldIsRead(_ json: String) {
    #expect(outcome(Node.self, json) == "\(Node(displayName: "x"))")
  }

  @Test(arguments: [
    #"{"id":"a","id":"a"}"#, #"{"id":"a","i\u0064":"b"}"#, #"{"display_name":"a","displayName":"a"}"#,
    #"{"display_name":"a","label":"a"}"#, #"{"label":"a","displayName":"a"}"#, #"{"label":null,"display_name":"a"}"#,
    #"{"display_name":null,"display_name":null}"#, #"{"children":[],"children":[]}"#, #"{"leaf":{},"leaf":{}}"#,
    #"{"leaf":{"weight":1,"weight":1}}"#, #"{"children":[{},{"id":"","x":0,"id":""}]}"#,
  ])
  func aKnownFieldGivenTwiceIsRefused(_ json: String) {
    #expect(accepted(Node.self, json) == nil)
  }

  @Test func anUnknownFieldMayStandTwice() {
    #expect(accepted(Node.self, #"{"x":1,"x":{"y":1,"y":2}}"#) == Node())
  }

  @Test(arguments: [Scalars.self, Optionals.self, Repeated.self, Maps.self, Node.self] as [any ProtoMessage.Type])
  func nullIsTheDefaultOfEveryField(_ type: any ProtoMessage.Type) {
    for names in [type.descriptor.fields.map(\.name), type.descriptor.fields.map(\.jsonName)] {
      let json = "{" + names.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
      #expect(outcome(type, json) == outcome(type, "{}"))
    }
  }

  @Test(arguments: [
    #"{"string_values":[null]}"#, #"{"int32_values":[1,null]}"#, #"{"nodes":[null]}"#, #"{"colors":[null]}"#,
    #"{"times":[null]}"#,
  ])
  func nullIsNoElement(_ json: String) { #expect(accepted(Repeated.self, json) == nil) }

  @Test(arguments: [#"{"by_string":{"a":null}}"#, #"{"nodes":{"a":null}}"#, #"{"by_int32":{"1":null}}"#])
  func nullIsNoValueInAMap(_ json: String) { #expect(accepted(Maps.self, json) == nil) }

  /// Every field must refuse a value of the wrong kind: `values` contains one of each kind.
  @Test func aValueOfAnotherKindIsRefused() {
    let allowed: [String: Set<String>] = [
      "double_value": ["7", "\"7\""], "float_value": ["7", "\"7\""], "int32_value": ["7", "\"7\""],
      "int64_value": ["7", "\"7\""], "uint32_value": ["7", "\"7\""], "uint64_value": ["7", "\"7\""],
      "sint32_value": ["7", "\"7\""], "sint64_value": ["7", "\"7\""], "fixed32_value": ["7", "\"7\""],
      "fixed64_value": ["7", "\"7\""], "sfixed32_value": ["7", "\"7\""], "sfixed64_value": ["7", "\"7\""],
      "bool_value": ["true"], "string_value": ["\"7\"", "\"true\"", "\"QQ==\"", "\"COLOR_RED\""],
      "bytes_value": ["\"QQ==\"", "\"true\""], "color": ["7", "\"7\"", "\"true\"", "\"QQ==\"", "\"COLOR_RED\""],
      "occurred": [], "created_at": ["7", "\"7\""],
    ]
    for field in Scalars.descriptor.fields {
      for value in ["7", "\"7\"", "true", "\"true\"", "{}", "[]", "[7]", "{\"a\":7}", "\"QQ==\"", "\"COLOR_RED\""] {
        let json = "{\"\(field.name)\":\(value)}"
        #expect((accepted(Scalars.self, json) != nil) == (allowed[field.name]?.contains(value) == true), "\(json)")
      }
    }
  }

  @Test(arguments: [#"{"a":{"#, #"{"a":[["#, #"{"leaf":{"#, #"{"children":[{"children":[{"#])
  func everyBeginningOfAMessageIsRefused(_ json: String) { #expect(accepted(Node.self, json) == nil) }

  @Test func noBeginningOfARealMessageIsAMessage() throws {
    let json = try Repeated.random(seed: 7).jsonUTF8() + Array(" ".utf8)
    let whole = json.count - 1
    for count in 0..<whole { #expect((try? Repeated(jsonUTF8: Array(json.prefix(count)))) == nil, "\(count)") }
    #expect((try? Repeated(jsonUTF8: json)) == Repeated.random(seed: 7))
  }
}

import Foundation
import NovaCoding
import Testing

/// The canonical JSON of protobuf's well-known types.
@Suite struct WellKnownTypeTests {
  @Test(arguments: [
    ("0s", 0, 0), ("1s", 1, 0), ("-1.500s", -1, -500_000_000), ("0.000001s", 0, 1000), ("-0.000000001s", 0, -1),
    ("315576000000s", 315_576_000_000, 0), ("315576000000.999999999s", 315_576_000_000, 999_999_999),
    ("-315575999999.999999999s", -315_575_999_999, -999_999_999),
  ])
  func durations(text: String, seconds: Int64, nanoseconds: Int64) throws {
    let duration = Duration(secondsComponent: seconds, attosecondsComponent: nanoseconds * 1_000_000_000)
    let json = #"{"duration":"\#(text)"}"#
    #expect(accepted(WellKnown.self, json)?.duration == duration)
    #expect(try WellKnown(duration: duration).json(.request) == json)
    #expect(try JSONDecoder().decode(WellKnown.self, from: Data(json.utf8)).duration == duration)
  }

  @Test(arguments: ["1", "s", "1.s", ".5s", "1.0000000001s", "+1s", "1 s", "--1s", "315576000001s"])
  func textsThatAreNoDurations(_ text: String) {
    #expect(outcome(WellKnown.self, #"{"duration":"\#(text)"}"#).contains("expected a duration in seconds"))
  }

  @Test func valuesThatHaveNoJSONAreNotWritten() {
    #expect(throws: ProtoJSONError.self) { try WellKnown(duration: .seconds(315_576_000_001)).json() }
    #expect(throws: ProtoJSONError.self) { try WellKnown(mask: ["userId"]).json() }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(WellKnown(mask: ["a_1"])) }
  }

  @Test func fieldMasks() throws {
    let message = WellKnown(mask: ["id", "address.postal_code"])
    #expect(try message.json(.request) == #"{"mask":"id,address.postalCode"}"#)
    #expect(accepted(WellKnown.self, #"{"mask":"id,address.postal_code"}"#) == message)
    #expect(accepted(WellKnown.self, #"{"mask":""}"#) == WellKnown(mask: []))
  }

  @Test func anyJSON() throws {
    let json = #"{"object":{"a":[1,null]},"value":null,"list":[{}]}"#
    let message = try #require(accepted(WellKnown.self, json))
    #expect(message.object == ["a": .array([.number("1"), .null])])
    #expect(message.value == .null && message.list == [.object([])])
    #expect(try message.json(.request) == json)
    #expect(try JSONDecoder().decode(WellKnown.self, from: Data(json.utf8)) == message)
    #expect(accepted(WellKnown.self, #"{"object":null,"list":null}"#) == WellKnown())
    #expect(outcome(WellKnown.self, #"{"object":[]}"#).contains("object: expected an object, found a list"))
    #expect(outcome(WellKnown.self, #"{"list":{}}"#).contains("list: expected a list, found an object"))
  }

  /// For a dictionary, two spellings of one character are the same key. One of the values would be lost silently.
  @Test func namesThatADictionaryCannotTellApartAreRefused() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let refused = outcome(WellKnown.self, "{\"object\":{\"\(composed)\":1,\"\(decomposed)\":2}}")
    #expect(refused.contains("expected the name only once, found a repetition"), "\(refused)")
    #expect(accepted(WellKnown.self, "{\"object\":{\"\(composed)\":1,\"cafe\":2}}")?.object?.count == 2)
    // Lists and values of any kind can hold both.
    let json = "{\"list\":[{\"\(composed)\":1,\"\(decomposed)\":2}]}"
    #expect(try accepted(WellKnown.self, json)?.json(.request) == json)
    let value = try JSONValue(jsonUTF8: Array("{\"\(composed)\":1,\"\(decomposed)\":2}".utf8))
    #expect(value[composed] == .number("1") && value[decomposed] == .number("2"))
    let differences = JSONValue.array([.string(composed)]).differences(from: .array([.string(decomposed)]))
    #expect(differences.map(\.path.description) == ["[0]"])
  }

  @Test func nullInAOneofIsAValue() throws {
    for (json, value) in [(#"{"null":null}"#, Choice.Value.null(ProtoNull())), (#"{"json":null}"#, .json(.null))] {
      let message = try #require(accepted(Choice.self, json))
      #expect(message.value == value)
      #expect(try message.json(.request) == json)
      #expect(try JSONDecoder().decode(Choice.self, from: Data(json.utf8)) == message)
    }
    #expect(accepted(Choice.self, #"{"none":"5"}"#)?.value == Choice.Value.noneValue(5))
    #expect(accepted(Choice.self, #"{"time":null}"#)?.value == nil)
  }

  @Test func wrappersAreBareValues() throws {
    let json = #"{"double_value":0,"int64_value":"-5","bool_value":false,"string_value":"","bytes_value":"AQI="}"#
    let message = Wrappers(doubleValue: 0, int64Value: -5, boolValue: false, stringValue: "", bytesValue: [1, 2])
    #expect(accepted(Wrappers.self, json) == message)
    #expect(try message.json(ProtoJSONOptions(includesDefaults: false, writesInt64AsString: true)) == json)
    #expect(accepted(Wrappers.self, #"{"doubleValue":null,"boolValue":null}"#) == Wrappers())
    #expect(try Wrappers().json() == "{}")
  }

  @Test func anyMessageIsKeptAsItIs() throws {
    let json = #"{"any":{"z":1,"@type":"type.googleapis.com/a.B","a":{"c":[]}}}"#
    let message = try #require(accepted(WellKnown.self, json))
    #expect(message.any?.typeURL == "type.googleapis.com/a.B")
    #expect(try message.json(.request) == json)
    #expect(try message.any?.message(as: Leaf.self) == nil)
    let packed = try ProtoAny(Leaf(weight: 3))
    #expect(packed.json.jsonUTF8 == Array(#"{"@type":"type.googleapis.com/nova.testing.v1.Leaf","weight":3}"#.utf8))
    #expect(try packed.message(as: Leaf.self) == Leaf(weight: 3))
    #expect(accepted(WellKnown.self, #"{"any":{}}"#)?.any == ProtoAny())
    for wrong in [#"{"any":{"a":1}}"#, #"{"any":{"@type":1}}"#, #"{"any":[]}"#] {
      #expect(outcome(WellKnown.self, wrong).contains(#"any: expected an object with a text "@type""#), "\(wrong)")
    }
  }
}

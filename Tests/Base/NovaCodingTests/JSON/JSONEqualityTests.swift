import NovaCoding
import Testing

@Suite struct JSONEqualityTests {
  private static func value(_ json: String) throws -> JSONValue { try JSONValue(jsonUTF8: Array(json.utf8)) }

  @Test(arguments: [
    ("\"\u{E9}\"", "\"e\u{301}\""), ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"), ("[\"\u{E9}\"]", "[\"e\u{301}\"]"),
    ("{\"a\":[{\"b\":\"\u{212A}\"}]}", "{\"a\":[{\"b\":\"K\"}]}"), ("1", "1.0"), ("1", "\"1\""), ("null", "false"),
    ("[]", "{}"), ("[1]", "[1,1]"), ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"), ("{}", "{\"a\":null}"),
  ])
  func theseDiffer(_ first: String, _ second: String) throws {
    let (first, second) = (try Self.value(first), try Self.value(second))
    #expect(first != second && second != first && first == first && second == second)
    #expect(Set([first, second, first]).count == 2)
  }

  @Test(arguments: ["\"\\u00e9\"", "{\"\\u00e9\":[1,true,null,\"x\"]}", "[{},[]]"])
  func howCharactersAreEscapedDoesNotCount(_ json: String) throws {
    let value = try Self.value(json)
    let again = try JSONValue(jsonUTF8: value.jsonUTF8)
    #expect(value == again && value.hashValue == again.hashValue)
  }
}

import NovaCoding
import Testing

@Suite struct JSONValueTests {
  private func value(_ json: String) throws -> JSONValue { try JSONValue(jsonUTF8: Array(json.utf8)) }

  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.50", "1E+5", "123456789012345678901234567890", #""a\"\\\n""#, "[]", "{}",
    #"{"b":1,"a":[{"":null}],"é":"😀"}"#,
  ])
  func everythingIsWrittenAsItWasRead(_ json: String) throws {
    #expect(String(decoding: try value(json).jsonUTF8, as: UTF8.self) == json)
  }

  @Test func membersAreFoundByName() throws {
    let value = try value(#"{"a":{"b":[1,"x"]},"n":5,"m":1.5,"big":1e400}"#)
    #expect(value["a"]?["b"] == .array([.number("1"), .string("x")]))
    #expect(value["c"] == nil)
    #expect(value["a"]?["b"]?["x"] == nil)
    #expect(value["n"]?.integerValue == 5)
    #expect(value["m"]?.integerValue == nil)
    #expect(value["big"]?.integerValue == nil)
    #expect(value["n"]?.stringValue == nil)
    #expect(try self.value("-9223372036854775808").integerValue == .min)
    #expect(try self.value("9223372036854775808").integerValue == nil)
    #expect(try self.value("1.2e1").integerValue == 12)
  }

  @Test func errorsSayWhere() throws {
    for (json, text) in [
      (#"{"a":[1,{"b":tru}]}"#, "a[1].b: expected a JSON value, found tru (line 1, column 14)"),
      (#"{"a b":{"":nul}}"#, #"["a b"][""]: expected a JSON value, found nul (line 1, column 12)"#),
      (#"{"a":1,"a":2}"#, #"a: expected the name only once, found a repetition (line 1, column 8)"#),
      ("[1,]", "[1]: expected a JSON value, found \"]\" (line 1, column 4)"),
      ("", "expected a JSON value, found the end of the input (line 1, column 1)"),
      ("[1,\n 01]", "[1]: expected a JSON number, found number 01 (line 2, column 2)"),
    ] {
      let error = try #require(throws: ProtoJSONError.self) { try value(json) }
      #expect("\(error)" == text)
    }
  }

  @Test func namesThatDifferInBytesAreDifferentNames() throws {
    #expect(try value("{\"\u{E9}\":1,\"e\u{301}\":2}").jsonUTF8.count == 16)
  }
}

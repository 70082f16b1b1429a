import NovaCoding
import Testing

@Suite struct ProtoJSONErrorTests {
  private func description<M: ProtoMessage>(_ type: M.Type, _ json: String) -> String {
    let text = outcome(type, json)
    return text.hasPrefix("error: ") ? String(text.dropFirst("error: ".count)) : "no error: \(text)"
  }

  private func error<M: ProtoMessage>(_ type: M.Type, _ json: String) throws -> ProtoJSONError {
    try #require(throws: ProtoJSONError.self) { try M(jsonUTF8: Array(json.utf8)) }
  }

  @Test(arguments: [
    // Structure.
    ("", "expected an object, found the end of the input (line 1, column 1)"),
    ("[]", "expected an object, found a list (line 1, column 1)"),
    (" null", "expected an object, found null (line 1, column 2)"),
    ("{", "expected a field name in quotes, found the end of the input (line 1, column 2)"),
    ("{id:1}", "expected a field name in quotes, found id (line 1, column 2)"),
    ("{}\n {}", "expected nothing after the value, found an object (line 2, column 2)"),
    ("{\"x\" 1}", "expected ':', found number 1 (line 1, column 6)"),
    ("{\"x\":1 \"y\":2}", "expected ',' or '}', found string \"y\" (line 1, column 8)"),
    ("{\"x\":1,}", "expected a field name in quotes, found \"}\" (line 1, column 8)"),
    ("{\"x\":,}", "expected a JSON value, found \",\" (line 1, column 6)"),
    ("{\"x\":tru}", "expected a JSON value, found tru (line 1, column 6)"),
    ("{\"x\":01}", "expected a JSON number, found number 01 (line 1, column 6)"),
    ("{\"x\":-}", "expected a JSON number, found number - (line 1, column 6)"),
    ("{\"x\":\u{1}}", "expected a JSON value, found \"0x01\" (line 1, column 6)"),
    // Fields.
    ("{\"id\":5}", "id: expected a string, found number 5 (line 1, column 7)"),
    ("{\"id\":[\"a\"]}", "id: expected a string, found a list (line 1, column 7)"),
    ("{\n  \"id\": true\n}", "id: expected a string, found true (line 2, column 9)"),
    ("{\"id\" \"a\"}", "id: expected ':', found string \"a\" (line 1, column 7)"),
    ("{\"id\":nul}", "id: expected a JSON value, found nul (line 1, column 7)"),
    ("{\"id\":\"a}", "id: expected a closing quote, found the end of the input (line 1, column 7)"),
    ("{\"id\":\"a\n\"}", "id: expected control characters escaped, found byte 0x0A in a string (line 1, column 9)"),
    ("{\"label\":1}", "display_name: expected a string, found number 1 (line 1, column 10)"),
    ("{\"id\":\"a\",\"id\":\"b\"}", "id: expected the field only once, found a repetition (line 1, column 11)"),
    (
      "{\"label\":\"a\", \"displayName\":\"b\"}",
      "display_name: expected the field only once, found a repetition (line 1, column 15)"
    ),
    // Inside other messages and lists.
    (
      "{\"leaf\":{\"weight\":\"x\"}}",
      "leaf.weight: expected an integer from -2147483648 to 2147483647, found string \"x\" (line 1, column 19)"
    ),
    ("{\"leaf\":5}", "leaf: expected an object, found number 5 (line 1, column 9)"),
    ("{\"children\":{}}", "children: expected a list, found an object (line 1, column 13)"),
    ("{\"children\":[{},null]}", "children[1]: expected an object, found null (line 1, column 17)"),
    ("{\"children\":[{} {}]}", "children: expected ',' or ']', found an object (line 1, column 17)"),
    (
      "{\"children\":[{},{\"children\":[{\"leaf\":{\"weight\":1.5}}]}]}",
      "children[1].children[0].leaf.weight: expected an integer from -2147483648 to 2147483647, found number 1.5 "
        + "(line 1, column 48)"
    ),
    // Strings.
    ("{\"id\":\"\\x\"}", #"id: expected one of \" \\ \/ \b \f \n \r \t \u, found \x (line 1, column 8)"#),
    ("{\"id\":\"\\ud800\"}", "id: expected a low surrogate after it, found a lone high surrogate (line 1, column 8)"),
    ("{\"id\":\"\\udc00\"}", "id: expected a high surrogate first, found a lone low surrogate (line 1, column 8)"),
    ("{\"id\":\"\\u12g4\"}", "id: expected four hexadecimal digits, found \"g\" (line 1, column 8)"),
  ])
  func errorsSayWhereAndWhat(_ json: String, _ text: String) {
    #expect(description(Node.self, json) == text)
  }

  @Test(arguments: [
    (
      "{\"int32_value\":2147483648}",
      "int32_value: expected an integer from -2147483648 to 2147483647, found number 2147483648 (line 1, column 16)"
    ),
    (
      "{\"uint32Value\":-1}",
      "uint32_value: expected an integer from 0 to 4294967295, found number -1 (line 1, column 16)"
    ),
    (
      "{\"int64_value\": \"1e30\"}",
      "int64_value: expected a 64-bit integer, found string \"1e30\" (line 1, column 17)"
    ),
    (
      "{\"uint64_value\":true}",
      "uint64_value: expected an unsigned 64-bit integer, found true (line 1, column 17)"
    ),
    (
      "{\"double_value\":1e400}",
      "double_value: expected a number within a double's range, found number 1e400 (line 1, column 17)"
    ),
    (
      "{\"float_value\": \"big\"}",
      "float_value: expected a number within a float's range, found string \"big\" (line 1, column 17)"
    ),
    ("{\"bool_value\":1}", "bool_value: expected true or false, found number 1 (line 1, column 15)"),
    ("{\"bytes_value\":\"*\"}", "bytes_value: expected base64, found string \"*\" (line 1, column 16)"),
    ("{\"color\":1.5}", "color: expected an enum's name or number, found number 1.5 (line 1, column 10)"),
    (
      "{\"occurred\":\"today\"}",
      "occurred: expected an ISO 8601 time from year 1 to 9999, found string \"today\" (line 1, column 13)"
    ),
    (
      "{\"created_at\":\"today\"}",
      "created_at: expected Unix seconds or an ISO 8601 time, found string \"today\" (line 1, column 15)"
    ),
    (
      "{\"string_value\":\(String(repeating: "9", count: 99))}",
      "string_value: expected a string, found number \(String(repeating: "9", count: 40))… (line 1, column 17)"
    ),
    (
      "{\"bool_value\":\"\(String(repeating: "é", count: 99))\"}",
      "bool_value: expected true or false, found string \"\(String(repeating: "é", count: 40))…\" (line 1, column 15)"
    ),
    (
      "{\"bool_value\":\"a\u{1B}[31m\u{7}\"}",
      "bool_value: expected true or false, found string \"a\\u001b[31m\\u0007\" (line 1, column 15)"
    ),
  ])
  func valuesAreShown(_ json: String, _ text: String) { #expect(description(Scalars.self, json) == text) }

  @Test(arguments: [
    (
      "{\"by_int32\":{\"a\":true}}",
      "by_int32[\"a\"]: expected a 32-bit integer as key, found key \"a\" (line 1, column 14)"
    ),
    (
      "{\"by_uint64\":{ \"-1\":\"\"}}",
      "by_uint64[\"-1\"]: expected an unsigned 64-bit integer as key, found key \"-1\" (line 1, column 16)"
    ),
    (
      "{\"by_string\":{\"a\":\"\",\"a\":\"\"}}",
      "by_string[\"a\"]: expected the key only once, found a repetition (line 1, column 22)"
    ),
    ("{\"by_string\":{\"a\" 1}}", "by_string[\"a\"]: expected ':', found number 1 (line 1, column 19)"),
    ("{\"by_string\":{\"a\":1}}", "by_string[\"a\"]: expected a string, found number 1 (line 1, column 19)"),
    ("{\"by_string\":{a:1}}", "by_string: expected a key in quotes, found a (line 1, column 15)"),
    ("{\"by_string\":[]}", "by_string: expected an object, found a list (line 1, column 14)"),
    (
      "{\"nodes\":{\"a.b\":{\"leaf\":{\"weight\":[]}}}}",
      "nodes[\"a.b\"].leaf.weight: expected an integer from -2147483648 to 2147483647, found a list (line 1, column 35)"
    ),
    (
      "{\"by_string\":{\"a\\n\\\"b\":1}}",
      "by_string[\"a\\n\\\"b\"]: expected a string, found number 1 (line 1, column 24)"
    ),
  ])
  func mapsSayWhichKey(_ json: String, _ text: String) { #expect(description(Maps.self, json) == text) }

  @Test func thePartsAreThere() throws {
    let error = try error(Node.self, "{\n\"leaf\" : {\n  \"weight\": \"é\" }}")
    #expect(error.path == "leaf.weight")
    #expect(error.found == "string \"é\"")
    #expect(error.offset == 25)
    #expect(error.line == 3)
    #expect(error.column == 13)
  }

  @Test func theEndOfTheInputHasAPosition() throws {
    for count in 1..<9 {
      let error = try error(Node.self, String("{\"x\":[1,".prefix(count)))
      #expect(error.line == 1)
      #expect(error.offset == (count == 2 || count == 3 ? 1 : count), "\(error)")
    }
  }
}

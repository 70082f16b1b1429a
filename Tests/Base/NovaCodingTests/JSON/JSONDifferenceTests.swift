import NovaCoding
import Testing

@Suite struct JSONDifferenceTests {
  private func differences(_ left: String, _ right: String) throws -> [String] {
    try JSONValue(jsonUTF8: Array(left.utf8)).differences(from: JSONValue(jsonUTF8: Array(right.utf8)))
      .map { "\($0.path): \($0.left?.kindDescription ?? "nothing") / \($0.right?.kindDescription ?? "nothing")" }
  }

  @Test(arguments: [
    (#"{"a":1,"b":[true,null]}"#, #"{"b":[true,null],"a":1.0}"#, []),
    (#"{"a":{"b":[1,2]}}"#, #"{"a":{"b":[1,3,4]}}"#, ["a.b[1]: number 2 / number 3", "a.b[2]: nothing / number 4"]),
    (#"{"a":1}"#, #"{"b":1}"#, ["a: number 1 / nothing", "b: nothing / number 1"]),
    ("[]", "{}", [": a list / an object"]),
    ("1", "\"1\"", [": number 1 / string \"1\""]),
    ("9007199254740993", "9007199254740992", [": number 9007199254740993 / number 9007199254740992"]),
    ("0.5", "5e-1", []),
  ])
  func differencesHavePlacesAndValues(left: String, right: String, expected: [String]) throws {
    #expect(try differences(left, right) == expected)
  }

  @Test func aRuleDecidesBeforeValuesAreCompared() throws {
    let left = try JSONValue(jsonUTF8: Array(#"{"a":{"b":1},"c":2}"#.utf8))
    let right = try JSONValue(jsonUTF8: Array(#"{"a":{"b":2},"c":2}"#.utf8))
    let found = left.differences(from: right) { path, _, _ in
      switch path.description {
      case "a": true
      case "c": false
      default: nil
      }
    }
    #expect(found.map { $0.path.appended(to: "$") } == ["$.c"])
  }
}

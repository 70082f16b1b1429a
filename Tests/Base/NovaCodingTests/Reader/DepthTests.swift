import NovaCoding
import Testing

@Suite struct DepthTests {
  private func nested(_ open: String, _ close: String, count: Int, inside: String = "") -> String {
    String(repeating: open, count: count) + inside + String(repeating: close, count: count)
  }

  /// Each text nests `count` objects and lists, including the message itself.
  private func texts(_ count: Int) -> [String] {
    let even = count % 2 == 0
    return [
      "{\"unknown\":\(nested("[", "]", count: count - 1))}",
      "{\"unknown\":\(nested("[", "]", count: count - 1, inside: "1"))}",
      "{\"unknown\":\(nested("{\"a\":", "}", count: count - 2, inside: "{}"))}",
      nested("{\"children\":[", "]}", count: count / 2, inside: even ? "" : "{}"),
      nested("{\"children\":[", "]}", count: count / 2 - 1, inside: "{\"x\":[\(even ? "" : "{}")]}"),
    ]
  }

  @Test func aHundredLevelsAreRead() {
    #expect(ProtoJSONReader.maximumDepth == 100)
    for text in texts(100) + texts(99) { #expect(!outcome(Node.self, text).hasPrefix("error"), "\(text)") }
  }

  @Test func moreAreAnError() {
    for text in texts(101) + texts(102) {
      #expect(outcome(Node.self, text).contains("expected at most 100 nested objects and lists"), "\(text)")
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "{\"children\":[", "{\"unknown\":[", "{\"nodes\":{\"a\":"])
  func anEndlessNestIsAnErrorAndNoCrash(_ open: String) {
    let json = Array(String(repeating: open, count: 200_000).utf8)
    #expect((try? Node(jsonUTF8: json)) == nil)
    #expect((try? Nothing(jsonUTF8: Array("{\"a\":".utf8) + json)) == nil)
    #expect((try? JSONValue(jsonUTF8: json)) == nil)
  }

  @Test func levelsThatWereClosedDoNotCount() {
    let many = "[" + Array(repeating: "[[{}],{\"a\":[]}]", count: 500).joined(separator: ",") + "]"
    #expect(accepted(Node.self, "{\"unknown\":\(many)}") == Node())
    let children = Array(repeating: "{\"children\":[{},{\"leaf\":{}}]}", count: 500).joined(separator: ",")
    #expect(accepted(Node.self, "{\"children\":[\(children)]}")?.children.count == 500)
  }
}

import NovaContract
import NovaCore
import NovaTestSupport
import Testing

@Suite struct YAMLReaderTests {
  @Test(arguments: [
    ("", "null"), ("# nothing\n", "null"), ("a: 1", #"{"a":1}"#), ("---\na: 1\n...\nb", #"{"a":1}"#),
    ("a:\nb: ~", #"{"a":null,"b":null}"#), ("a:\n  b: x # y\n  c: 'it''s'", #"{"a":{"b":"x","c":"it's"}}"#),
    ("a:\n- 1\n- b: 2\n  c: 3\nd: 4", #"{"a":[1,{"b":2,"c":3}],"d":4}"#), ("- - 1\n  - 2\n-\n  - 3", "[[1,2],[3]]"),
    ("a: [x, 'y, z', {b: 1}] # c", #"{"a":["x","y, z",{"b":1}]}"#),
    ("a: {b: c,\n  d: [e,\n f]}", #"{"a":{"b":"c","d":["e","f"]}}"#),
    ("a: no\nb: true\nc: 1.5e3\nd: 1.2.3\ne: 007", #"{"a":"no","b":true,"c":1.5e3,"d":"1.2.3","e":"007"}"#),
    (#"a: "x\n\u00e9\ud83d\ude00 \"q\"""#, "{\"a\":\"x\\né😀 \\\"q\\\"\"}"),
    ("a: |\n  one\n   two\n\n  three\nb: 1", #"{"a":"one\n two\n\nthree\n","b":1}"#),
    ("a: >-\n  one\n  two\n\n  three\n", #"{"a":"one two\nthree"}"#),
    ("a: |-\n  x # no comment", #"{"a":"x # no comment"}"#),
    ("a: one\n  two\nb: http://x:8#y", #"{"a":"one two","b":"http://x:8#y"}"#),
    ("'200': {$ref: '#/x'}\n\"b c\": 1\r\n", ##"{"200":{"$ref":"#/x"},"b c":1}"##),
  ]) func documentsAreReadAsJSON(text: String, json: String) throws {
    #expect(String(decoding: try YAMLReader.value(of: text).jsonUTF8, as: UTF8.self) == json, "\(text)")
  }

  @Test(arguments: [
    ("a: 1\na: 2", 2), ("a:\n\tb: 1", 2), ("a: &x 1", 1), ("a: *x", 1), ("a: !!str 1", 1), ("<<: {}", 1),
    ("a: [1, 2", 1), ("a: 'x", 1), ("a: 1\n  b: 2", 2), ("- 1\n  - 2\nx", 3), ("a: 1\n---\nb: 2", 2),
    ("a: {b: 1, b: 2}", 1),
    ("? a\n: b", 1), ("a: |x\n  y", 1), ("a: \"\\q\"", 1),
  ]) func otherTextsHaveALine(text: String, line: Int) {
    let error = #expect(throws: YAMLError.self, "\(text)") { try YAMLReader.value(of: text) }
    #expect(error?.line == line, "\(text): \(error.map { "\($0)" } ?? "")")
  }

  @Test func depthIsLimited() {
    for text in [String(repeating: "[", count: 10_000), String(repeating: "- ", count: 10_000) + "x"] {
      #expect(throws: YAMLError.self) { try YAMLReader.value(of: text) }
    }
  }

  /// What `nova openapi -o yaml` writes is read as the same document.
  @Test func documentsOfTheSDKAreReadAsTheyWereWritten() throws {
    let document = OpenAPIDocument().json
    #expect(try YAMLReader.value(of: YAMLText.document(document)) == document)
  }

  @Test func theServiceConfigurationIsRead() throws {
    let json = try YAMLReader.value(of: try Checkout.text(of: "Proto/gateway.yaml"))
    #expect(json["http"]?["rules"]?.elements?.first?["post"] == "/api/v1/graph/follow")
    #expect(json["nova"]?["page_limits"]?.elements?.first?["maximum"] == 1000)
  }
}

import NovaHTTP
import Testing

@Suite struct ContentTypeNameTests {
  @Test(arguments: [
    ("", ""), (" \t", ""), (";charset=utf-8", ""), (" ; charset=utf-8", ""), (",text/html", ""),
    ("application/json", "application/json"), ("APPLICATION/Json", "application/json"),
    ("application/json;charset=utf-8", "application/json"), (" application/json\t; charset=utf-8", "application/json"),
    ("application / json", "application/json"), ("text/html charset=utf-8", "text/html"),
    ("multipart/byteranges; boundary=\"a;b,c\"", "multipart/byteranges"),
    ("text/plain;x=\"application/json\"", "text/plain"),
    ("application/json, text/html", "application/json"), ("text/html,application/json", "text/html"),
    ("text/html;charset=utf-8, application/json", "text/html"), ("json", "json"), ("text/", "text/"),
    ("application/problem+json", "application/problem+json"), ("TEXT/HTML\t;q=1;q=2", "text/html"),
  ])
  func itIsTheFirstTypeWithoutParameters(_ value: String, _ name: String) {
    #expect(ContentTypeName.of(value) == name)
    #expect((["Content-Type": value] as HTTPHeaders).contentTypeName == name)
  }

  @Test func absentTypesHaveNoName() {
    #expect(([:] as HTTPHeaders).contentTypeName.isEmpty)
    var twice: HTTPHeaders = ["Content-Type": "text/html"]
    twice.append(name: "content-type", value: "application/json")
    #expect(twice.contentTypeName == "text/html")
  }

  @Test(arguments: [
    ("application/json", true, false), ("application/vnd.api+json", true, false),
    ("application/x-ndjson", false, false),
    ("text/html", false, true), ("application/xhtml+xml", false, true), ("text/plain", false, false),
    ("", false, false),
  ])
  func kinds(_ name: String, isJSON: Bool, isPage: Bool) {
    #expect(ContentTypeName.isJSON(name) == isJSON && ContentTypeName.isPage(name) == isPage)
  }

  @Test(arguments: ["text/event-stream", "Text/Event-Stream ; charset=utf-8", "text/event-stream, text/event-stream"])
  func streamsOfEvents(_ type: String) { #expect((["Content-Type": type] as HTTPHeaders).isEventStream) }
}

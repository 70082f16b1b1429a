import NovaCore
import NovaFixtureFiles
import NovaTestSupport
import Testing

/// Texts that mean something to the tools that import exchanges arrive as they were.
@Suite struct ToolTextTests {
  private static let texts = [
    "{{base_url}}/x", "{{password}}", "{{$guid}}", "{{{token}}}", "{{", "a {{secret_1}} {{ token }} b", "{ {", "{}{{}}",
    "${json-unit.ignore}", "#{json-unit.any-string}", "${json-unit.regex}[a-z]+", "x ${json-unit.ignore-element}",
    "${json-unit.ignore}\n\t\"{{email}}\"\\", "plain", "{{émail}}",
  ]

  private static func exchange(_ text: String, query: String = "") -> FixtureExchange {
    let body = JSONValue.members(("post_id", .string(text)), (text, .array([.string(text), .number("1")])))
    return FixtureExchange(
      rpc: "content.GetPost", name: text,
      request: HTTPRequest(
        method: .post, url: HTTPURL(received: "/api/v1/content/post\(query)"),
        headers: ["Content-Type": "application/json"],
        body: body.jsonUTF8),
      response: HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body.jsonUTF8))
  }

  private static func export(_ export: FixtureExport, _ exchanges: [FixtureExchange]) throws -> [JSONValue] {
    try export.files(exchanges).map { try JSONValue(jsonUTF8: $0.bytes) }
  }

  /// What Postman sends for a text: variables are replaced again and again, and others stay.
  private static func filled(_ text: String, _ variables: [JSONValue]) -> String {
    var text = text
    for _ in 0..<5 {
      for variable in variables {
        guard let key = variable["key"]?.stringValue else { continue }
        text = text.replacing("{{\(key)}}", with: "<\(key)>")
      }
      text = text.replacing("{{$guid}}", with: "<guid>").replacing("{{ token }}", with: "<token>")
    }
    return text
  }

  @Test(arguments: texts) func postmanSendsTheText(_ text: String) throws {
    let exchange = Self.exchange(text)
    let collection = try #require(try Self.export(.postman, [exchange]).first)
    let variables = (collection["variable"]?.elements ?? []) + [.members(("key", .string("secret_1")))]
    let item = collection["item"]?.elements?.last?["item"]?.elements?.first?["item"]?.elements?.first
    for body in [
      item?["request"]?["body"]?["raw"]?.stringValue, item?["response"]?.elements?.first?["body"]?.stringValue,
    ] {
      let sent = Self.filled(try #require(body), variables)
      #expect(try JSONValue(jsonUTF8: Array(sent.utf8)) == JSONValue(jsonUTF8: exchange.request.body.bytes ?? []))
    }
  }

  @Test func whatPostmanCannotExpressIsNamed() throws {
    func exchange(_ name: String, header: String = "", body: String = "{}") -> FixtureExchange {
      FixtureExchange(
        rpc: "content.GetPost", name: name,
        request: HTTPRequest(
          method: .post, url: HTTPURL(received: "/api/v1/content/post"), headers: ["X-Note": header],
          body: Array(body.utf8)),
        response: HTTPResponse(status: 200))
    }
    let collection = try #require(
      try Self.export(
        .postman,
        [
          exchange("fine"), exchange("in a header", header: "{{token}}"),
          exchange("not JSON", body: "{\"a\":\"{{token}}"),
        ]
      ).first)
    let description = try #require(collection["info"]?["description"]?.stringValue)
    #expect(
      description.contains("Left out")
        && description.contains("content.GetPost: in a header; content.GetPost: not JSON"))
    let text = String(decoding: collection.jsonUTF8, as: UTF8.self)
    #expect(text.contains("\"name\":\"fine\"") && !text.contains("\"name\":\"not JSON\""))
  }

  @Test func urlsOfPostmanAreTheText() throws {
    let exchange = FixtureExchange(
      rpc: "announcements.GetAnnouncement", name: "one",
      request: HTTPRequest(
        method: .get, url: "http://localhost:8080/api/v1/announcements/:id?q=%7B%7Bbase_url%7D%7D&r=a%20b"),
      response: HTTPResponse(status: 404))
    let collection = try #require(try Self.export(.postman, [exchange]).first)
    let item = collection["item"]?.elements?.last?["item"]?.elements?.first?["item"]?.elements?.first
    let url = try #require(item?["request"]?["url"])
    #expect(url["path"]?.elements?.last == .string("%3Aid"))
    #expect(url["query"]?.elements?.map { $0["value"]?.stringValue } == ["%7B%7Bbase_url%7D%7D", "a b"])
    #expect(url["raw"]?.stringValue == "{{base_url}}/api/v1/announcements/:id?q=%7B%7Bbase_url%7D%7D&r=a%20b")
  }

  /// As JsonUnit reads it: a text that begins with a placeholder matches by it.
  private static func matches(_ pattern: JSONValue?, _ value: JSONValue?) throws -> Bool {
    switch (pattern, value) {
    case (.string(let pattern), .string(let text)):
      guard pattern.contains("${json-unit.") || pattern.contains("#{json-unit.") else { return pattern == text }
      guard pattern.hasPrefix("${json-unit.regex}") else { return true }
      let expression = try Regex("(?s)" + pattern.dropFirst("${json-unit.regex}".count))
      return text.wholeMatch(of: expression) != nil
    case (.object(let left), .object(let right)):
      return try left.count == right.count
        && zip(left, right).allSatisfy { try $0.name == $1.name && matches($0.value, $1.value) }
    case (.array(let left), .array(let right)):
      return try left.count == right.count && zip(left, right).allSatisfy { try matches($0, $1) }
    default: return pattern == value
    }
  }

  @Test func wireMockTellsTheTextsApart() throws {
    let exchanges = Self.texts.map { Self.exchange($0) }
    let stubs = try Self.export(.wiremock, exchanges)
    #expect(stubs.count == exchanges.count)
    for (index, stub) in stubs.enumerated() {
      let text = try #require(stub["request"]?["bodyPatterns"]?.elements?.first?["equalToJson"]?.stringValue)
      let pattern = try JSONValue(jsonUTF8: Array(text.utf8))
      for (other, exchange) in exchanges.enumerated() {
        let body = try JSONValue(jsonUTF8: exchange.request.body.bytes ?? [])
        #expect(try Self.matches(pattern, body) == (index == other), "\(Self.texts[index]) and \(Self.texts[other])")
      }
    }
  }

  @Test(arguments: texts) func rulesOfMockoonAreNoTemplates(_ text: String) throws {
    let environment = try #require(try Self.export(.mockoon, [Self.exchange(text)]).first)
    let rules = environment["routes"]?.elements?.first?["responses"]?.elements?.first?["rules"]?.elements ?? []
    #expect(!rules.isEmpty)
    for rule in rules where rule["modifier"]?.stringValue == "post_id" {
      let value = try #require(rule["value"]?.stringValue)
      #expect(!value.contains("{{"))
      if rule["operator"] == .string("regex") {
        #expect(text.contains(try Regex("(?s)" + value)))
      } else {
        #expect(value == text)
      }
    }
  }
}

import NovaContract
import NovaCore
import NovaMock
import Testing

/// Gateways that differ from the mock: the comparison finds the place.
@Suite struct WrongGatewayTests {
  struct WrongAnswer: Sendable, CustomTestStringConvertible {
    let path: String
    let change: @Sendable (HTTPResponse) -> HTTPResponse
    let scenario: String
    /// Where in the value the difference is found.
    let place: String
    var testDescription: String { "\(path): \(place)" }
  }

  private static let wrongAnswers = [
    WrongAnswer(path: "/graph/followers", field: "total_count", to: .number("9"), "graph.follow", "$.total_count"),
    WrongAnswer(path: "/graph/is-following", field: "is_following", to: .bool(true), "graph.follow", "$"),
    WrongAnswer(path: "/graph/is-muted", field: "is_muted", to: nil, "graph.mute", "$"),
    WrongAnswer(path: "/social/likes/count", field: "count", to: .number("0"), "social.like", "$"),
    WrongAnswer(path: "/social/liked-posts", field: "post_ids", to: .array([]), "social.like", "$.post_ids[0]"),
    WrongAnswer(
      path: "/content/post/create", field: "post", inside: "created_at", to: .number("0"), "content.post",
      "$.created_at"),
    WrongAnswer(
      path: "/content/post/create", field: "post", inside: "created_at", to: .number("1"), "content.post",
      "$.created_at"),
    WrongAnswer(
      path: "/content/post/update", field: "post", inside: "id", to: .string("other"), "content.post", "$.id"),
    WrongAnswer(
      path: "/users/profile", field: "profile", inside: "bio", to: .string("Nobody's."), "users.profile", "$.bio"),
    WrongAnswer(path: "/auth/refresh", field: "expires_in", to: .number("60"), "auth.session", "$.expires_in"),
    WrongAnswer(
      path: "/media/upload/complete", field: "upload", inside: "url", to: .string(""), "media.upload", "$.url"),
    WrongAnswer(path: "/feed", field: "posts", to: .array([]), "graph.follow", "$.posts[0]"),
    WrongAnswer(path: "/content/post/delete", status: 404, becomes: 200, "content.post", "$"),
    WrongAnswer(path: "/graph/follow", status: 403, becomes: 500, "graph.block", "$.error.http_status"),
  ]

  @Test(arguments: wrongAnswers)
  func everyWrongAnswerIsFound(_ answer: WrongAnswer) async throws {
    let scenarios = ContractScenario.all.filter { $0.name == answer.scenario }
    let mock = ContractSuite(client: try .backend(MockTransport(MockBackend())), scenarios: scenarios)
    let wrong = ContractSuite(client: try .backend(WrongAnswerTransport(answer: answer)), scenarios: scenarios)
    let comparison = ContractComparison(await mock.run("mock"), await wrong.run("gateway"))
    #expect(
      comparison.differences.contains { $0.scenario == answer.scenario && $0.path == answer.place }, "\(comparison)")
  }

  @Test func serverSpecificValuesAreNoDifferences() async throws {
    let scenarios = ContractScenario.all.filter { ["social.like", "graph.block", "lists.likes"].contains($0.name) }
    let mock = await ContractSuite(client: try .backend(MockTransport(MockBackend())), scenarios: scenarios).run("mock")
    // Names in the other style, integers as strings, a field more, no has_more, errors in the other shape.
    let transport = ChangedTransport { response in
      guard let json = try? JSONValue(jsonUTF8: response.body.inMemory) else { return response }
      var response = response
      response.body = .bytes(
        response.status < 300 ? json.inAnotherDialect.jsonUTF8 : json.inNovasShape(response.status).jsonUTF8)
      return response
    }
    let other = await ContractSuite(client: try .backend(transport), scenarios: scenarios).run("gateway")
    #expect(other.problems.isEmpty, "\(other.problems)")
    let comparison = ContractComparison(mock, other)
    #expect(comparison.differences.isEmpty, "\(comparison)")
    #expect(!ContractComparison(mock, other, strictness: .exact).differences.isEmpty)
  }
}

extension WrongGatewayTests.WrongAnswer {
  /// A field of every success gets another value; nil takes it away.
  fileprivate init(
    path: String, field: String, inside inner: String? = nil, to value: JSONValue?, _ scenario: String, _ place: String
  ) {
    self.init(
      path: path,
      change: { response in
        guard response.status < 300, let json = try? JSONValue(jsonUTF8: response.body.inMemory), json[field] != nil
        else {
          return response
        }
        var response = response
        let new = inner.map { inner in json[field]?.setting(inner, to: value) } ?? value
        response.body = .bytes(json.setting(field, to: new).jsonUTF8)
        return response
      }, scenario: scenario, place: place)
  }

  /// A status becomes another.
  fileprivate init(path: String, status: Int, becomes other: Int, _ scenario: String, _ place: String) {
    self.init(
      path: path,
      change: { response in
        response.status == status ? HTTPResponse(status: other, body: Array("{}".utf8)) : response
      }, scenario: scenario, place: place)
  }
}

/// The mock, with another answer on one path.
struct WrongAnswerTransport: HTTPTransport {
  let answer: WrongGatewayTests.WrongAnswer
  let mock = MockTransport(MockBackend())

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let response = try await mock.send(request)
    return request.url.text.hasSuffix("/api/v1\(answer.path)") ? answer.change(response) : response
  }
}

/// The mock, with every answer changed.
struct ChangedTransport: HTTPTransport {
  let change: @Sendable (HTTPResponse) -> HTTPResponse
  let mock = MockTransport(MockBackend())

  init(change: @escaping @Sendable (HTTPResponse) -> HTTPResponse) { self.change = change }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { change(try await mock.send(request)) }
}

extension JSONValue {
  fileprivate func setting(_ name: String, to value: JSONValue?) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let others = members.filter { $0.name != name }
    return .object(others + (value.map { [.init(name: name, value: $0)] } ?? []))
  }

  /// lowerCamelCase, integers as strings, a field that nobody knows, and no `has_more`.
  fileprivate var inAnotherDialect: JSONValue {
    switch self {
    case .number(let text): Int64(text) == nil ? self : .string(text)
    case .array(let elements): .array(elements.map(\.inAnotherDialect))
    case .object(let members):
      .object(
        members.filter { $0.name != "has_more" }.map { .init(name: $0.name.camel, value: $0.value.inAnotherDialect) }
          // A map of ids has entries, not fields.
          + (members.contains { $0.name.contains("-") } ? [] : [.init(name: "newcomer", value: .bool(true))]))
    default: self
    }
  }

  /// The error in the shape of `{"error":{"code":"…","message":"…"}}`.
  fileprivate func inNovasShape(_ status: Int) -> JSONValue {
    let error: [Member] = [
      .init(name: "code", value: .string("REFUSED_\(status)")), .init(name: "message", value: .string("No.")),
    ]
    return .object([.init(name: "error", value: .object(error))])
  }
}

extension String {
  fileprivate var camel: String {
    let parts = split(separator: "_", omittingEmptySubsequences: false)
    // Keys of maps are ids, and stay.
    guard !contains("-"), let first = parts.first else { return self }
    return first + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

import NovaCore
import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

/// A pact keeps its promises: a backend with the same world sets up each provider state, and answers as the interaction
/// says. Tools/check-exports asks Pact's own verifier.
@Suite struct PactVerificationTests {
  private static func interactions(
    _ exchanges: [FixtureExchange], prerequisites: [FixtureExchange] = []
  ) throws -> [JSONValue] {
    let file = try #require(FixtureExport.pact.files(exchanges, prerequisites: prerequisites).first)
    return try JSONValue(jsonUTF8: file.bytes)["interactions"]?.elements ?? []
  }

  private static func backend() throws -> MockBackend {
    MockBackend(dataSet: .world(try World(seed: Seed(42), users: 20)))
  }

  @Test func everyInteractionVerifies() async throws {
    let interactions = try Self.interactions(
      try await FixtureExchange.shared() + FixtureExchange.sharedEdges())
    let verifier = PactVerifier(backend: try Self.backend())
    var problems: [String] = []
    for interaction in interactions { problems += await verifier.problems(of: interaction) }
    #expect(
      problems.isEmpty,
      "\(problems.count) problems of \(interactions.count) interactions:\n\(problems.prefix(40).joined(separator: "\n"))"
    )
    #expect(interactions.count > 800)
  }

  /// Each interaction is independent of those before, so a team can verify some of them, in any order.
  @Test(arguments: ["content.DeletePost", "media.CompleteUpload", "auth.Logout"])
  func someOfThemVerifyAlone(_ rpc: String) async throws {
    let recording = try await FixtureExchange.shared()
    let interactions = try Self.interactions(recording.filter { $0.rpc == rpc }, prerequisites: recording)
    #expect(!interactions.isEmpty)
    for interaction in interactions.reversed() {
      let problems = await PactVerifier(backend: try Self.backend()).problems(of: interaction)
      #expect(problems.isEmpty, "\(problems)")
    }
  }

  @Test func malformedRequestsNeedNoChanges() async throws {
    let interactions = try Self.interactions(try await FixtureExchange.shared())
    let largest = interactions.filter { $0["response"]?["status"]?.integerValue == 405 }.map { interaction in
      interaction["providerStates"]?.elements?.first?["params"]?["requests"]?.elements?.count ?? 0
    }.max()
    // Those that register the caller.
    #expect(try #require(largest) <= 4)
  }

  @Test func otherExchangesHaveNoState() throws {
    let exchange = FixtureExchange(
      rpc: "content.GetPost", name: "one",
      request: HTTPRequest(method: .post, url: HTTPURL(received: "/api/v1/content/post")),
      response: HTTPResponse(status: 404))
    let interactions = try Self.interactions([exchange])
    #expect(interactions.count == 1 && interactions[0]["providerStates"] == nil)
  }
}

/// Verifies interactions as Pact's verifier does, by type.
private struct PactVerifier {
  let backend: MockBackend

  /// Returns how the backend's answer differs from an interaction.
  func problems(of interaction: JSONValue) async -> [String] {
    let name = interaction["description"]?.stringValue ?? ""
    do {
      var values: [String: String] = [:]
      for state in interaction["providerStates"]?.elements ?? [] {
        let answer = await AdminAPI(backend).respond(
          to: HTTPRequest(
            method: .post, url: HTTPURL(received: "/_nova/provider-state"),
            body: JSONValue.members(
              ("state", state["name"]), ("params", state["params"]), ("action", .string("setup"))
            ).jsonUTF8))
        let text = String(decoding: answer.body.inMemory, as: UTF8.self)
        guard answer.status == 200 else { return ["\(name): the state fails: \(text.prefix(300))"] }
        for member in try JSONValue(jsonUTF8: answer.body.inMemory).memberList ?? [] {
          values[member.name] = member.value.stringValue
        }
      }
      let response = try await backend.answer(request(interaction["request"], values))
      let body = try await response.body.collect(upTo: 1 << 24)
      return differences(from: interaction["response"], status: response.status, body: body).map { "\(name): \($0)" }
    } catch {
      return ["\(name): \(error)"]
    }
  }

  private func request(_ json: JSONValue?, _ values: [String: String]) -> HTTPRequest {
    func filled(_ generator: JSONValue?) -> String? {
      guard var text = generator?["expression"]?.stringValue else { return nil }
      for (name, value) in values { text = text.replacing("${\(name)}", with: value) }
      return text
    }
    var headers: HTTPHeaders = [:]
    for header in json?["headers"]?.memberList ?? [] {
      let generated = filled(json?["generators"]?["header"]?[header.name])
      headers[header.name] = generated ?? header.value.elements?.first?.stringValue
    }
    let query = (json?["query"]?.memberList ?? []).flatMap { parameter in
      (parameter.value.elements ?? []).map { value in
        "\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode(value.stringValue ?? ""))"
      }
    }
    let path = (json?["path"]?.stringValue ?? "").split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    let target = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    return HTTPRequest(
      method: HTTPMethod(rawValue: json?["method"]?.stringValue ?? ""), url: HTTPURL(received: target),
      headers: headers, body: body(json, filled))
  }

  private func body(_ json: JSONValue?, _ filled: (JSONValue?) -> String?) -> [UInt8] {
    guard let body = json?["body"], let content = body["content"] else { return [] }
    switch content {
    case .string(let text):
      return body["encoded"] == .string("base64") ? Base64.decode(text) ?? [] : Array(text.utf8)
    case .object(let members):
      // The generators of these pacts are for members of the body itself.
      let generators = json?["generators"]?["body"]
      return JSONValue.object(
        members.map { member in
          let text = filled(generators?["$.\(member.name)"])
          return JSONValue.Member(name: member.name, value: text.map { .string($0) } ?? member.value)
        }
      ).jsonUTF8
    default: return content.jsonUTF8
    }
  }

  private func differences(from expected: JSONValue?, status: Int, body: [UInt8]) -> [String] {
    let text = String(decoding: body.prefix(300), as: UTF8.self)
    guard expected?["status"]?.integerValue == status else {
      return ["status \(status) in place of \(expected?["status"]?.integerValue ?? 0): \(text)"]
    }
    guard let content = expected?["body"]?["content"] else { return [] }
    if case .string = content { return [] }
    guard let actual = try? JSONValue(jsonUTF8: body) else { return ["no JSON: \(text)"] }
    return Self.differences(content, actual, at: "$")
  }

  private static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  private static func differences(_ expected: JSONValue, _ actual: JSONValue, at path: String) -> [String] {
    switch (expected, actual) {
    case (.object(let members), .object):
      members.flatMap { member -> [String] in
        guard let value = actual[member.name] else { return ["\(path).\(member.name) is missing"] }
        return differences(member.value, value, at: "\(path).\(member.name)")
      }
    case (.array(let elements), .array(let others)):
      elements.isEmpty == others.isEmpty
        ? zip(elements, others).flatMap { differences($0, $1, at: "\(path)[]") }
        : ["\(path) has \(others.count) elements in place of \(elements.count)"]
    default:
      kind(of: expected) == kind(of: actual)
        ? [] : ["\(path) is \(actual.kindDescription) in place of \(expected.kindDescription)"]
    }
  }
}

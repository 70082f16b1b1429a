import NovaContent
import NovaContract
import NovaCore
import NovaMock
import NovaSocial
import Testing

/// Scenarios that users write.
@Suite struct ScenarioStepTests {
  private func run(_ body: @escaping @Sendable (ScenarioRun) async throws -> Void) async throws -> ScenarioResult {
    let scenario = ContractScenario("own", summary: "A scenario of a user.", body: body)
    let suite = ContractSuite(client: try .backend(MockTransport(MockBackend())), scenarios: [scenario])
    return try #require(await suite.run("mock").results.first)
  }

  @Test func stepsMeetTheirExpectations() async throws {
    let result = try await run { run in
      let ada = try await run.user("ada")
      let post = try await run.post(of: ada)
      let likes = try await run.step("ada likes her post") {
        try await ada.social.createLike(postId: post.id, userId: ada.id)
      }.expect(1).expect { $0 < 2 }.value
      await run.step("one like") { likes }.expect(1)
      await run.step("a missing post", fails: .notFound) {
        try await ada.social.createLike(postId: run.missingID, userId: ada.id)
      }
      // A code without an HTTP status.
      await run.step("no connection", fails: .networkError) { throw APIError(.networkError, "connection refused") }
    }
    #expect(result.observations.map(\.problem) == [nil, nil, nil, nil, nil])
    #expect(
      result.observations.map(\.name) == [
        "ada posts", "ada likes her post", "one like", "a missing post", "no connection",
      ])
    #expect(result.observations[1].value == .number("1"))
  }

  @Test func unexpectedValuesAreProblems() async throws {
    let result = try await run { run in
      await run.step("a value") { 1 }.expect(2)
      await run.step("a condition") { 1 }.expect { $0 > 1 }
      await run.step("no error", fails: .notFound) { 1 }
      await run.step("another status", fails: .notFound, status: 410) {
        try await run.user("ada").social.createLike(postId: run.missingID, userId: "x")
      }
      await run.step("no answer") { throw APIError(.notFound, "not found") }
      await run.step("the next step") { 1 }
    }
    #expect(result.observations.map { $0.problem == nil } == [false, false, false, false, false, true])
    #expect(result.observations.first?.problem == "the response is not what the contract requires: 1")
  }

  @Test func aMissingValueEndsTheScenario() async throws {
    let result = try await run { run in
      let value: Int = try await run.step("no answer") { throw APIError(.notFound, "not found") }.value
      await run.step("never reached") { value }
    }
    #expect(result.observations.map(\.name) == ["no answer"])
  }
}

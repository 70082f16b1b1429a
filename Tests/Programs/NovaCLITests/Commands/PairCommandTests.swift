import NovaSDK
import NovaTestSupport
import Testing

@Suite struct PairCommandTests {
  /// Users of the sample data who are not related.
  private static let (ada, bea) = ("mock-user-id", "user-0001")

  @Test func followsLast() async throws {
    let (ada, bea) = (Self.ada, Self.bea)
    try await withServe { url, _ in
      let question = ["is-following", ada, bea, "--base-url", url]
      #expect(try await ProgramRun(question).result().output == "false\n")
      let follow = try await nova("follow", ada, bea, "--base-url", url)
      #expect(follow.status == 0)
      #expect(follow.output.isEmpty)
      #expect(follow.errors == "\(ada) follows \(bea)\n")
      #expect(try await ProgramRun(question).result().output == "true\n")
      #expect(try await nova("followers", bea, "--limit", "1", "--base-url", url, "-o", "ids").output == "\(ada)\n")
      #expect(try await nova("unfollow", ada, bea, "--base-url", url).status == 0)
      let after = try await ProgramRun(question).result()
      #expect(after.output == "false\n")
      #expect(after.status == 0)
    }
  }

  @Test func mutesAndBlocksLast() async throws {
    let (ada, bea) = (Self.ada, Self.bea)
    try await withServe { url, _ in
      #expect(try await nova("mute", ada, bea, "--base-url", url).status == 0)
      #expect(try await nova("is-muted", ada, bea, "--base-url", url).output == "true\n")
      #expect(try await nova("unmute", ada, bea, "--base-url", url).status == 0)
      #expect(try await nova("is-muted", ada, bea, "--base-url", url).output == "false\n")
      #expect(try await nova("block", bea, ada, "--base-url", url).status == 0)
      #expect(try await nova("is-blocked", bea, ada, "--base-url", url).output == "true\n")
      let refused = try await nova("follow", ada, bea, "--base-url", url)
      #expect(refused.status == 4)
      #expect(refused.errors.contains("blocked"))
      #expect(try await nova("unblock", bea, ada, "--base-url", url).status == 0)
      #expect(try await nova("is-blocked", bea, ada, "--base-url", url).output == "false\n")
    }
  }

  @Test func jsonIsTheResponse() async throws {
    let run = try await nova("follow", Self.ada, Self.bea, "--mock", "-o", "ndjson")
    #expect(try CreateFollowResponse(jsonUTF8: Array(run.output.utf8)).success)
    let answer = try await nova("is-following", Self.ada, Self.bea, "--mock", "-o", "ndjson")
    #expect(answer.output == "{\"is_following\":false}\n")
  }

  @Test func aRefusalHasTheServersWords() async throws {
    let run = try await nova("follow", "ada", "ada", "--mock")
    #expect(run.status == 65)
    #expect(run.errors.hasPrefix("nova: invalid argument: "))
    #expect(run.errors.contains(" (graph.CreateFollow, HTTP 400, INVALID_ARGUMENT, request "))
  }
}

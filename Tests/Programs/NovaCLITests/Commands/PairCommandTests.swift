import NovaSDK
import NovaTestSupport
import Testing

@Suite struct PairCommandTests {
  @Test func followsLast() async throws {
    try await withServe { url, _ in
      let question = ["is-following", "ada", "bea", "--base-url", url]
      #expect(try await ProgramRun(question).result().output == "false\n")
      let follow = try await nova("follow", "ada", "bea", "--base-url", url)
      #expect(follow.status == 0)
      #expect(follow.output.isEmpty)
      #expect(follow.errors == "ada follows bea\n")
      #expect(try await ProgramRun(question).result().output == "true\n")
      #expect(try await nova("followers", "bea", "--base-url", url, "-o", "ids").output == "ada\n")
      #expect(try await nova("unfollow", "ada", "bea", "--base-url", url).status == 0)
      let after = try await ProgramRun(question).result()
      #expect(after.output == "false\n")
      #expect(after.status == 0)
    }
  }

  @Test func mutesAndBlocksLast() async throws {
    try await withServe { url, _ in
      #expect(try await nova("mute", "ada", "bea", "--base-url", url).status == 0)
      #expect(try await nova("is-muted", "ada", "bea", "--base-url", url).output == "true\n")
      #expect(try await nova("unmute", "ada", "bea", "--base-url", url).status == 0)
      #expect(try await nova("is-muted", "ada", "bea", "--base-url", url).output == "false\n")
      #expect(try await nova("block", "bea", "ada", "--base-url", url).status == 0)
      #expect(try await nova("is-blocked", "bea", "ada", "--base-url", url).output == "true\n")
      let refused = try await nova("follow", "ada", "bea", "--base-url", url)
      #expect(refused.status == 4)
      #expect(refused.errors.contains("blocked"))
      #expect(try await nova("unblock", "bea", "ada", "--base-url", url).status == 0)
      #expect(try await nova("is-blocked", "bea", "ada", "--base-url", url).output == "false\n")
    }
  }

  @Test func jsonIsTheResponse() async throws {
    let run = try await nova("follow", "ada", "bea", "--mock", "-o", "ndjson")
    #expect(try CreateFollowResponse(jsonUTF8: Array(run.output.utf8)).success)
    #expect(try await nova("is-following", "a", "b", "--mock", "-o", "ndjson").output == "{\"is_following\":false}\n")
  }

  @Test func aRefusalHasTheServersWords() async throws {
    let run = try await nova("follow", "ada", "ada", "--mock")
    #expect(run.status == 65)
    #expect(run.errors.hasPrefix("nova: invalid argument: "))
    #expect(run.errors.contains(" (graph.CreateFollow, HTTP 400, INVALID_ARGUMENT, request "))
  }
}

import ArgumentParser
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Users by name, several IDs, IDs on standard input, and what does not exist.
@Suite struct IDArgumentTests {
  @Test(arguments: [
    ("ada", UserReference.id("ada")), ("@", .id("@")), ("@me", .signedIn), ("@bruce_li", .name("bruce_li")),
    ("@Me", .name("Me")), ("a@me", .id("a@me")),
  ])
  func aUserIsAnIDOrAName(_ text: String, _ expected: UserReference) { #expect(UserReference(text) == expected) }

  @Test(arguments: [
    (["followers", "@yara_1492", "--limit", "1"], 0), (["profile", "@bruce_li", "-o", "ids"], 0),
    (["profile", "@BRUCE_LI", "-o", "ids"], 0), (["post", "create", "Hi", "--as", "@bruce_li", "-o", "ids"], 0),
    (["follow", "@bruce_li", "@yara_1492"], 0), (["like", "@bruce_li", "post-1"], 0), (["watch", "user:@nobody_9"], 5),
    (["followers", "@nobody_9"], 5), (["followers", "@me"], 4),
  ])
  func namesAreUsers(_ arguments: [String], _ status: Int) async throws {
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.status == Int32(status), "\(run)")
  }

  @Test func aNameInPlaceOfAnIDIsRecognized() async throws {
    for command in [["followers", "yara_1492"], ["profile", "yara_1492"]] {
      let run = try await ProgramRun(command + ["--mock"]).result()
      #expect(run.status == 5 && run.errors.contains("Did you mean @yara_1492? Its ID is user-1492."), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ["followers", "nobody"], ["following", "nobody", "--all"], ["posts", "nobody"], ["bookmarks", "nobody"],
    ["liked", "nobody"], ["feed", "nobody"], ["creators", "nobody"], ["videos", "nobody"], ["comments", "post-99999"],
    ["likes", "post-99999"], ["stats", "post-99999"], ["watch", "post:nope"], ["watch", "user:nope"],
    ["follow", "mock-user-id", "nobody-here"], ["mute", "nobody-here", "--as", "mock-user-id"],
    ["block", "mock-user-id", "nobody-here"], ["is-following", "mock-user-id", "nobody-here"],
    ["like", "psot-1", "post-2"], ["share", "post-1", "hi", "--as", "mock-user-id"],
  ])
  func whatDoesNotExistIs5(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.status == 5 && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("nova: not found: "), "\(run.errors)")
  }

  @Test func meWithoutTheSignIsRecognized() async throws {
    let run = try await nova("followers", "me", "--mock")
    #expect(run.status == 5 && run.errors.contains("Did you mean @me"), "\(run)")
  }

  @Test func everyPostWithoutStatisticsIsReported() async throws {
    let run = try await nova("stats", "post-99998", "post-1", "post-99999", "--mock", "-o", "ids")
    #expect(run.status == 5 && run.output == "post-1\n", "\(run)")
    for post in ["post-99998", "post-99999"] { #expect(run.errors.contains("not found: post \"\(post)\""), "\(run)") }
  }

  @Test func ifAllFailNoneHasSucceeded() async throws {
    let all = try await nova("like", "mock-user-id", "post-99998", "post-99999", "--mock")
    #expect(all.status == 5 && all.errors.contains("nova: all 2 failed\n"), "\(all)")
    let one = try await nova("like", "mock-user-id", "post-1", "post-99999", "--mock")
    #expect(one.status == 5 && one.errors.contains("1 of 2 failed; the others succeeded"), "\(one)")
  }

  /// The first of several IDs is a user only if it is one.
  @Test func aPostIsNotTakenForAUser() async throws {
    try await withServe { url, _ in
      func run(_ arguments: String..., input: String = "") async throws -> RunResult {
        try await ProgramRun(arguments + ["--base-url", url], input: input).result()
      }
      let user = try await run("like", "mock-user-id", "post-1", "post-2")
      #expect(user.status == 0, "\(user)")
      #expect(user.errors.contains("mock-user-id likes post-1") && user.errors.contains("likes post-2"), "\(user)")
      let posts = try await run("like", "post-1", "post-2")
      #expect(posts.status == 64 && posts.errors.contains("missing --as"), "\(posts)")
      let both = try await run("unlike", "post-1", "post-2", "--as", "mock-user-id", "-o", "ndjson")
      #expect(both.lines.count == 2 && both.lines[0].hasPrefix(#"{"post_id":"post-1","success":true"#), "\(both)")
      let text = try await run("share", "post-1", "Look at this!", "--as", "mock-user-id")
      #expect(text.status == 5 && text.errors.contains("Look at this!"), "\(text)")
    }
  }

  @Test func idsComeFromStandardInput() async throws {
    let ids = "post-1\npost-2\n\n  post-1 post-3\r\n"
    let stats = try await nova("stats", "-", "--mock", "-o", "ids", input: ids)
    #expect(stats.lines == ["post-1", "post-2", "post-3"], "\(stats)")
    let like = try await nova("like", "-", "--as", "ada", "--mock", input: ids)
    #expect(like.status == 0 && like.errors.split(separator: "\n").count == 3, "\(like)")
    let follow = try await nova("follow", "mock-user-id", "-", "--mock", input: "user-0001 user-0003")
    #expect(follow.errors == "mock-user-id follows user-0001\nmock-user-id follows user-0003\n")
    let nothing = try await nova("like", "-", "--as", "ada", "--mock", input: " \n")
    #expect(nothing.status == 0 && nothing.errors == "no IDs on standard input: nothing to do\n")
    let none = try await nova("stats", "-", "--mock", input: " \n")
    #expect(none.status == 0 && none.errors == "no IDs on standard input: nothing to do\n", "\(none)")
    #expect(try await nova("like", "-", "-", "--as", "ada", "--mock", input: ids).status == 64)
    let shown = try await nova("post", "show", "-", "--mock", "-o", "ids", input: ids)
    #expect(shown.lines == ["post-1", "post-2", "post-3"])
  }

  @Test func oneThatFailsDoesNotStopTheOthers() async throws {
    let run = try await nova("like", "post-1", "nope", "post-2", "--as", "ada", "--mock")
    #expect(run.status == 5, "\(run)")
    #expect(run.errors.contains("ada likes post-1") && run.errors.contains("ada likes post-2"), "\(run)")
    #expect(run.errors.contains("not found: post \"nope\"") && run.errors.contains("1 of 3 failed"), "\(run)")
    let shown = try await nova("post", "show", "post-1", "nope", "--mock", "-o", "json")
    let document = try JSONValue(jsonUTF8: Array(shown.output.utf8))
    #expect(shown.status == 5 && document["posts"]?.elements?.count == 1, "\(shown)")
  }

  @Test func questionsCanAnswerByTheirExitCode() async throws {
    let question = ["is-following", "mock-user-id"]
    func run(_ arguments: [String]) async throws -> RunResult {
      try await ProgramRun(question + arguments + ["--mock"]).result()
    }
    #expect(try await run(["user-0001"]).status == 0)
    let no = try await run(["user-0001", "--exit-code"])
    #expect(no.status == 3 && no.output == "false\n" && no.errors.isEmpty, "\(no)")
    let yes = try await run(["user-0002", "--exit-code"])
    #expect(yes.status == 0 && yes.output == "true\n", "\(yes)")
    let quiet = try await run(["user-0001", "-q"])
    #expect(quiet.status == 3 && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
    let several = try await run(["user-0002", "user-0001"])
    #expect(several.output == "user-0002\ttrue\nuser-0001\tfalse\n", "\(several)")
  }

  @Test func aLimitIsReadInAsManyPagesAsItTakes() async throws {
    for command in [["posts", "mock-user-id"], ["followers", "mock-user-id"], ["feed", "mock-user-id"]] {
      let count = command[0] == "followers" ? 1200 : 150
      let run = try await ProgramRun(command + ["--limit", "\(count)", "--mock", "-o", "ids"]).result()
      #expect(run.lines.count == count && Set(run.lines).count == count, "\(command): \(run.lines.count)")
    }
    let part = try await nova("posts", "mock-user-id", "-L", "120", "--offset", "10", "--mock", "-o", "ids")
    #expect(part.lines == (116...235).reversed().map { "post-\($0)" })
  }

  @Test(arguments: [
    ("0", "must be 1 or more, got 0"), ("2147483648", "must be at most 2147483647, got 2147483648"),
  ])
  func aLimitOutOfRangeIsExplained(_ limit: String, _ message: String) throws {
    let error = try #require(
      #expect(throws: (any Error).self) { try CommandTree.check(["followers", "x", "--limit=\(limit)"]) })
    #expect(NovaCommand.fullMessage(for: error).contains("invalid --limit: \(message)"))
  }

  @Test func aCommentNeedsNoSubcommand() async throws {
    let run = try await nova("comment", "post-1", "Well said.", "--as", "mock-user-id", "--mock", "--fields", "content")
    #expect(run.status == 0 && run.output.contains("Well said."), "\(run)")
    let slip = try await nova("comment", "crate", "post-1", "x", "--as", "mock-user-id", "--mock")
    #expect(slip.status == 64 && slip.errors.contains("Did you mean create?"), "\(slip)")
  }
}

import NovaSDK
import NovaTestSupport
import Testing

@Suite struct PostCommandTests {
  @Test func whatIsWrittenCanBeRead() async throws {
    try await withServe { url, _ in
      func run(_ arguments: String..., input: String = "") async throws -> RunResult {
        try await ProgramRun(arguments + ["--base-url", url], input: input).result()
      }
      let created = try await run("post", "create", "--as", "ada", "Morning walk", "--title", "Out", "-o", "ids")
      #expect(created.status == 0)
      let id = try #require(created.lines.first)
      let shown = try await run("post", "show", id, "-o", "json")
      let post = try Post(jsonUTF8: Array(shown.output.utf8))
      #expect((post.creatorId, post.content, post.title) == ("ada", "Morning walk", "Out"))
      let edited = try await run("post", "edit", id, "-", "--status", "archived", input: "Evening\nwalk\n")
      #expect(edited.output.contains("CONTENT     Evening\n            walk\n"))
      #expect(try await run("posts", "ada", "--status", "archived", "-o", "ids").lines == [id])
      #expect(try await run("posts", "ada", "--status", "draft", "-o", "ids").lines.isEmpty)
      #expect(try await run("posts", "ada", "--fields", "content").lines == [#"Evening\nwalk"#])
      #expect(try await run("post", "delete", id, "--as", "bea", "--yes").status == 4)
      let deleted = try await run("post", "delete", id, "--as", "ada", "-y")
      #expect(deleted.status == 0)
      #expect(deleted.errors == "\(id) is deleted\n")
      #expect(try await run("post", "show", id).status == 5)
    }
  }

  @Test func likesBookmarksAndSharesLast() async throws {
    try await withServe { url, _ in
      func run(_ arguments: String...) async throws -> RunResult {
        try await ProgramRun(arguments + ["--base-url", url]).result()
      }
      let like = try await run("like", "post-1", "--as", "ada")
      #expect(like.errors == "ada likes post-1, which has 16 likes\n")
      #expect(like.output.isEmpty)
      #expect(try await run("likes", "post-1", "-o", "ids").lines.first == "ada")
      #expect(try await run("liked", "ada", "-o", "ids").lines == ["post-1"])
      #expect(try await run("unlike", "post-1", "--as", "ada").status == 0)
      #expect(try await run("liked", "ada", "-o", "ids").lines.isEmpty)
      #expect(try await run("bookmark", "post-2", "--as", "ada").status == 0)
      #expect(try await run("bookmarks", "ada", "-o", "ids").lines == ["post-2"])
      #expect(try await run("unbookmark", "post-2", "--as", "ada").status == 0)
      #expect(try await run("bookmarks", "ada", "-o", "ids").lines.isEmpty)
      let share = try await run("share", "post-1", "--as", "ada", "--type", "story", "-o", "ndjson")
      #expect(try CreateShareResponse(jsonUTF8: Array(share.output.utf8)).shareCount == 3)
      #expect(try await run("share", "post-1", "--as", "ada", "--type", "fax").status == 65)
    }
  }

  @Test func commentsLast() async throws {
    try await withServe { url, _ in
      func run(_ arguments: String..., input: String = "") async throws -> RunResult {
        try await ProgramRun(arguments + ["--base-url", url], input: input).result()
      }
      let first = try await run("comment", "create", "post-1", "--as", "ada", "-o", "ids", input: "Nice\n")
      let id = try #require(first.lines.first)
      let reply = try await run("comment", "create", "post-1", "Yes", "--as", "bea", "--reply-to", id, "-o", "ids")
      #expect(try await run("comments", "post-1", "-o", "ids").lines.prefix(2) == reply.lines + [id])
      let oldest = try await run("comments", "post-1", "--order", "oldest", "--sort", "updated", "-o", "ids")
      #expect(oldest.lines.last == reply.lines.first)
      #expect(try await run("comment", "edit", id, "Nicer", "--as", "bea").status == 4)
      #expect(try await run("comment", "edit", id, "Nicer", "--as", "ada").output.contains("Nicer"))
      #expect(try await run("comment", "delete", id, "--as", "bea", "--yes").status == 4)
      #expect(try await run("comment", "delete", id, "--as", "ada", "-y").errors == "\(id) is deleted\n")
      #expect(!(try await run("comments", "post-1", "-o", "ids").lines.contains(id)))
    }
  }

  @Test func textsCannotControlTheTerminal() async throws {
    try await withServe { url, _ in
      let text = "a\u{1B}[2J\nb\u{202E}c"
      let created = try await nova("post", "create", "--as", "ada", text, "--base-url", url)
      #expect(created.output.contains("a\\u{1b}[2J\n            b\\u{202e}c\n"))
      let table = try await nova("posts", "ada", "--fields", "content", "--base-url", url)
      #expect(table.output == "a\\u{1b}[2J\\nb\\u{202e}c\n")
    }
  }

  @Test func badTextsAreBadData() async throws {
    for text in ["", String(repeating: "x", count: 10_001)] {
      let run = try await nova("post", "create", "--as", "ada", "--mock", input: text)
      #expect(run.status == 65)
      #expect(run.errors.contains("content must have 1 to 10000 characters"))
    }
    #expect(try await nova("comment", "create", "post-1", "", "--as", "ada", "--mock").status == 65)
    let long = String(repeating: "x", count: 2001)
    #expect(try await nova("comment", "create", "post-1", long, "--as", "ada", "--mock").status == 65)
  }

  @Test(arguments: [
    ["post", "show", "nope"], ["post", "edit", "nope", "x"], ["post", "delete", "nope", "--as", "ada", "--yes"],
    ["like", "ada", "nope"], ["bookmark", "ada", "nope"], ["share", "ada", "nope"],
    ["comment", "create", "nope", "x", "--as", "ada"], ["comment", "edit", "nope", "x", "--as", "ada"],
    ["profile", "nobody"], ["profile", "edit", "nobody", "--bio", "x"],
  ])
  func whatIsMissingIs5(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.status == 5, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ["post"], ["post", "show"], ["post", "show", ""], ["post", "create", "x"], ["post", "edit", "post-1"],
    ["post", "burn", "post-1"], ["comment", "create", "post-1", "x"], ["like", "ada"], ["stats"],
    ["comments", "post-1", "--order", "random"], ["profile", "edit", "ada"], ["profile", "ada", "--posts", "-1"],
    ["completion", "tcsh"], ["register", "ada@example.com"], ["feed", "ada", "--limit", "0"],
  ])
  func wrongUsageIs64(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + (arguments[0] == "completion" ? [] : ["--mock"])).result()
    #expect(run.output.isEmpty)
    #expect(run.status == 64, "\(run.errors)")
  }
}

import NovaSDK
import NovaTestSupport
import Testing

@Suite struct CaptureCommandTests {
  /// Runs commands at a `nova serve` with a signed-in user: without one, `capture` sends nothing.
  private func withSession(
    _ body: (_ nova: (_ arguments: [String], _ input: String) async throws -> RunResult) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try await withServe { url, _ in
      func nova(_ arguments: [String], _ input: String) async throws -> RunResult {
        try await ProgramRun(
          arguments + ["--base-url", url], input: input, environment: ["HOME": folder.path]
        ).result()
      }
      let login = try await nova(["login", "bruce@nova.social", "--password-stdin"], "mock-password\n")
      try #require(login.status == 0, "\(login)")
      try await body(nova)
    }
  }

  @Test func whatIsCapturedIsListedShownChangedAndDeleted() async throws {
    try await withSession { nova in
      func run(_ arguments: String..., input: String = "") async throws -> RunResult {
        try await nova(["capture"] + arguments, input)
      }
      let rain = try await run("Rain on the roof", "-o", "json")
      #expect(rain.status == 0 && rain.errors.isEmpty, "\(rain.errors)")
      let something = try Something(jsonUTF8: Array(rain.output.utf8))
      #expect(something.content == "Rain on the roof" && something.meaning == nil)
      let id = String(something.id)
      // Standard input, by name and because there is no text; the line break at its end is not the text's.
      let dash = try await run("-", "-o", "ids", input: "Sun\n")
      let piped = try await run("-o", "ids", input: "Two\nlines\n")
      #expect(try await run("list", "-o", "ids").lines == piped.lines + dash.lines + [id])
      #expect(
        try await run("show", piped.lines[0]).output.contains(
          "CONTENT                 Two\n                        lines\n"))
      let meaning = try await run("meaning", id, "Calm", "-o", "ndjson")
      #expect(meaning.output.contains(#""meaning":"Calm","is_meaning_user_edited":true"#))
      #expect(try await run("meaning", id, input: "Calmer\n").output.contains("Calmer"))
      let deleted = try await run("delete", id, "--yes")
      #expect(deleted.status == 0 && deleted.errors == "capture \(id) is deleted\n" && deleted.output.isEmpty)
      #expect(try await run("delete", dash.lines[0], "-y", "-o", "ndjson").output == "{}\n")
      #expect(try await run("show", id).status == 5)
      #expect(try await run("delete", id, "--yes").status == 5)
      #expect(try await run("meaning", id, "x").status == 5)
    }
  }

  @Test func aListReportsItsExtent() async throws {
    try await withSession { nova in
      for text in ["one", "two", "three"] { _ = try await nova(["capture", text], "") }
      let page = try await nova(["capture", "list", "--limit", "2"], "")
      #expect(page.lines.map { $0.split(separator: "\t").count } == [5, 5])
      #expect(page.lines.map { $0.contains("three") || $0.contains("two") } == [true, true])
      #expect(page.errors == "2 captures shown; use --all to list all\n")
      let rest = try await nova(["capture", "list", "--offset", "2"], "")
      #expect(rest.errors == "1 capture, from offset 2\n")
      let json = try await nova(["capture", "list", "--all", "-o", "json", "--fields", "content"], "")
      let document = try JSONValue(jsonUTF8: Array(json.output.utf8))
      #expect(document["total_count"] == nil, "the server does not count")
      #expect(document["has_more"] == .bool(false))
      let texts = ["three", "two", "one"].map { JSONValue.object([.init(name: "content", value: .string($0))]) }
      #expect(document["somethings"] == .array(texts))
    }
  }

  @Test(arguments: [("lst", "list"), ("delte", "delete"), ("Show", "show"), ("ad", "add")])
  func aWordCloseToASubcommandIsNotCaptured(_ word: String, _ name: String) async throws {
    let run = try await nova("capture", word, "--mock")
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("nova: unclear argument: \"\(word)\" resembles the subcommand \(name)\n"))
    #expect(run.errors.contains("`nova capture add \(word)`"))
    let added = try await nova("capture", "add", word, "--mock", "-o", "ndjson")
    #expect(try Something(jsonUTF8: Array(added.output.utf8)).content == word)
  }

  @Test(arguments: ["Rain", "listing all of it", "li st", "-"])
  func otherTextsAreCaptured(_ text: String) async throws {
    let run = try await nova("capture", text, "--mock", "-o", "ndjson", input: "Sun")
    #expect(try Something(jsonUTF8: Array(run.output.utf8)).content == (text == "-" ? "Sun" : text))
  }

  @Test(arguments: [
    ("text\n", Int32(0), "CONTENT"), ("list\n", 0, "ID  CREATED AT"), ("\n", 1, "not confirmed"),
    ("\u{4}", 1, "not confirmed"),
  ])
  func onATerminalTheWordIsAQuestion(keys: String, status: Int32, output: String) async throws {
    let terminal = try PseudoTerminal(["capture", "lst", "--mock"], showsErrors: true, readsKeys: true)
    try await terminal.wait(for: "Capture the text \"lst\", or run `nova capture list`? [text/list/cancel] ")
    try terminal.type(keys)
    #expect(try await terminal.status() == status, "\(terminal.output)")
    try await terminal.wait(for: output)
  }

  @Test func aTextThatIsTooLongOrEmptyIsBadData() async throws {
    for text in ["", String(repeating: "x", count: 10_001)] {
      let run = try await nova("capture", "--mock", input: text)
      #expect(run.status == 65 && run.output.isEmpty)
      #expect(run.errors.contains("content must have 1 to 10000 characters"))
    }
    #expect(try await nova("capture", "list", "--limit", "101", "--mock").status == 0)
  }

  @Test func optionsMayStandInFront() async throws {
    #expect(try await nova("--mock", "-o", "ids", "capture", "Rain").lines == ["1"])
    #expect(try await nova("--mock", "-o", "ids", "capture", "list").lines.isEmpty)
    #expect(try await nova("capture", "create", "list", "--mock", "-o", "ids").lines == ["1"])
  }

  @Test(arguments: [
    ["capture", "show"], ["capture", "show", "x"], ["capture", "meaning"], ["capture", "list", "--limit", "0"],
    ["capture", "delete", "99999999999999999999"], ["pet"], ["pet", ""], ["pets", "--near", "91,0"],
    ["pets", "--near", "52.2"], ["pets", "--near"], ["pets", "pet-1"], ["pets", "--fields", "age"],
  ])
  func wrongUsageIs64(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--mock"]).result()
    #expect(run.output.isEmpty)
    #expect(run.status == 64, "\(run.errors)")
  }

  @Test(arguments: [["capture", "Rain"], ["capture", "list"], ["capture", "show", "1"]])
  func aRefusedTokenHasAHintToReplaceIt(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--mock"], environment: ["NOVA_TOKEN": Canary.secret]).result()
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains("Unset NOVA_TOKEN, or set a valid token."))
  }

  @Test func withoutAGatewayThereIsNoConnection() async throws {
    let run = try await ProgramRun(
      ["capture", "Rain", "--base-url", "http://127.0.0.1:1"], environment: ["NOVA_TOKEN": "a.b.c"]
    ).result()
    #expect(run.status == 6 && run.output.isEmpty)
  }
}

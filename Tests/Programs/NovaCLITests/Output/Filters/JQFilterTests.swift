import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// `--jq`, with the system's jq.
@Suite struct JQFilterTests {
  private func filtered(_ json: String, _ expression: String, isTerminal: Bool = false) throws -> String {
    let filter = try JQFilter(expression, isTerminal: isTerminal)
    let output = try filter.filtered(Array(json.utf8))
    let (rest, failure) = try filter.end()
    if let failure { throw failure }
    return String(decoding: output + rest, as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"a":[1,2]}"#, ".a[]", "1\n2\n"), (#"{"a":"x y"}"#, ".a", "x y\n"), (#"{"a":{"b":1}}"#, ".a", "{\"b\":1}\n"),
    ("{}{}", "-1", "-1\n-1\n"), ("[3]", "-.[0]", "-3\n"), ("", ".", ""),
  ])
  func expressionsAreThoseOfJQ(json: String, expression: String, expected: String) throws {
    #expect(try filtered(json, expression) == expected)
  }

  @Test func onATerminalTextIsEscapedAndJSONIsIndented() throws {
    #expect(
      try filtered(#"{"a":"x\u001b[31m\u202e\ty\n\u009b👩‍💻"}"#, ".a", isTerminal: true)
        == "x\\u001b[31m\\u202e\ty\n\\u009b👩‍💻\n")
    #expect(try filtered(#"{"a":1}"#, ".", isTerminal: true) == "{\n  \"a\": 1\n}\n")
    #expect(try filtered(#"{"a":"\u001b[31m"}"#, ".a") == "\u{1B}[31m\n")
  }

  /// More than pipes hold, in both directions, and more than a program reads.
  @Test(arguments: [(".[]|.", 200_000), ("length", 200_000), ("first(inputs)", 200_000)])
  func muchIsNoDeadlock(_ expression: String, _ count: Int) throws {
    let json = "[" + (0..<count).map(String.init).joined(separator: ",") + "]"
    let output = try filtered(expression.hasPrefix("first") ? "[]" + json : json, expression)
    #expect(output.hasPrefix("0\n") || output.hasPrefix("200000") || output.hasPrefix("[0,"))
  }

  @Test(arguments: [(".[", "invalid --jq: syntax error"), ("nope", "invalid --jq: nope/0 is not defined")])
  func wrongExpressionsAreUsageErrors(_ expression: String, _ message: String) throws {
    let failure = #expect(throws: Failure.self) { try JQFilter.check(expression) }
    #expect(failure?.status == .usage && failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
  }

  /// A jq that rounds integers rounds those of the expression, too.
  @Test(arguments: [
    ("select(.count==9007199254740993)", false), (".count as $x|if $x > 9223372036854775807 then 1 else 2 end", false),
    ("[.count, 18446744073709551616]", false), (#""\(.count + 9007199254740993)""#, false),
    ("select(.count==9007199254740992)", true), ("select(.count==1e17)", true), ("select(.x==0.1)", true),
    (#"select(.id=="9007199254740993")"#, true), (".a9007199254740993", true), (". # 9007199254740993", true),
    ("select(.count==00000000000000000000000001)", true),
  ])
  func integersOfTheExpressionAreNotRounded(_ expression: String, _ isSafe: Bool) throws {
    let isRounding = (try? filtered("[9007199254740993]", "map(.+0)")) == nil
    if isSafe || !isRounding { return try JQFilter.check(expression) }
    let failure = #expect(throws: Failure.self) { try JQFilter.check(expression) }
    #expect(failure?.status == .badData && failure?.message.contains("the expression has ") == true)
  }

  @Test func expressionsThatDoNotFitTheDataAreBadData() throws {
    let failure = #expect(throws: Failure.self) { try filtered(#"{"a":1}"#, ".a.b") }
    #expect(failure?.status == .badData)
    #expect(failure?.message.hasPrefix("--jq failed: Cannot index number with ") == true, "\(failure?.message ?? "")")
  }

  @Test func secretsInVariablesAreNotPassedOn() async throws {
    let run = try await nova(
      "followers", "mock-user-id", "--mock", "--jq", "$ENV|keys|map(select(startswith(\"NOVA_\")))|length",
      environment: ["NOVA_LOG_LEVEL": "critical"])
    #expect(run.output == "0\n", "\(run.errors)")
  }

  // MARK: The program

  private static let commands: [([String], String, String)] = [
    (["followers", "mock-user-id", "--all"], ".user_ids|length", "3021\n"),
    (["followers", "mock-user-id", "--limit", "2", "-o", "ndjson"], ".user_id", "user-1492\nuser-0952\n"),
    (["posts", "mock-user-id", "--limit", "1"], ".posts[]|[.id,.created_at]|@tsv", "post-245\t1725315591\n"),
    (["profile", "mock-user-id"], ".username", "bruce_li\n"),
    (["like", "post-1", "--as", "ada"], ".like_count", "16\n"),
    (["is-following", "mock-user-id", "user-0001"], ".is_following", "false\n"),
    (["stats", "post-1"], ".stats[0].like_count", "15\n"),
    (["feed", "mock-user-id", "--limit", "1"], ".posts[0].id", "post-245\n"),
    (["call", "graph.GetFollowers", #"{"user_id":"mock-user-id"}"#], ".total_count", "3021\n"),
    (["config", "show"], #".[]|select(.key=="flags.mock_data").value"#, "true\n"), (["pets"], ".skipped|length", "7\n"),
    (["pet", "pet-1"], ".name", "Luna\n"),
  ]

  @Test(arguments: commands)
  func commandsFilterTheirJSON(arguments: [String], expression: String, expected: String) async throws {
    let run = try await ProgramRun(arguments + ["--mock", "--jq", expression]).result()
    #expect(run.status == 0 && run.output == expected, "\(run)")
  }

  /// Commands that call no gateway: arguments, the filter, and the output.
  private static let local: [([String], [String], String)] = [
    (["decode", "Comment"], ["--jq", ".content"], "Hi\n"),
    (["decode", "Comment"], ["--template", "{{id}}: {{content}}"], "c1: Hi\n"),
    (["decode", "Comment", "--dialect", "camel"], ["--template", "{{creatorId}}"], "ada\n"),
    (["describe"], ["--jq", ".[0].service"], "analytics\n"),
    (["describe", "graph.GetFollowers"], ["--jq", ".path"], "/api/v1/graph/followers\n"),
    (["describe", "graph.GetFollowers"], ["--template", "{{method}} {{rpc}}"], "POST graph.GetFollowers\n"),
    (
      ["fixtures", "list"], ["--jq", #"map(select(.kind == "format").name) | join(" ")"#],
      "json ndjson proto-binary csv sqlite postgresql\n"
    ),
    (["openapi"], ["--jq", ".openapi"], "3.1.0\n"),
    (["openapi"], ["--template", "{{openapi}} {{info.title}}"], "3.1.0 NovaSocial gateway\n"),
  ]

  @Test(arguments: local)
  func commandsWithoutCallsFilterTheirJSON(arguments: [String], filter: [String], expected: String) async throws {
    let run = try await ProgramRun(arguments + filter, input: #"{"id":"c1","creator_id":"ada","content":"Hi"}"#)
      .result()
    #expect(run.status == 0 && run.output == expected && run.errors.isEmpty, "\(run)")
  }

  @Test(arguments: [
    (["decode", "Comment", "--template", "{{nope}}"], #"not found: field "nope" of --template"#),
    (["openapi", "--template", "{{nope}}"], #"not found: field "nope" of --template"#),
    (["describe", "Post", "--template", "{{nope}}"], #"not found: field "nope" of --template"#),
    (["fixtures", "list", "--template", "{{nope}}"], #"not found: field "nope" of --template"#),
    (["openapi", "-o", "yaml", "--jq", "."], "--jq reads JSON; remove --output"),
    (["openapi", "--out", "x.json", "--jq", "."], "--jq and --out cannot be combined; use > to write a file"),
    (["openapi", "--out", "x.json", "--template", "x"], "--template and --out cannot be combined"),
    (["decode", "Comment", "--jq", ".", "--template", "x"], "--jq and --template cannot be combined"),
    (["fixtures", "list", "-o", "table", "--jq", "."], "invalid --output: --jq reads JSON"),
    (["describe", "-o", "ids", "--jq", "."], "invalid --output: --jq reads JSON"),
    (["describe", "-o", "json", "--template", "x"], "--template and --output cannot be combined"),
  ])
  func filtersThatDoNotFitAreUsageErrors(_ arguments: [String], _ message: String) async throws {
    let run = try await ProgramRun(arguments, input: "{}").result()
    #expect(run.status == 64 && run.output.isEmpty && run.errors.contains(message), "\(run)")
  }

  @Test func aWrongExpressionIsReportedBeforeAnythingIsSent() async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let run = try await nova("like", "post-1", "--as", "ada", "--jq", ".[", "--base-url", server.url)
    #expect(run.status == 64 && run.output.isEmpty && run.errors.contains("invalid --jq: syntax error"), "\(run)")
    #expect(server.requestCount == 0)
  }

  @Test func withoutJQTheErrorNamesIt() async throws {
    let run = try await nova("followers", "x", "--mock", "--jq", ".", environment: ["PATH": "/dev/null/none"])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("cannot run --jq: the program jq was not found on the PATH"))
    #expect(run.errors.contains("apt-get install jq"))
  }

  @Test func aFailureOfTheCallIsReportedOnce() async throws {
    let run = try await nova("profile", "nobody", "--mock", "--jq", ".username")
    #expect(run.status == 5 && run.output.isEmpty && !run.errors.contains("jq"), "\(run)")
  }

  @Test func aReaderThatEndsEarlyIsNoFailure() async throws {
    let program = try ProgramRun.program().path
    let command = #""$0" followers mock-user-id --mock --all -o ndjson --jq .user_id | head -1"#
    let run = try await ProgramRun(["-c", command, program], executable: URL(filePath: "/bin/sh")).result()
    #expect(run.status == 0 && run.lines.count == 1 && run.errors.isEmpty, "\(run)")
  }
}

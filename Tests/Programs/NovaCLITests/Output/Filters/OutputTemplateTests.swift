import ArgumentParser
import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

/// `--template`.
@Suite struct OutputTemplateTests {
  private static let record: JSONValue = .members(
    ("id", .string("post-1")), ("content", .string("a\tb\nc\u{1B}[31m\u{202E}")), ("like_count", .number("3021")),
    ("is_private", .bool(true)), ("title", .null), ("media_ids", .array([.string("m1"), .string("m2")])),
    ("owner", .members(("name", .string("Ada")), ("tags", .array([.members(("name", .string("x")))])))))

  private static let templates: [(String, String)] = [
    ("{{id}}", "post-1"), ("{{ id }}: {{like_count}}", "post-1: 3021"),
    (#"{{id}}\t{{is_private}}\n"#, "post-1\ttrue\n"),
    ("{{title}}|{{absent}}|", "||"), ("{{media_ids}} {{media_ids.1}} {{media_ids.7}}", "m1,m2 m2 "),
    ("{{owner.name}} {{owner.tags.0.name}} {{owner.name.x}}", "Ada x "), ("{a} }} {", "{a} }} {"),
    (#"\{\{id\}\} \{{{id}}\} \\"#, #"{{id}} {post-1} \"#), ("", ""), ("{{content}}", #"a\tb\nc\u{1b}[31m\u{202e}"#),
    ("{{owner}}", #"{"name":"Ada","tags":[{"name":"x"}]}"#),
  ]

  @Test(arguments: templates)
  func fieldsTakeTheirPlaces(_ source: String, _ expected: String) throws {
    #expect(try OutputTemplate(parsing: source).text(Self.record) == expected)
  }

  @Test(arguments: ["{{id", "{{}}", "{{ }}", "{{a..b}}", "{{.a}}", #"\x"#, "\\"]) func mistakesAreUsageErrors(
    _ source: String
  ) {
    #expect(throws: ValidationError.self) { try OutputTemplate(parsing: source) }
  }

  @Test(arguments: [
    ("{{idd}}", "Did you mean id"), ("{{nothing}}", "Fields: id, creator_id"), ("{{id.x}}", "has no fields"),
    ("{{media_ids.0.x}}", "has no fields"),
  ])
  func unknownFieldsAreSuggested(_ source: String, _ hint: String) throws {
    let failure = #expect(throws: Failure.self) { try OutputTemplate(parsing: source).check(Post.descriptor) }
    #expect(failure?.status == .usage && failure?.hint?.contains(hint) == true, "\(failure?.hint ?? "")")
  }

  @Test func knownFieldsAreAccepted() throws {
    try OutputTemplate(parsing: "{{id}} {{creatorId}} {{media_ids.0}} text").check(Post.descriptor)
    try OutputTemplate(parsing: "{{likes.0.user_id}}").check(GetPostLikesResponse.descriptor)
    try OutputTemplate(parsing: "{{results.user-1}}").check(BatchCheckFollowingResponse.descriptor)
  }

  /// However the output arrives, each line becomes one.
  @Test(arguments: 1...12) func linesCanArriveInPieces(size: Int) throws {
    let filter = TemplateFilter(try OutputTemplate(parsing: "<{{id}}>"))
    let json = Array((1...3).map { "{\"id\":\"p\($0)\"}\n" }.joined().utf8)
    var written: [UInt8] = []
    for start in stride(from: 0, to: json.count, by: size) {
      written += try filter.filtered(Array(json[start..<min(start + size, json.count)]))
    }
    written += try filter.end().rest
    #expect(String(decoding: written, as: UTF8.self) == "<p1>\n<p2>\n<p3>\n")
  }

  // MARK: The program

  @Test func commandsPrintALinePerRecord() async throws {
    let posts = ["posts", "mock-user-id", "--mock", "--limit", "2", "--template", #"{{id}}\t{{created_at}}"#]
    let run = try await ProgramRun(posts).result()
    #expect(run.status == 0 && run.lines == ["post-245\t1725315591", "post-244\t1725159271"], "\(run.errors)")
    let names = try await nova(
      "followers", "mock-user-id", "--mock", "--limit", "1", "--template", "{{user_id}} {{username}}")
    #expect(names.lines == ["user-1492 yara_1492"])
    let profile = try await nova("profile", "mock-user-id", "--mock", "--template", "{{username}}")
    #expect(profile.output == "bruce_li\n")
    let like = try await nova("like", "post-1", "--as", "ada", "--mock", "--template", "{{like_count}}")
    #expect(like.output == "16\n")
    let call = try await nova(
      "call", "graph.GetFollowers", #"{"user_id":"x"}"#, "--mock", "--template", "{{total_count}}")
    #expect(call.output == "0\n")
  }

  @Test(arguments: [
    ["posts", "x", "--template", "{{nope}}"], ["posts", "x", "--template", "{{id}}", "-o", "json"],
    ["posts", "x", "--template", "{{id}}", "--jq", "."], ["like", "a", "b", "--template", "{{nope}}"],
    ["call", "graph.GetFollowers", "--template", "{{nope}}"], ["followers", "x", "--template", "{{nope}}"],
    ["posts", "x", "--template", "{{id"], ["posts", "x", "--time", "iso", "-o", "json"],
    ["posts", "x", "--time", "noon"], ["posts", "x", "--jq", ".", "-o", "table"],
    ["followers", "x", "--jq", ".", "-o", "ids"],
    ["followers", "x", "--ids", "--fields", "username"],
  ])
  func wrongUsageSendsNothing(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments + ["--base-url", "http://127.0.0.1:9"]).result()
    #expect(run.status == 64 && run.output.isEmpty, "\(run)")
  }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Names beside IDs.
@Suite struct RecordLookupTests {
  /// A gateway with one page of `body` at every path but that of the batch call.
  private func server(_ body: String, batch: @escaping @Sendable (HTTPRequest) -> (status: Int, body: String)) throws
    -> FaultServer
  {
    try FaultServer { request in
      let (status, text) = request.url.path.hasSuffix("/batch") ? batch(request) : (200, body)
      return HTTPResponse(
        status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
  }

  private static let lists: [(arguments: [String], body: String, line: String)] = [
    (["followers", "x"], #"{"user_ids":["u1","u2"],"total_count":2}"#, "u1\tada"),
    (["following", "x"], #"{"user_ids":["u1","u2"],"total_count":2}"#, "u1\tada"),
    (["likes", "x"], #"{"user_ids":["u1","u2"],"total_count":2}"#, "u1\tada"),
    (
      ["comments", "x", "--time", "unix"], #"{"comments":[{"id":"c","creator_id":"u1","content":"t","created_at":1}]}"#,
      "c\tu1\tada\t1\tt"
    ),
    (
      ["bookmarks", "x", "--time", "unix"], #"{"posts":[{"id":"c","creator_id":"u1","content":"t","created_at":1}]}"#,
      "c\tu1\tada\t1\tt"
    ),
    (
      ["feed", "x", "--time", "unix"],
      #"{"posts":[{"id":"c","user_id":"u1","content":"t","created_at":1,"like_count":2}]}"#, "c\tu1\tada\t1\t2\tt"
    ),
    (
      ["reels", "--time", "unix"],
      #"{"reels":[{"id":"c","creator_id":"u1","caption":"t","created_at":1,"status":"ready"}]}"#,
      "c\tu1\tada\t1\tready\tt"
    ),
  ]

  @Test(arguments: lists.indices) func aPageHasOneCallForItsNames(index: Int) async throws {
    let list = Self.lists[index]
    let server = try server(list.body) { _ in (200, #"{"profiles":[{"id":"u1","username":"ada"}]}"#) }
    defer { server.stop() }
    let run = try await ProgramRun(list.arguments + ["--base-url", server.url]).result()
    #expect(run.status == 0 && run.lines.first == list.line, "\(run)")
    #expect(server.requestCount == 2)
    // Users that are unknown.
    if list.body.contains("u2") { #expect(run.lines.last == "u2\t-") }
    for more in [["--ids"], ["-o", "ids"]] {
      let arguments = list.arguments.filter { !["--time", "unix"].contains($0) } + more
      let ids = try await ProgramRun(arguments + ["--base-url", server.url]).result()
      #expect(ids.status == 0 && !ids.output.contains("ada"), "\(ids)")
    }
    for format in ["json", "ndjson"] {
      let arguments = list.arguments.filter { !["--time", "unix"].contains($0) } + ["-o", format]
      let json = try await ProgramRun(arguments + ["--base-url", server.url]).result()
      #expect(json.status == 0 && !json.output.contains("ada"), "\(json)")
    }
    #expect(server.requestCount == 6, "IDs and JSON need no names")
  }

  @Test(arguments: [500, 401, 404, 200]) func aFailureKeepsTheList(status: Int) async throws {
    let server = try server(#"{"user_ids":["u1","u2"],"total_count":2}"#) { _ in (status, "broken") }
    defer { server.stop() }
    let run = try await nova("followers", "x", "--base-url", server.url)
    #expect(run.status == 0 && run.lines == ["u1\t-", "u2\t-"], "\(run)")
    #expect(run.errors.hasPrefix("cannot show user names: "), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(server.requestCount == 2, "tried once")
  }

  @Test func aFailureIsReportedOnceForAllPages() async throws {
    let calls = Locked(0)
    let ids = (1...1000).map { "\"u\($0)\"" }.joined(separator: ",")
    let server = try FaultServer { request in
      let isBatch = request.url.path.hasSuffix("/batch")
      if isBatch { calls.withLock { $0 += 1 } }
      return HTTPResponse(
        status: isBatch ? 503 : 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"user_ids":[\#(ids)],"total_count":3000,"has_more":true}"#.utf8))
    }
    defer { server.stop() }
    let run = try await nova("followers", "x", "--all", "--limit", "2000", "--base-url", server.url)
    #expect(run.errors.components(of: "cannot show user names") == 1, "\(run.errors.prefix(2000))")
    #expect(calls.withLock { $0 } <= 10, "no call after the first page's")
  }

  @Test func everyPageHasItsNames() async throws {
    let run = try await nova("followers", "mock-user-id", "--mock", "--all")
    #expect(run.lines.count == 3021)
    #expect(run.lines.allSatisfy { $0.split(separator: "\t").count == 2 && !$0.hasSuffix("\t-") })
  }

  @Test func fieldsOfTheRecordsCanBeSelected() async throws {
    let arguments = ["followers", "mock-user-id", "--mock", "--limit", "1", "--fields"]
    #expect(try await ProgramRun(arguments + ["username,user_id"]).result().lines == ["yara_1492\tuser-1492"])
    let line = try await ProgramRun(arguments + ["user_id,display_name", "-o", "ndjson"]).result()
    #expect(line.output == #"{"user_id":"user-1492","display_name":"Yara"}"# + "\n")
    let posts = try await nova("liked", "mock-user-id", "--mock", "--limit", "1", "--fields", "post_id,creator_id")
    #expect(posts.lines.first?.hasPrefix("post-1218\tuser-") == true)
    #expect(try await ProgramRun(arguments + ["usernam"]).result().errors.contains("Did you mean username?"))
  }
}

extension String {
  /// How often a part occurs.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

import Foundation
import NovaTestSupport
import Testing

@Suite struct FailureTests {
  private func run(against status: String, body: String) async throws -> RunResult {
    try await withRawServer({
      try $0.respondToAll(status, headers: ["Content-Type: application/json"], body: Array(body.utf8))
    }) {
      try await nova("followers", "x", "--base-url", $0.url(""))
    }
  }

  @Test(arguments: [
    ("401 Unauthorized", Int32(4)), ("403 Forbidden", 4), ("404 Not Found", 5), ("400 Bad Request", 65),
    ("500 Internal Server Error", 1), ("504 Gateway Timeout", 6),
  ])
  func statusesHaveExitCodes(_ status: String, _ code: Int32) async throws {
    let run = try await run(against: status, body: "")
    #expect(run.output.isEmpty)
    #expect(run.status == code)
  }

  /// The gRPC code in the body says more than the status; 2 (UNKNOWN) is a plain failure.
  @Test(arguments: ["401 Unauthorized", "504 Gateway Timeout"]) func codesTakePrecedence(_ status: String) async throws
  {
    let run = try await run(against: status, body: #"{"code":2,"message":"no luck"}"#)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("no luck"))
    #expect(run.status == 1)
  }

  /// A page is not shown as a message, and a redirect without its query.
  @Test(arguments: [
    (
      "501 Unsupported method", "Server: test",
      "not a Nova gateway: PLACE answered with HTML (graph.GetFollowers, HTTP 501, "
    ),
    (
      "404 File not found", "Server: test",
      "not a Nova gateway: PLACE answered with HTML (graph.GetFollowers, HTTP 404, "
    ),
    ("200 OK", "Server: test", "expected a JSON response, got text/html (graph.GetFollowers, HTTP 200, "),
    (
      "302 Found", "Location: https://example.com/login?token=secret",
      "expected status 200…299 and a JSON response, got a redirect to https://example.com/login (graph.GetFollowers, "
    ),
    (
      "307 Temporary Redirect", "Location: /login?token=secret",
      "expected status 200…299 and a JSON response, got a redirect to /login (graph.GetFollowers, "
    ),
  ])
  func anotherServerIsRecognized(status: String, header: String, message: String) async throws {
    let page = "<!DOCTYPE HTML>\n<html>Sorry</html>"
    try await withRawServer({
      try $0.respondToAll(status, headers: ["Content-Type: text/html;charset=utf-8", header], body: Array(page.utf8))
    }) { server in
      let run = try await nova("followers", "x", "--base-url", server.url(""))
      let place = server.url("").dropFirst("http://".count)
      let start = message.replacing("PLACE", with: place).replacing("text/html (", with: "text/html;charset=utf-8 (")
      #expect(run.errors.hasPrefix("nova: \(start)"), "\(run.errors)")
      #expect(run.errors.hasSuffix("\n      Check --base-url, --environment and the context.\n"), "\(run.errors)")
      #expect(run.status == 65 && !run.errors.contains("secret") && !run.errors.contains("Sorry"), "\(run.errors)")
    }
  }

  /// A proxy or a network that wants a sign-in, and a proxy that does not reach the gateway, are no other gateway.
  @Test(arguments: [
    ("407 Proxy Authentication Required", Int32(6)), ("511 Network Authentication Required", 6), ("520 Unknown", 1),
    ("522 Timed Out", 1), ("523 Unreachable", 1), ("524 Timeout", 1), ("530 Origin DNS", 1),
  ])
  func aPageOnTheWayIsNoOtherGateway(_ status: String, _ code: Int32) async throws {
    for body in ["<html>Sorry</html>", ""] {
      try await withRawServer({
        try $0.respondToAll(status, headers: ["Content-Type: text/html"], body: Array(body.utf8))
      }) {
        let run = try await nova("followers", "x", "--base-url", $0.url(""), environment: ["NOVA_RETRY_ATTEMPTS": "1"])
        #expect(run.status == code && !run.errors.contains("--base-url") && !run.errors.contains("Sorry"), "\(run)")
      }
    }
  }

  @Test(arguments: [
    "404 page not found", "", #"{"message":"no Route matched with those values"}"#, #"{"detail":"Not Found"}"#,
  ])
  func anUnknownPathIsNamedAsWhatItCanBe(_ body: String) async throws {
    let run = try await run(against: "404 Not Found", body: body)
    #expect(run.status == 5 && run.errors.hasPrefix("nova: not found"), "\(run)")
    #expect(run.errors.contains("; the response is not in the service's form: the server may not support this RPC ("))
    let own = try await self.run(against: "404 Not Found", body: #"{"code":5,"message":"user \"x\""}"#)
    #expect(own.status == 5 && !own.errors.contains("form"), "\(own)")
  }

  /// JSON of something else under 200: neither done, nor empty.
  @Test(arguments: [
    ["post", "delete", "p1", "--as", "ann", "--yes"], ["is-following", "bob", "--as", "ann"], ["followers", "bob"],
    ["like", "p1", "--as", "ann"], ["stats", "p1"], ["liked", "bob"], ["bookmark", "p1", "--as", "ann"],
  ])
  func foreignJSONIsNoSuccess(_ arguments: [String]) async throws {
    for (type, body) in [
      ("application/json", #"{"detail":"db down"}"#),
      ("application/problem+json", #"{"title":"db down","status":503}"#),
    ] {
      try await withRawServer({
        try $0.respondToAll(headers: ["Content-Type: \(type)"], body: Array(body.utf8))
      }) {
        let run = try await ProgramRun(arguments + ["--base-url", $0.url("")]).result()
        #expect(run.status == 65 && run.output.isEmpty, "\(arguments) \(run)")
        #expect(run.errors.hasPrefix("nova: not what the contract describes: db down ("), "\(run)")
      }
    }
  }

  /// One sentence for every change of which nobody knows whether it took effect.
  @Test func aChangeThatMayHaveTakenEffectIsCalledSo() async throws {
    let create = ["post", "create", "hi", "--as", "ann"]
    let cases: [(RawServer.Script, Bool)] = [
      ({ try $0.respondToAll("504 Gateway Timeout") }, true), ({ try $0.respondToAll("524 Timeout") }, true),
      ({ _ = try $0.readRequest() }, true),
      (
        {
          _ = try $0.readRequest()
          try $0.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
        }, true
      ),
      ({ try $0.respondToAll("503 Unavailable") }, false), ({ try $0.respondToAll("521 Down") }, false),
      ({ try $0.respondToAll("407 Sign in") }, false),
    ]
    for (index, (script, isUnknown)) in cases.enumerated() {
      try await withRawServer(script) { server in
        let environment = ["NOVA_RETRY_ATTEMPTS": "1"]
        let run = try await ProgramRun(create + ["--base-url", server.url("")], environment: environment).result()
        let notice = "The change may have taken effect: check before you run the command again."
        #expect(run.status != 0 && run.errors.contains(notice) == isUnknown, "\(index) \(run)")
        let like = try await ProgramRun(
          ["like", "p", "--as", "ann", "--base-url", server.url("")], environment: environment
        ).result()
        #expect(like.errors.contains("Running the command again does no harm.") == isUnknown, "\(index) \(like)")
        let list = try await ProgramRun(["followers", "x", "--base-url", server.url("")], environment: environment)
          .result()
        #expect(!list.errors.contains("taken effect"), "\(index) \(list)")
      }
    }
  }

  @Test func aPageOfAProxyIsNotShown() async throws {
    try await withRawServer({
      try $0.respondToAll("500 Oops", headers: ["Content-Type: text/html"], body: Array("<html>Sorry</html>".utf8))
    }) {
      let run = try await nova("followers", "x", "--base-url", $0.url(""))
      #expect(run.status == 1 && run.errors.hasPrefix("nova: the server failed (graph.GetFollowers, "), "\(run.errors)")
    }
  }

  @Test func theMockNeedsNoNetwork() async throws {
    let run = try await nova("followers", "mock-user-id", "--limit", "1", "--mock", environment: ["NOVA_OFFLINE": "1"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func unauthorizedHasAHintOnTokens() async throws {
    let run = try await run(against: "401 Unauthorized", body: #"{"code":16,"message":"expired"}"#)
    #expect(run.status == 4)
    #expect(run.errors.contains("NOVA_TOKEN"))
  }

  @Test func aResponseThatViolatesTheContractIsBadData() async throws {
    let run = try await run(against: "200 OK", body: #"{"user_ids": 3}"#)
    #expect(run.status == 65)
    #expect(run.errors.contains("user_ids: expected a list"))
  }

  @Test func serversCannotControlTheTerminal() async throws {
    let run = try await run(against: "404 Not Found", body: #"{"code":5,"message":"a\u001b[31mb\u0007\ncc"}"#)
    #expect(run.errors.contains(#"a\u{1b}[31mb\u{7}\u{a}cc"#))
    let ids = #"{"user_ids": ["a\u001b[31m"], "total_count": 1}"#
    let table = try await self.run(against: "200 OK", body: ids)
    #expect(table.output == "a\\u{1b}[31m\t-\n")
  }

  @Test func aRefusedConnectionHasAHint() async throws {
    let closed = try ClosedPort()
    let run = try await nova("followers", "x", "--base-url", closed.url)
    withExtendedLifetime(closed) {}
    #expect(run.status == 6)
    #expect(run.errors.contains("nova serve"))
    #expect(run.errors.contains("--mock"))
  }

  @Test func timeoutsAreNoConnection() async throws {
    try await withRawServer({ $0.hang() }) {
      let run = try await nova("followers", "x", "--base-url", $0.url(""), "--timeout", "100ms")
      #expect(run.status == 6)
      #expect(run.errors.contains("--timeout 60s"))
    }
  }

  @Test func controlCEndsACallAtOnce() async throws {
    try await withRawServer({ $0.hang() }) { server in
      // No limit of the call's own may end it first, however long this test waits for its turn.
      let patient = FileManager.default.temporaryDirectory.appending(path: "patient-\(UUID().uuidString).json")
      try Data(#"{"limits": {"idle_timeout_seconds": 300}}"#.utf8).write(to: patient)
      defer { try? FileManager.default.removeItem(at: patient) }
      let run = try ProgramRun(
        ["followers", "x", "--base-url", server.url(""), "--config", patient.path, "--timeout", "300s"])
      await server.waitForConnections(1)
      run.signal(SIGINT)
      let result = try await run.result()
      #expect(result.status == 130)
      #expect(result.output.isEmpty)
      #expect(result.errors == "\n")
    }
  }

  @Test func aListThatChangesIsNoticed() async throws {
    try await withRawServer({ connection in
      while let request = try connection.readRequest() {
        let isFirst = !String(decoding: request.body, as: UTF8.self).contains("offset")
        let ids = isFirst ? #"["a","b"]"# : #"["b","c"]"#
        let body = #"{"user_ids":\#(ids),"total_count":\#(isFirst ? 3 : 4),"has_more":\#(isFirst)}"#
        try connection.respond(headers: ["Content-Type: application/json"], body: Array(body.utf8))
      }
    }) {
      let run = try await nova("followers", "x", "--base-url", $0.url(""), "--all", "-o", "ids")
      #expect(run.output == "a\nb\nc\n")
      #expect(run.errors.hasPrefix("nova: warning: the list grew by 1"))
    }
  }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// What `nova` says about waits, and about servers that are no Nova gateways.
@Suite(.hangLimit) struct WatchTroubleTests {
  /// A gateway that lists events, and answers streams with this.
  private static func script(_ stream: String) -> RawServer.Script {
    { connection in
      while let request = try connection.readRequest() {
        guard request.requestLine.contains("/events/stream") else {
          let isPost = request.requestLine.contains("/content/post")
          let body = isPost ? EventGateway.post : #"{"next_after":"1:0","is_complete":true}"#
          try connection.respond(headers: ["Content-Type: application/json"], body: Array(body.utf8))
          continue
        }
        try connection.write(stream)
      }
    }
  }

  private static func answer(_ status: String, headers: [String], body: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n" + headers.map { "\($0)\r\n" }.joined()
      + "\r\n\(body)"
  }

  /// A call prints what arrived, and does not take a part of an event for the end.
  @Test(arguments: [
    ("", true), (": hello", true), ("retry: 100", true), ("\n", true), ("id: 1:2\ndata: {\"id\":\"1:2\"", false),
    ("data: {}\n", false), ("id: 1:2\n", false), ("event: like.created\n", false), ("da", false),
  ])
  func aCallReportsAnEventThatIsCut(_ end: String, isWhole: Bool) async throws {
    let body = "id: 1:1\ndata: {\"id\":\"1:1\",\"type\":\"like.created\"}\n\n\(end)"
    let stream = Self.answer("200 OK", headers: ["Content-Type: text/event-stream"], body: body)
    try await withRawServer(Self.script(stream)) { server in
      let run = try await nova(
        "call", "event.StreamEvents", #"{"topics":["post:post-1"]}"#, "--base-url", server.url(""))
      #expect(run.lines.count == 1 && run.status == (isWhole ? 0 : 65), "\(run)")
      #expect(run.errors.contains("it ended inside a message, which is lost") != isWhole, "\(run)")
    }
  }

  @Test(arguments: ["text/html", "text/plain", nil])
  func whatIsNoStreamIsNoNovaGateway(_ type: String?) async throws {
    let stream = Self.answer("200 OK", headers: type.map { ["Content-Type: \($0)"] } ?? [], body: "<html>hello</html>")
    try await withRawServer(Self.script(stream)) { server in
      let run = try await ProgramRun(["watch", "post:post-1", "--base-url", server.url("")]).result()
      #expect(run.status == 65, "\(run.errors)")
      #expect(
        run.errors.contains("not a Nova gateway") && run.errors.contains(type ?? "no content type"), "\(run.errors)")
    }
  }

  /// Gateways such as Envoy stream events as JSON, which any server can send.
  @Test(arguments: ["{}", #"{"message":"hello"}"#, #"[{"message":"hello"}]"#, #"[{}]"#])
  func jsonWithoutALengthIsNoStreamIfItHasNoEvents(_ body: String) async throws {
    let chunk = String(body.utf8.count, radix: 16)
    let stream =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "\(chunk)\r\n\(body)\r\n0\r\n\r\n"
    try await withRawServer(Self.script(stream)) { server in
      let run = try await ProgramRun(["watch", "post:post-1", "--base-url", server.url("")]).result()
      #expect(run.status == 65 && run.errors.contains("not a Nova gateway"), "\(run.errors)")
      #expect(server.requests.count { $0.requestLine.contains("/events/stream") } == 1)
    }
  }

  @Test(arguments: ["", "[]", "{}", #"{"message":"hello"}"#, #"{"events":[]}"#, "null", "<html>hello</html>"])
  func jsonOfAKnownLengthWithoutEventsIsNoStream(_ body: String) async throws {
    let stream = Self.answer("200 OK", headers: ["Content-Type: application/json"], body: body)
    try await withRawServer(Self.script(stream)) { server in
      let run = try await ProgramRun(["watch", "post:post-1", "--base-url", server.url("")]).result()
      #expect(run.status == 65 && run.errors.contains("not a Nova gateway"), "\(body): \(run.errors)")
      #expect(server.requests.count { $0.requestLine.contains("/events/stream") } == 1)
    }
  }

  @Test(arguments: ["list", "lines", "envelopes"])
  func eventsOfAKnownLengthAreEvents(_ form: String) async throws {
    let events = (1...2).map { #"{"id":"1:\#($0)","type":"like.created","post_id":"post-1","created_at":1700000000}"# }
    let body =
      switch form {
      case "list": "[\(events.joined(separator: ","))]"
      case "lines": events.joined(separator: "\n") + "\n"
      default: events.map { #"{"result":\#($0)}"# }.joined(separator: "\n")
      }
    try await withRawServer(Self.script(Self.answer("200 OK", headers: ["Content-Type: application/json"], body: body)))
    { server in
      let run = try await nova("watch", "post:post-1", "--limit", "2", "--base-url", server.url(""))
      #expect(run.status == 0 && run.lines.count == 2, "\(run)")
    }
  }

  @Test(arguments: [
    ("429 Too Many Requests", "86400", 300, [:]), ("503 Service Unavailable", "60", 7, ["NOVA_RETRY_MAX_WAIT": "7"]),
    ("503 Service Unavailable", "60", 60, [:]),
  ])
  func aLongWaitIsBoundedAndReported(
    status: String, requested: String, seconds: Int, environment: [String: String]
  ) async throws {
    try await withRawServer(Self.script(Self.answer(status, headers: ["Retry-After: \(requested)"]))) { server in
      let run = try ProgramRun(
        ["watch", "post:post-1", "--base-url", server.url("")], environment: environment)
      let reason =
        requested == "\(seconds)" ? "the gateway asks for a wait" : "retry.max_wait_seconds allows no longer wait"
      try await run.waitForErrors("asks to wait \(requested) s; trying again in \(seconds) s, because \(reason)")
      run.signal(2)
      #expect(try await run.result().status == 130)
      #expect(server.requests.count { $0.requestLine.contains("/events/stream") } == 1)
    }
  }

  @Test func aLongWaitOfACallIsReportedWithoutATerminal() async throws {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil {
        try connection.respond("429 Too Many Requests", headers: ["Retry-After: 20"])
      }
    }
    try await withRawServer(script) { server in
      let run = try ProgramRun(["followers", "ada", "--timeout", "60", "--base-url", server.url("")])
      try await run.waitForErrors("graph.GetFollowers: HTTP 429; retrying in 20 s")
      run.signal(2)
      #expect(try await run.result().status == 130)
    }
  }

  @Test func aWaitBeyondTheSettingEndsACall() async throws {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil {
        try connection.respond("429 Too Many Requests", headers: ["Retry-After: 20"])
      }
    }
    try await withRawServer(script) { server in
      let run = try await ProgramRun(
        ["followers", "ada", "--timeout", "60", "--explain", "--base-url", server.url("")],
        environment: ["NOVA_RETRY_MAX_WAIT": "5"]
      ).result()
      #expect(run.status == 1 && run.errors.contains("retry.max_wait_seconds"), "\(run.errors)")
      #expect(server.requests.count == 1)
    }
  }
}

/// What `--all` shows of a list that breaks off.
@Suite(.hangLimit) struct BrokenListTests {
  /// Answers with these pages, and then with an error.
  private static func script(_ pages: [String]) -> RawServer.Script {
    let rest = Locked(pages[...])
    return { connection in
      while try connection.readRequest() != nil {
        if let page = rest.withLock({ $0.popFirst() }) {
          try connection.respond(headers: ["Content-Type: application/json"], body: Array(page.utf8))
        } else {
          try connection.respond("403 Forbidden", headers: ["Content-Type: application/json"], body: Array("{}".utf8))
        }
      }
    }
  }

  private static let ids = #"{"user_ids":["a","b"],"total_count":9,"has_more":true}"#
  private static let feed = #"{"posts":[{"id":"p1"},{"id":"p2"}],"next_cursor":"2","has_more":true}"#

  @Test(arguments: [("followers", ids, ["a", "b"]), ("feed", feed, ["p1", "p2"])])
  func pagesThatHadArrivedAreShown(command: String, page: String, ids: [String]) async throws {
    for format in ["ids", "json", "ndjson"] {
      try await withRawServer(Self.script([page])) { server in
        let run = try await ProgramRun(
          [command, "ada", "--all", "-o", format, "--base-url", server.url("")]
        ).result()
        #expect(run.status == 4, "\(run)")
        switch format {
        case "ids": #expect(run.lines == ids)
        case "json":
          let json = try JSONValue(jsonUTF8: Array(run.output.utf8))
          #expect(json["has_more"] == .bool(true), "\(run.output)")
          #expect((json["user_ids"] ?? json["posts"])?.elements?.count == 2)
        default: #expect(run.lines.count == 2)
        }
        #expect(run.errors.contains("not allowed"), "\(run.errors)")
      }
    }
  }

  @Test func nothingIsShownIfNothingArrived() async throws {
    for command in ["followers", "feed"] {
      try await withRawServer(Self.script([])) { server in
        let run = try await ProgramRun([command, "ada", "--all", "-o", "json", "--base-url", server.url("")]).result()
        #expect(run.status == 4 && run.output.isEmpty, "\(run)")
      }
    }
  }

  @Test func emptyPagesWithAMovingCursorArePassed() async throws {
    let empty = (0..<5).map { #"{"posts":[],"next_cursor":"e\#($0)","has_more":true}"# }
    let last = #"{"posts":[{"id":"p3"}],"next_cursor":"","has_more":false}"#
    try await withRawServer(Self.script([Self.feed] + empty + [last])) { server in
      let run = try await ProgramRun(["feed", "ada", "--all", "-o", "ids", "--base-url", server.url("")]).result()
      #expect(run.status == 0 && run.lines == ["p1", "p2", "p3"], "\(run)")
    }
  }
}

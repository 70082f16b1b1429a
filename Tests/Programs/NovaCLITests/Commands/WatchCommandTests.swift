import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct WatchCommandTests {
  @Test(arguments: [
    (["ada"], #"invalid topic "ada": must be user:<id>, post:<id>, feed:<id> or me; did you mean user:ada?"#),
    (["user:ada", "pots:1"], "did you mean post?"), (["user:"], "must be user:<id>"), ([""], "must be user:<id>"),
    (["me:1"], "must be user:<id>"), (["me", "--limit", "0"], "invalid --limit: must be 1 or more, got 0"),
    (["me", "--limit=-1"], "invalid --limit"), (["me", "-o", "ids"], "ids"), ([], "topic"),
    (["me", "--output", "ndjson", "--time", "unix"], "--time applies to tables only"),
    ((0...100).map { "user:\($0)" }, "too many topics: at most 100, got 101"),
    (["me", "--template", "{{tipe}}"], #"not found: field "tipe""#),
  ])
  func wrongUsageIsExplained(_ arguments: [String], _ message: String) async throws {
    // Nothing listens there.
    let run = try await ProgramRun(["watch"] + arguments + ["--base-url", "http://127.0.0.1:9"]).result()
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test(arguments: [
    ("watch", "Default: iso."), ("followers", "Default: relative on a terminal, otherwise iso."),
  ])
  func helpHasTheDefaultOfTimes(_ command: String, _ text: String) async throws {
    let help = try await nova(command, "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("How tables show times: iso, unix, or relative. \(text)"), "\(help)")
  }

  @Test func eventsAreLines() async throws {
    let streams = [EventGateway.like("1:1", count: 1) + EventGateway.like("1:2", count: 2)]
    try await withRawServer(EventGateway.script(streams: streams)) { server in
      let run = try await nova("watch", "post:post-1", "--limit", "2", "--base-url", server.url(""))
      #expect(run.status == 0, "\(run.errors)")
      let ids = try run.lines.map { try JSONValue(jsonUTF8: Array($0.utf8))["id"]?.stringValue }
      #expect(ids == ["1:1", "1:2"])
      #expect(run.errors == "watching post:post-1; stop with Ctrl-C\n")
    }
  }

  @Test(arguments: [
    (["-o", "table"], "2023-11-14T22:13:20Z  ada likes post-1 of bob; 1 like"),
    (["-o", "table", "--time", "unix"], "1700000000  ada likes post-1 of bob; 1 like"),
    (["--template", "{{type}} {{counts.like_count}}"], "like.created 1"),
    (["--jq", ".actor_id"], "ada"),
  ])
  func formatsAreThoseOfOtherCommands(_ options: [String], _ line: String) async throws {
    if options.first == "--jq", !System.searchPath(for: "jq").contains(where: System.isProgram) { return }
    try await withRawServer(EventGateway.script(streams: [EventGateway.like("1:1", count: 1)])) { server in
      let watch = ["watch", "post:post-1", "--limit", "1", "--base-url", server.url("")]
      let run = try await ProgramRun(watch + options).result()
      #expect(run.lines == [line], "\(run)")
    }
    // While it continues, too.
    try await withRawServer(EventGateway.script(streams: [EventGateway.like("1:1", count: 1)])) { server in
      let run = try ProgramRun(["watch", "post:post-1", "--base-url", server.url("")] + options)
      try await run.waitForOutput(line)
      run.signal(2)
      #expect(try await run.result().status == 130)
    }
  }

  @Test func aTerminalGetsSentencesThatFit() async throws {
    try await withRawServer(EventGateway.script(streams: [EventGateway.like("1:1", count: 1)])) { server in
      let terminal = try PseudoTerminal(
        ["watch", "post:post-1", "--ids", "--base-url", server.url("")], columns: 40, showsErrors: true)
      try await terminal.wait(for: "like\r\n")
      terminal.signal(2)
      #expect(try await terminal.status() == 130)
      try await terminal.wait(for: "--after 1:1")
      #expect(terminal.output.contains("watching post:post-1; stop with Ctrl-C"))
      #expect(
        terminal.output.contains("2023-11-14T22:13:20Z  ada likes post-1\r\n  of bob; 1 like\r\n"), "\(terminal.output)"
      )
    }
  }

  /// The reader takes the first event; no other comes.
  @Test(arguments: ["", "-o table", "--template '{{id}}'", "--jq .id"])
  func aReaderThatGoesEndsItLikeOtherCommands(_ options: String) async throws {
    if options.hasPrefix("--jq"), !System.searchPath(for: "jq").contains(where: System.isProgram) { return }
    try await withRawServer(EventGateway.script(streams: [EventGateway.like("1:1", count: 1)])) { server in
      let script =
        #"{ "$NOVA" watch post:post-1 --base-url \#(server.url("")) \#(options); echo "status $?" >&2; } | head -1"#
      let run = try await ProgramRun(
        ["-c", script], executable: URL(filePath: "/bin/sh"), environment: ["NOVA": try ProgramRun.program().path]
      ).result()
      #expect(run.lines.count == 1 && run.errors.hasSuffix("status 141\n"), "\(run)")
    }
  }

  @Test(arguments: [1, 3]) func aRefusalPrintsHowToGoOn(_ count: Int) async throws {
    let events = (1...count).map { EventGateway.like("1:\($0)", count: $0) }.joined()
    let error = #"data: {"error":{"code":7,"message":"no","details":[]}}"# + "\n\n"
    try await withRawServer(EventGateway.script(streams: [events + error, ""])) { server in
      let run = try await nova("watch", "post:post-1", "--base-url", server.url(""))
      #expect(run.status == 4 && run.lines.count == count, "\(run)")
      #expect(
        run.errors.hasSuffix("resume with: nova watch post:post-1 --base-url \(server.url("")) --after 1:\(count)\n"),
        "\(run)")
      #expect(!run.errors.contains("connecting again"), "\(run)")
    }
  }

  @Test(arguments: [2, 15], [[], ["--after", "1:0"], ["--after=1:0"]])
  func aSignalPrintsHowToGoOn(_ signal: Int32, _ options: [String]) async throws {
    let list = #"{"next_after":"1:0","is_complete":true}"#
    try await withRawServer(EventGateway.script(list: list, streams: [EventGateway.like("1:1", count: 1)])) { server in
      let run = try ProgramRun(["watch", "post:post-1", "--base-url", server.url("")] + options)
      try await run.waitForOutput("\n")
      run.signal(signal)
      let result = try await run.result()
      #expect(result.status == 128 + signal)
      let command = "nova watch post:post-1 --base-url \(server.url("")) --after 1:1"
      #expect(result.errors.hasSuffix("resume with: \(command)\n"), "\(result.errors)")
    }
  }

  @Test func aPositionThatIsGoneIsALine() async throws {
    let list = #"{"next_after":"1:7","is_complete":false}"#
    for (format, line) in [("ndjson", #"{"resync":"position_gone"}"#), ("table", "resync: events may be missing")] {
      try await withRawServer(EventGateway.script(list: list, streams: [""])) { server in
        let run = try ProgramRun([
          "watch", "post:post-1", "--after", "0:1", "-o", format, "--base-url", server.url(""),
        ])
        let output = try await run.waitForOutput("\n")
        #expect(output.hasPrefix(line), "\(output)")
        run.signal(2)
        #expect(try await run.result().errors.contains("--after 1:7"))
      }
    }
  }

  @Test func lostConnectionsAreReported() async throws {
    let streams = [EventGateway.like("1:1", count: 1), EventGateway.like("1:2", count: 2)]
    // A connection that is back at once is not reported.
    let isReported = DispatchSemaphore(value: 0)
    let script = EventGateway.script(streams: streams, beforeLast: { _ = isReported.wait(timeout: .now() + 60) })
    try await withRawServer(script) { server in
      let run = try ProgramRun(["watch", "post:post-1", "--base-url", server.url("")])
      try await run.waitForErrors("connection lost")
      isReported.signal()
      try await run.waitForOutput("1:2")
      try await run.waitForErrors("connected again")
      run.signal(2)
      let errors = try await run.result().errors
      #expect(errors.contains("connection lost; connecting again\nconnected again\n"), "\(errors)")
    }
  }

  @Test func aGatewayThatIsGoneIsReportedInOrder() async throws {
    try await withRawServer(EventGateway.script(streams: [EventGateway.like("1:1", count: 1)])) { server in
      let run = try ProgramRun(["watch", "post:post-1", "--base-url", server.url("")])
      try await run.waitForOutput("1:1")
      server.stop()
      try await run.waitForErrors("offline:")
      run.signal(2)
      let errors = try await run.result().errors
      #expect(errors.contains("connection lost; connecting again\noffline: the gateway cannot be reached"), "\(errors)")
    }
  }

  @Test(arguments: [("404 Not Found", ""), ("501 Not Implemented", #"{"code":12,"message":"no"}"#)])
  func aGatewayWithoutEventsIsNamed(_ status: String, _ body: String) async throws {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil {
        try connection.respond(status, headers: ["Content-Type: application/json"], body: Array(body.utf8))
      }
    }
    try await withRawServer(script) { server in
      for command in [["watch", "user:ada"], ["profile", "ada", "--watch"]] {
        let run = try await ProgramRun(command + ["--base-url", server.url("")]).result()
        #expect(run.status == 1)
        #expect(run.errors.contains("not supported: \(server.url("")) has no events"), "\(run.errors)")
      }
    }
  }

  @Test func aClosedPipeIsNoFailure() async throws {
    let streams = [(1...9).map { EventGateway.like("1:\($0)", count: $0) }.joined()]
    try await withRawServer(EventGateway.script(streams: streams)) { server in
      let command = #""$1" watch post:post-1 --base-url "$2" | head -n 1; echo "status ${PIPESTATUS[0]}""#
      // Whatever the tests themselves do with the signal.
      let arguments = ["--default-signal=PIPE", "bash", "-c", command, "bash"]
      let run = try await ProgramRun(
        arguments + [try ProgramRun.program().path, server.url("")], executable: URL(filePath: "/usr/bin/env")
      ).result()
      // 0 if all was written before the reader ended.
      #expect(run.lines.count == 2 && ["status 0", "status 141"].contains(run.lines.last), "\(run)")
      #expect(run.errors == "watching post:post-1; stop with Ctrl-C\n")
    }
  }

  @Test func theMockInMemorySaysThatNothingHappens() async throws {
    let run = try ProgramRun(["watch", "user:mock-user-id", "--mock"])
    try await run.waitForErrors("nova serve")
    run.signal(15)
    let result = try await run.result()
    #expect(result.status == 143 && result.output.isEmpty)
    #expect(result.errors.contains("nothing will happen; watch a `nova serve` instead"), "\(result.errors)")
  }

  @Test func anyStreamCanBeCalled() async throws {
    let streams = [EventGateway.like("1:1", count: 1) + "event: end\ndata: {}\n\n", EventGateway.like("1:2", count: 2)]
    try await withRawServer(EventGateway.script(streams: streams)) { server in
      let request = #"{"topics":["post:post-1"]}"#
      let ended = try await nova("call", "event.StreamEvents", request, "--base-url", server.url(""))
      #expect(ended.status == 0 && ended.lines.count == 1, "\(ended)")
      #expect(ended.output.hasPrefix(#"{"id":"1:1","type":"like.created""#), "\(ended)")
      let run = try ProgramRun(["call", "event.StreamEvents", request, "--base-url", server.url("")])
      try await run.waitForOutput("1:2")
      run.signal(2)
      #expect(try await run.result().status == 130)
    }
  }
}

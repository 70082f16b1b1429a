import NovaCore
import NovaTestSupport
import Testing

/// `nova watch` and `nova profile --watch` against a real `nova serve`.
@Suite(.hangLimit) struct WatchServerTests {
  private func watch(_ url: String, _ arguments: String...) async throws -> ProgramRun {
    let run = try ProgramRun(["watch", "user:user-0001", "--base-url", url] + arguments)
    try await run.waitForErrors("watching user:user-0001")
    return run
  }

  private func follow(_ user: String, at url: String) async throws {
    let run = try await nova("follow", "user-0001", user, "--base-url", url)
    #expect(run.status == 0, "\(run)")
  }

  private func ids(_ lines: [String]) throws -> [String] {
    try lines.map { try JSONValue(jsonUTF8: Array($0.utf8))["id"]?.stringValue ?? $0 }
  }

  /// Ends a server, and starts another one at the same place.
  private func restart(_ server: Serve, signal: Int32) async throws -> ProgramRun {
    server.run.signal(signal)
    _ = try await server.run.result()
    return try await server.startAgain()
  }

  @Test func aFollowIsASentence() async throws {
    try await withServe { url, _ in
      let run = try await watch(url, "-o", "table")
      try await follow("user-0002", at: url)
      try await run.waitForOutput("\n")
      run.signal(2)
      let result = try await run.result()
      #expect(result.status == 130 && result.lines.count == 1)
      let line = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  user-0001 follows user-0002; .*\n/
      #expect(result.output.wholeMatch(of: line) != nil, "\(result)")
    }
  }

  @Test func aWatchGoesOnBehindAPosition() async throws {
    try await withServe { url, _ in
      let run = try await watch(url, "--limit", "2")
      for user in ["user-0002", "user-0003"] { try await follow(user, at: url) }
      let first = try await run.result()
      #expect(first.status == 0 && first.lines.count == 2, "\(first)")
      #expect(first.lines[0].contains(#""type":"follow.created""#) && first.lines[0].contains(#""user-0002""#))
      try await follow("user-0004", at: url)
      let start = try #require(try ids(first.lines).first)
      let second = try await watch(url, "--after", start, "--limit", "2").result()
      #expect(second.status == 0 && second.lines.first == first.lines.last, "\(second)")
      #expect(second.lines.last?.contains(#""user-0004""#) == true)
      // The command that a signal prints.
      let third = try await watch(url, "--after", start)
      try await third.waitForOutput("user-0004")
      third.signal(15)
      let position = try #require(try ids(second.lines).last)
      #expect(try await third.result().errors.contains("--after \(position)\n"))
    }
  }

  /// Positions are those of one run of the server, so what was missed cannot come.
  @Test(arguments: [15, 9]) func aRestartIsAResync(_ signal: Int32) async throws {
    let server = try await Serve()
    let url = server.url
    let run = try await watch(url)
    try await follow("user-0002", at: url)
    try await run.waitForOutput("user-0002")
    let next = try await restart(server, signal: signal)
    try await run.waitForOutput("position_gone")
    try await run.waitForErrors("connected again")
    try await follow("user-0003", at: url)
    try await run.waitForOutput("user-0003")
    run.signal(2)
    let result = try await run.result()
    #expect(result.lines.count == 3 && result.lines[1] == #"{"resync":"position_gone"}"#, "\(result)")
    #expect(result.errors.contains("connection lost; connecting again"))
    next.signal(15)
  }

  @Test func aProfileIsWatchedWithEvents() async throws {
    let server = try await Serve()
    let url = server.url
    let file = try ProgramRun(["profile", "user-0001", "--watch", "--posts", "0", "-o", "ndjson", "--base-url", url])
    let terminal = try PseudoTerminal(["profile", "user-0001", "--watch", "--base-url", url], columns: 100)
    try await file.waitForOutput("\n")
    try await terminal.wait(for: "Watching. Stop with Ctrl-C.")
    #expect(try await nova("profile", "edit", "user-0001", "--bio", "first", "--base-url", url).status == 0)
    try await file.waitForOutput(#""bio":"first""#)
    try await terminal.wait(for: "first")
    let next = try await restart(server, signal: 9)
    // The other server does not have the change, and both find out by themselves.
    try await terminal.wait(for: "Not up to date: ")
    try await waitUntil { file.output.split(separator: "\n").count >= 3 }
    #expect(try await nova("profile", "edit", "user-0001", "--bio", "second", "--base-url", url).status == 0)
    try await file.waitForOutput(#""bio":"second""#)
    try await terminal.wait(for: "second")
    file.signal(2)
    terminal.signal(2)
    let result = try await file.result()
    #expect(result.status == 130 && result.lines.count == 4, "\(result)")
    #expect(result.lines.count < 3 || result.lines[2] == result.lines[0])
    #expect(try await terminal.status() == 130)
    next.signal(15)
  }
}

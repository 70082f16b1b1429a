import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// The status line for waits on a terminal.
@Suite struct StatusLineTests {
  private final class Screen: Sendable {
    let written = Locked("")
    let clock = ManualClock()
    let line: StatusLine

    init(isShown: Bool = true, columns: Int = 80, isColored: Bool = false) {
      let styles = Styles(isTerminal: isColored, noColor: nil, terminal: "xterm")
      line = StatusLine(isShown: isShown, width: { columns }, styles: styles, clock: clock) { [written] text in
        written.withLock { $0 += text }
      }
    }

    /// Lets the line keep up for a while.
    func pass(_ duration: Duration) async {
      await clock.waitForSleepers(1)
      clock.advance(by: duration)
    }

    /// What was written since the last look.
    func look() -> String {
      written.withLock { text in
        defer { text = "" }
        return text
      }
    }
  }

  private static let gone = "\r\u{1B}[K"

  @Test func aLongWaitIsShownAndCounted() async {
    let screen = Screen()
    let wait = screen.line.begin("127.0.0.1:8080", detail: "graph.GetFollowers")
    await screen.pass(.milliseconds(900))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "", "nobody notices yet")
    await screen.pass(.milliseconds(200))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "\rWaiting for 127.0.0.1:8080, 1 s (graph.GetFollowers)\u{1B}[K")
    await screen.pass(.milliseconds(200))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "", "it is the same line")
    await screen.pass(.seconds(2))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "\rWaiting for 127.0.0.1:8080, 3 s (graph.GetFollowers)\u{1B}[K")
    screen.line.end(wait)
    #expect(screen.look() == Self.gone)
    screen.line.end(wait)
    #expect(screen.look() == "")
    await screen.pass(.seconds(1))
  }

  @Test func theReasonOfARetryIsInWords() {
    let screen = Screen()
    let trace = CallTrace(isComplete: false, line: screen.line, made: MadeChange()) { _ in "host:1" }
    let rpc = GraphRPC.getFollowers.descriptor
    let reason = RetryReason.transport(.nameResolution)
    trace.callBegan(rpc)
    trace.callWillRetry(
      rpc,
      after: CallAttempt(
        duration: .zero, failure: .nameResolution, consequence: .retry(wait: .seconds(2), reason: reason)))
    let shown = "\rTrying again in 2 s: the name could not be resolved (graph.GetFollowers)\u{1B}[K"
    #expect(screen.look() == shown)
    trace.callEnded(rpc, CallReport(rpc: rpc.id, requestID: "1", duration: .zero, failure: nil, attempts: []))
    #expect(screen.look() == Self.gone)
  }

  @Test func aRetryIsCountedDownAtOnce() async {
    let screen = Screen()
    let wait = screen.line.begin("host:1", detail: "a.B")
    screen.line.pause(wait, for: .milliseconds(1500), because: "HTTP 503")
    #expect(screen.look() == "\rTrying again in 2 s: HTTP 503 (a.B)\u{1B}[K")
    await screen.pass(.seconds(1))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "\rTrying again in 1 s: HTTP 503 (a.B)\u{1B}[K")
    await screen.pass(.seconds(1))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == Self.gone, "the next attempt is under way")
    screen.line.end(wait)
    #expect(screen.look() == "")
    await screen.pass(.seconds(1))
  }

  @Test func otherOutputComesInstead() async {
    let screen = Screen()
    let wait = screen.line.begin("host:1")
    screen.line.pause(wait, for: .seconds(9), because: "HTTP 503")
    _ = screen.look()
    screen.line.interrupted { screen.written.withLock { $0 += "a row\n" } }
    #expect(screen.look() == "\(Self.gone)a row\n")
    await screen.pass(.milliseconds(200))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "\rTrying again in 9 s: HTTP 503\u{1B}[K", "it is drawn again below")
    screen.line.end(wait)
    await screen.pass(.seconds(1))
  }

  @Test(arguments: [120, 40, 20, 2]) func itFitsTheTerminal(_ columns: Int) {
    let screen = Screen(columns: columns, isColored: true)
    let wait = screen.line.begin("host:1", detail: "announcements.ListAnnouncements")
    screen.line.pause(wait, for: .seconds(9), because: "connectionRefused \u{7} 散歩散歩散歩散歩")
    let shown = screen.look().replacing("\u{1B}[2m", with: "").replacing("\u{1B}[0m", with: "")
    let line = shown.dropFirst().prefix { $0 != "\u{1B}" }
    #expect(String(line).columns < columns, "\(line)")
    #expect(!line.contains("\u{7}"))
    screen.line.end(wait)
  }

  @Test func withoutATerminalThereIsNoLine() async {
    let screen = Screen(isShown: false)
    let wait = screen.line.begin("host:1")
    screen.line.pause(wait, for: .seconds(9), because: "HTTP 503")
    screen.line.interrupted {}
    screen.line.end(wait)
    #expect(screen.look() == "" && screen.clock.sleeperCount == 0)
  }

  @Test func waitingForTheSessionIsReported() async throws {
    let screen = Screen()
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("nova-wait-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("session").path
    let base = FileSessionStore(path: path)
    let store = FileSessionStore(path: path, key: nil) { [line = screen.line] in
      let wait = line.begin("another program that uses the session")
      return { line.end(wait) }
    }
    let (entered, enter) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let holder = Task {
      try await base.withExclusiveAccess {
        enter.yield()
        for await _ in released { return }
      }
    }
    for await _ in entered { break }
    let waiter = Task { try await store.withExclusiveAccess { screen.look() } }
    await screen.pass(.seconds(2))
    await screen.clock.waitForSleepers(1)
    #expect(screen.look() == "\rWaiting for another program that uses the session, 2 s\u{1B}[K")
    release.yield()
    #expect(try await waiter.value == Self.gone, "it is gone before the work begins")
    try await holder.value
    await screen.pass(.seconds(1))
  }

  // The real program, on a terminal and off it.

  private func withBusyServer<Result: Sendable>(
    _ body: (RawServer) async throws -> Result
  ) async throws -> Result {
    let calls = Locked(0)
    return try await withRawServer(
      { connection in
        while try connection.readRequest() != nil {
          let isFirst = calls.withLock { count in
            count += 1
            return count == 1
          }
          if isFirst {
            try connection.respond("503 Service Unavailable", headers: ["Retry-After: 1"])
          } else {
            try connection.respond(
              headers: ["Content-Type: application/json"], body: Array(#"{"user_ids":["x"]}"#.utf8))
          }
        }
      }, body)
  }

  @Test func aTerminalShowsWhyItWaitsAndForgets() async throws {
    try await withBusyServer { server in
      let terminal = try PseudoTerminal(
        ["followers", "x", "-o", "ids", "--base-url", server.url("")], columns: 120, showsErrors: true)
      #expect(try await terminal.status() == 0)
      try await terminal.wait(for: "x\r\n")
      let shown = "\r\u{1B}[2mTrying again in 1 s: HTTP 503 (graph.GetFollowers)\u{1B}[0m\u{1B}[K"
      #expect(terminal.output == "\(shown)\r\u{1B}[Kx\r\n", "\(terminal.output.debugDescription)")
    }
  }

  @Test func withoutColoursThereAreNone() async throws {
    try await withBusyServer { server in
      let terminal = try PseudoTerminal(
        ["followers", "x", "-o", "ids", "--base-url", server.url("")], columns: 40, showsErrors: true,
        environment: ["NO_COLOR": "1"])
      #expect(try await terminal.status() == 0)
      try await terminal.wait(for: "x\r\n")
      let shown = "\rTrying again in 1 s: HTTP 503 (graph…\u{1B}[K"
      #expect(terminal.output == "\(shown)\r\u{1B}[Kx\r\n", "\(terminal.output.debugDescription)")
    }
  }

  @Test func aDumbTerminalGetsALine() async throws {
    try await withBusyServer { server in
      let terminal = try PseudoTerminal(
        ["followers", "x", "-o", "ids", "--base-url", server.url("")], showsErrors: true, environment: ["TERM": "dumb"])
      #expect(try await terminal.status() == 0)
      try await terminal.wait(for: "x\r\n")
      #expect(terminal.output == "graph.GetFollowers: HTTP 503; retrying in 1 s\r\nx\r\n")
    }
  }

  @Test func scriptsGetNoNotes() async throws {
    try await withBusyServer { server in
      let run = try await nova(
        "followers", "x", "-o", "ids", "--base-url", server.url(""), environment: ["TERM": "xterm"])
      #expect(run.status == 0 && run.output == "x\n" && run.errors.isEmpty, "\(run.errors)")
    }
  }

  @Test func aSlowServerIsNamed() async throws {
    try await withRawServer({ $0.hang() }) { server in
      let terminal = try PseudoTerminal(
        ["followers", "x", "--base-url", server.url("")], columns: 120, showsErrors: true)
      try await terminal.wait(for: "Waiting for 127.0.0.1:\(server.port), 1 s (graph.GetFollowers)")
      terminal.signal(SIGINT)
      #expect(try await terminal.status() == 130)
      try await terminal.wait(for: "\r\u{1B}[K\r\n")
    }
  }

  @Test func onATerminalARefusedConnectionIsNotRetried() async throws {
    let closed = try ClosedPort()
    let arguments = ["followers", "x", "--base-url", closed.url, "--explain"]
    let terminal = try PseudoTerminal(arguments, columns: 120, showsErrors: true)
    #expect(try await terminal.status() == 6)
    try await terminal.wait(for: "nova serve")
    #expect(terminal.output.contains("and 1 attempt and failed with networkError"), "\(terminal.output)")
    #expect(terminal.output.contains("not retried: nothing listens there on this machine"))
    let script = try await ProgramRun(arguments, environment: ["NOVA_RETRY_DELAY": "0"]).result()
    #expect(script.status == 6 && script.errors.contains("3 attempts"), "\(script.errors)")
    withExtendedLifetime(closed) {}
  }
}

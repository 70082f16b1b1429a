import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct ProfileWatchTests {
  private static let escape = "\u{1B}["

  @Test(arguments: [("posts", "post-24"), ("saved", "post-"), ("liked", "post-")])
  func tabsShowTheirPosts(_ tab: String, _ id: String) async throws {
    let run = try await nova("profile", "mock-user-id", "--mock", "--tab", tab, "--posts", "2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.first == "Bruce Li (bruce_li, mock-user-id), verified")
    #expect(run.lines.suffix(2).allSatisfy { $0.hasPrefix(id) }, "\(run.output)")
  }

  @Test(arguments: [
    (["--interval", "2s"], "--interval requires --watch"), (["--watch", "--interval", "0.5s"], "1s or more"),
    (["--watch", "-o", "json"], "--watch supports only"),
    (["--watch", "--fields", "bio"], "--watch supports only"),
    (["--tab", "drafts"], "drafts"),
  ])
  func wrongUsageIsExplained(_ options: [String], _ message: String) async throws {
    let run = try await ProgramRun(["profile", "mock-user-id", "--mock"] + options).result()
    #expect(run.status == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func aFileGetsEveryChangeOnce() async throws {
    try await withServe { url, _ in
      let watch = try ProgramRun([
        "profile", "user-0001", "--watch", "--interval", "1s", "--posts", "0", "--base-url", url,
      ])
      try await watch.waitForOutput("followers")
      #expect(try await nova("profile", "edit", "user-0001", "--bio", "changed", "--base-url", url).status == 0)
      let output = try await watch.waitForOutput("changed")
      #expect(!output.contains(Self.escape))
      watch.signal(2)
      let result = try await watch.result()
      #expect(result.status == 130)
      #expect(result.lines.filter { $0.contains("user-0001)") }.count == 2, "\(result.output)")
      #expect(!result.output.contains("Watching"))
    }
  }

  @Test func ndjsonHasALineForEachChange() async throws {
    try await withServe { url, _ in
      let watch = try ProgramRun([
        "profile", "user-0001", "--watch", "--interval", "1s", "-o", "ndjson", "--base-url", url,
      ])
      try await watch.waitForOutput("\n")
      #expect(try await nova("profile", "edit", "user-0001", "--bio", "changed", "--base-url", url).status == 0)
      try await watch.waitForOutput(#""bio":"changed""#)
      watch.signal(15)
      #expect(try await watch.result().lines.count == 2)
    }
  }

  @Test func anUnknownProfileCannotBeWatched() async throws {
    let run = try await nova("profile", "nobody-at-all", "--mock", "--watch")
    #expect(run.status == 5)

  }

  @Test(arguments: [2, 15]) func aTerminalIsDrawnInPlaceAndLeftTidy(_ signal: Int32) async throws {
    try await withServe { url, _ in
      let terminal = try PseudoTerminal(
        ["profile", "user-0001", "--watch", "--interval", "1s", "--base-url", url], columns: 60)
      try await terminal.wait(for: "Watching every 1 s. Stop with Ctrl-C.")
      #expect(terminal.output.contains("\(Self.escape)?25l"))
      #expect(try await nova("profile", "edit", "user-0001", "--bio", "changed", "--base-url", url).status == 0)
      try await terminal.wait(for: "changed")
      #expect(terminal.output.contains("A"), "the cursor goes up")
      terminal.signal(signal)
      #expect(try await terminal.status() == 128 + signal)
      try await terminal.wait(for: "\(Self.escape)?25h")
      #expect(terminal.output.hasSuffix("\(Self.escape)?25h"), "and that is the last")
    }
  }

  @Test func aServerThatIsGoneIsReported() async throws {
    try await withServe { url, serve in
      let terminal = try PseudoTerminal(
        ["profile", "user-0001", "--watch", "--interval", "1s", "--base-url", url], columns: 100)
      try await terminal.wait(for: "Watching")
      serve.signal(9)
      try await terminal.wait(for: "Not up to date: NovaSocial cannot be reached.")
      terminal.signal(2)
      #expect(try await terminal.status() == 130)
      try await terminal.wait(for: "\(Self.escape)?25h")
    }
  }
}

@Suite struct LiveScreenTests {
  private let plain = Styles(isTerminal: false, noColor: nil, terminal: nil)

  private func frame(_ count: Int, over height: Int = 0, rows: Int = 10, columns: Int = 20) -> (
    text: String, height: Int
  ) {
    let lines = (0..<count).map { ScreenLine("line \($0) is longer than that") }
    return LiveScreen.frame(lines, status: "status", over: height, rows: rows, columns: columns, styles: plain)
  }

  @Test func thePictureReplacesTheOneBefore() {
    let first = frame(2)
    #expect(first.height == 4)
    #expect(first.text.hasPrefix("\rline 0"))
    let second = frame(1, over: first.height)
    #expect(second.text.hasPrefix("\r\u{1B}[4Aline 0"))
    #expect(second.text.hasSuffix("\u{1B}[J"), "what is left of the taller one goes away")
  }

  @Test(arguments: 1...30) func nothingScrollsOrWraps(_ count: Int) {
    let picture = frame(count)
    #expect(picture.height < 10)
    let lines = picture.text.split(separator: "\n").map {
      String($0.replacing("\u{1B}[K", with: "").replacing("\r", with: ""))
    }
    #expect(lines.allSatisfy { $0.columns < 20 }, "\(lines)")
    #expect(lines.contains { $0 == "…" } == (count > 7))
  }

  @Test func coloursHaveNoWidth() {
    let coloured = Styles(isTerminal: true, noColor: nil, terminal: "xterm")
    let line = ScreenLine("a heading of some length", isHeading: true)
    let picture = LiveScreen.frame([line], status: "", over: 0, rows: 10, columns: 12, styles: coloured)
    #expect(picture.text.contains("\u{1B}[1ma heading …\u{1B}[0m"))
  }
}

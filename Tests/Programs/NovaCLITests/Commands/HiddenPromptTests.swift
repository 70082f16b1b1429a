import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

/// The prompt for a password: what ends it or stops it leaves the terminal as it was, and nothing shows the password.
@Suite(.hangLimit) struct HiddenPromptTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func prompt(launcher: [String] = []) async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      ["login", "bruce@nova.social", "--mock"], showsErrors: true, readsKeys: true, isKept: true, launcher: launcher,
      environment: ["HOME": home.path])
    try await terminal.wait(for: "Password: ")
    #expect(!terminal.showsKeys)
    return terminal
  }

  @Test(
    arguments: [
      (SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131), (SIGALRM, 142), (SIGUSR1, 138), (SIGUSR2, 140),
      (SIGVTALRM, 154), (SIGPROF, 155), (SIGPWR, 158), (50, 178),
    ] as [(Int32, Int32)])
  func aSignalGivesTheTerminalBack(_ signal: Int32, _ status: Int32) async throws {
    let terminal = try await prompt()
    try terminal.type("half a pass")
    terminal.signal(signal)
    #expect(try await terminal.status() == status, "\(terminal.output)")
    #expect(terminal.showsKeys)
    #expect(!terminal.output.contains("half"), "\(terminal.output)")
  }

  @Test(arguments: [("\u{3}", 130), ("\u{1C}", 131), ("\u{4}", 65)] as [(String, Int32)])
  func aKeyGivesTheTerminalBack(_ key: String, _ status: Int32) async throws {
    let terminal = try await prompt()
    try terminal.type(key)
    #expect(try await terminal.status() == status, "\(terminal.output)")
    #expect(terminal.showsKeys)
  }

  @Test(arguments: ["\u{4}", "mock-password\u{15}\u{4}"]) func theEndOfTheInputIsNoPassword(_ keys: String) async throws
  {
    let terminal = try await prompt()
    try terminal.type(keys)
    #expect(try await terminal.status() == 65, "\(terminal.output)")
    #expect(terminal.showsKeys && terminal.output.contains("missing password: the input ended"), "\(terminal.output)")
  }

  /// What is pasted can begin with the mark of an editor, and be corrected.
  @Test(arguments: [
    "\u{FEFF}mock-password\n", "wrong\u{15}mock-password\r", "\u{FEFF}wrong word\u{17}\u{17}mock-password\n",
    "mock-pass\u{4}word\n",
  ])
  func whatIsCorrectedIsNotAPartOfThePassword(_ keys: String) async throws {
    let terminal = try await prompt()
    try terminal.type(keys)
    #expect(try await terminal.status() == 0, "\(terminal.output)")
    #expect(terminal.showsKeys && !terminal.output.contains("mock-p"), "\(terminal.output)")
  }

  @Test func bothInputsCanBeginWithAMark() async throws {
    for (first, second, isSame) in [
      ("\u{FEFF}long-password", "long-password", true), ("long-e\u{301}", "long-\u{E9}", false),
    ] {
      let terminal = try PseudoTerminal(
        ["register", "new@nova.social", "newcomer", "--mock"], showsErrors: true, readsKeys: true, isKept: true,
        environment: ["HOME": home.path])
      try await terminal.wait(for: "Password: ")
      try terminal.type("\(first)\n")
      try await terminal.wait(for: "Again: ")
      try terminal.type("\(second)\n")
      _ = try await terminal.status()
      #expect(terminal.output.contains("the two inputs differ") == !isSame, "\(terminal.output)")
    }
  }

  /// No shell could continue it: an `ssh` or a terminal window that runs nothing else.
  @Test func aProgramThatNobodyCouldContinueDoesNotStop() async throws {
    let terminal = try await prompt(launcher: ["setsid", "-w"])
    try terminal.type("mock-\u{1A}")
    try await terminal.wait(for: "Password: ", count: 2)
    #expect(!terminal.showsKeys)
    try terminal.type("password\n")
    #expect(try await terminal.status() == 0, "\(terminal.output)")
    #expect(terminal.showsKeys && !terminal.output.contains("password\r"), "\(terminal.output)")
  }

  /// A shell shows keys again when a program in front of it stops.
  @Test(arguments: [SIGSTOP, SIGTSTP]) func whatIsTypedAfterAStopIsNotShown(_ signal: Int32) async throws {
    let terminal = try await prompt()
    terminal.signal(signal)
    try await terminal.waitForStop()
    if signal == SIGTSTP { #expect(terminal.showsKeys) }
    terminal.showKeys()
    terminal.signal(SIGCONT)
    try await terminal.wait(untilItShowsKeys: false)
    try await terminal.wait(for: "\nPassword: ")
    try terminal.type("mock-password\n")
    #expect(try await terminal.status() == 0, "\(terminal.output)")
    #expect(terminal.showsKeys && !terminal.output.contains("mock-password"), "\(terminal.output)")
  }

  @Test func aStopInTheMiddleOfTheLineLosesNothing() async throws {
    let terminal = try await prompt()
    try terminal.type("mock-")
    terminal.signal(SIGSTOP)
    try await terminal.waitForStop()
    terminal.signal(SIGCONT)
    try terminal.type("password\n")
    #expect(try await terminal.status() == 0, "\(terminal.output)")
    #expect(!terminal.output.contains("mock-p"), "\(terminal.output)")
  }

  /// Editors and Windows mark files; neither the mark nor the end of the line is a part of a password.
  @Test(arguments: [
    "mock-password", "mock-password\n", "mock-password\r\n", "\u{FEFF}mock-password", "\u{FEFF}mock-password\r\n",
  ])
  func aPasswordFromAFileIsTheTextInIt(_ input: String) async throws {
    let run = try await nova("login", "bruce@nova.social", "--mock", "--password-stdin", input: input)
    #expect(run.status == 0, "\(run)")
    #expect(InputText.text(of: Array(input.utf8)) == "mock-password")
  }

  @Test func onlyTheFirstMarkAndTheLastLineBreakAreRemoved() {
    for (input, text) in [
      ("", ""), ("\n", ""), ("\u{FEFF}", ""), ("a\n\n", "a\n"), ("\u{FEFF}\u{FEFF}a", "\u{FEFF}a"),
      ("a\u{FEFF}", "a\u{FEFF}"),
      (" a ", " a "), ("a\r", "a\r"), ("a\r\r\n", "a\r"),
    ] {
      #expect(InputText.text(of: Array(input.utf8)).map { Array($0.utf8) } == Array(text.utf8))
    }
    #expect(InputText.text(of: [0xFF]) == nil)
  }
}

import ArgumentParser
import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

/// What holds for the help of every command.
@Suite struct HelpTests {
  static let commands = CommandTree.nova.all
  private static let manual = Result { try ManualPage.all().first?.source ?? "" }

  /// The sections have one order: the command's own options come before those that commands share.
  @Test(arguments: commands) func sectionsHaveOneOrder(_ command: CommandTree) {
    let sections = HelpSection.sections(of: command.help(columns: 80))
    let titles = sections.map(\.title)
    #expect(titles.prefix(2) == ["OVERVIEW", "USAGE"], "\(command.name): \(titles)")
    #expect(titles.contains("OPTIONS"), "\(command.name): \(titles)")
    #expect(Set(titles).count == titles.count, "\(command.name): \(titles)")
    #expect(sections.map(\.rank) == sections.map(\.rank).sorted(), "\(command.name): \(titles)")
    // A context is made of settings that other commands share.
    guard titles.contains("CONNECTION") else { return }
    for shared in ["--mock", "--base-url", "--verbose"] {
      let places = sections.filter { $0.text.contains("\n  \(shared) ") }.map(\.title)
      #expect(places.allSatisfy { $0 == "CONNECTION" }, "\(command.name): \(shared) is in \(places)")
    }
  }

  /// Only what cannot be broken, such as a quoted argument of an example, is longer than a line.
  @Test(arguments: commands, [100, 80, 40]) func thePageFitsTheTerminal(_ command: CommandTree, _ width: Int) {
    let page = command.help(columns: width)
    for line in page.split(separator: "\n") where line.count > width {
      let words = ShellWords.split(String(line))
      #expect(words.contains { $0.contains(" ") || $0.count > width - 12 }, "\(command.name): \(line)")
    }
    #expect(!page.contains(" <options>"), "\(command.name): options are not required")
  }

  @Test func aNarrowPageHasTextsBelowTheirTerms() {
    let page = CommandTree.nova.help(columns: 40)
    for part in [
      "nova call --list\n    list all RPCs\n", "\n  login\n      Sign in. Later commands use the\n      session.\n",
      "\n  6    no connection, or no response in\n       time\n",
      "USAGE: nova <command> [<arguments>]\n           [<options>]\n",
    ] { #expect(page.contains(part), "\(part) is not in\n\(page)") }
  }

  @Test(arguments: [
    ("nova a --b c", 40, ["nova a --b c"]), ("nova a --b c --d e", 14, ["nova a --b c \\", "    --d e"]),
    ("nova a 'x y z' | cat", 12, ["nova a \\", "    'x y z' \\", "    | cat"]),
  ]) func longCommandsCanBeCopied(command: String, width: Int, lines: [String]) {
    #expect(command.wrappedCommand(to: width) == lines)
  }

  /// The parser makes names from types, which costs a millisecond at every start.
  @Test func everyCommandHasItsNameFromTheSource() {
    func check(_ command: any ParsableCommand.Type) {
      #expect(command.configuration.commandName != nil, "\(command) has no commandName")
      command.configuration.subcommands.forEach(check)
    }
    check(NovaCommand.self)
  }

  @Test(arguments: commands) func theOptionAndTheCommandShowThePage(_ command: CommandTree) async throws {
    let page = try await Self.page(command.path + ["--help"])
    #expect(page.contains("USAGE: nova"), "\(page)")
    #expect(page.contains("OPTIONS:"), "\(page)")
    let words = page.split(whereSeparator: \.isWhitespace).filter { $0 != "\\" }
    for example in command.examples {
      #expect(words.contains(example.split(whereSeparator: \.isWhitespace)), "\(example) is not in\n\(page)")
    }
    #expect(try await Self.page(["help"] + command.path) == page, "\(command.name)")
  }

  @Test(arguments: [["--help"], ["help"], ["post", "show", "--help"], ["help", "followers"]])
  func theProgramShowsThePage(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments).result()
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try await run.output == Self.page(arguments) + "\n")
  }

  /// The help that these arguments ask for.
  private static func page(_ arguments: [String]) async throws -> String {
    let page = await #expect(throws: HelpPage.self) { try await Program.run(arguments) }
    return try #require(page, "\(arguments)").text
  }

  /// The parser takes every example, and those that need no backend work.
  @Test(arguments: commands) func everyCommandHasExamplesThatWork(_ command: CommandTree) async throws {
    #expect(!command.examples.isEmpty, "\(command.name) has no example: add one to CommandExamples.swift")
    for example in command.examples {
      let words = ShellWords.split(example)
      let arguments = words.drop { $0 != "nova" }.dropFirst().prefix { !"<>|".contains($0.prefix(1)) }
      // Those that read a password or a file are only parsed.
      let isComplete = words.first == "nova" && !["login", "register"].contains(arguments.first)
      guard !arguments.contains("--mock") || !isComplete else {
        let run = try await ProgramRun(Array(arguments)).result()
        #expect(run.status == 0, "\(example): \(run.errors)")
        continue
      }
      #expect(throws: Never.self, "\(example)") { try CommandTree.check(Array(arguments)) }
    }
  }

  /// The help does not load the configuration for it.
  @Test func theDefaultEnvironmentIsTheBuiltInOne() {
    let help = CommandTree.nova.command(at: ["followers"]).help(columns: 200)
    let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("production. Default: production; development in a debug build of nova."))
    #if DEBUG
      #expect(APIConfiguration.builtIn.environment == .development)
    #else
      #expect(APIConfiguration.builtIn.environment == .production)
    #endif
  }

  /// The verb comes first, and a period last.
  @Test(arguments: commands) func abstractsAreSentences(_ command: CommandTree) {
    let abstract = command.configuration.abstract
    #expect(abstract.first?.isUppercase == true && abstract.hasSuffix("."), "\(command.name): \(abstract)")
  }

  /// Each exit code is in `nova --help`, in the manual page, and in the documentation.
  @Test(arguments: ExitStatus.allCases) func exitCodesAreDocumented(_ status: ExitStatus) async throws {
    let code = "\(status.rawValue)"
    let isSignal = [.terminated, .hungUp, .quit].contains(status)
    let line = isSignal ? "\(code) for SIG" : "\n  \(code) "
    #expect(CommandTree.nova.help(columns: 80).contains(line))
    let page = try Self.manual.get()
    #expect(page.contains(isSignal ? "\(code) for SIG" : "\\fB\(code)\\fR"))
    #expect(try Checkout.text(of: "docs/find-commands.md").contains("| \(code) |"), "\(code)")
  }
}

/// Splits a command line as a shell does, as far as examples need it.
enum ShellWords {
  static func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    // What follows two spaces explains the command.
    for character in line.prefix(while: { $0 != "\n" }) {
      switch character {
      case quote: quote = nil
      case "'" where quote == nil, "\"" where quote == nil: (quote, word) = (character, word ?? "")
      case " " where quote == nil:
        if word == nil, !words.isEmpty { return words }
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}

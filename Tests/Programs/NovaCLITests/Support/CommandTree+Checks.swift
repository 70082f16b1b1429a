import ArgumentParser

@testable import NovaCLI

extension CommandTree {
  /// The command and all its subcommands.
  var all: [CommandTree] { [self] + subcommands.flatMap(\.all) }

  /// The help as `--help` shows it.
  func help(columns: Int) -> String {
    HelpPage(NovaCommand.helpMessage(for: type, columns: HelpPage.sourceWidth), examples: examples, width: columns).text
  }

  /// Checks a command line without running it.
  ///
  /// - Throws: what running it would throw for its words and options.
  static func check(_ arguments: [String]) throws {
    _ = try NovaCommand.parseAsRoot(try CommandLineOrder.arranged(arguments))
  }
}

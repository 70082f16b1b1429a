import ArgumentParser
import NovaCore

/// A command of nova with its subcommands, for help and manual pages.
struct CommandTree {
  let type: any ParsableCommand.Type
  /// The words on the command line: `post`, `show`; empty for nova itself.
  let path: [String]

  static let nova = CommandTree(type: NovaCommand.self, path: [])

  var configuration: CommandConfiguration { type.configuration }
  /// `nova post show`.
  var name: String { (["nova"] + path).joined(separator: " ") }

  var subcommands: [CommandTree] {
    configuration.subcommands.map { CommandTree(type: $0, path: path + [NovaCommand.name($0)]) }
  }

  /// The command that these words name; further words are its arguments.
  func command(at words: some Sequence<String>) -> CommandTree {
    var command = self
    for word in words {
      guard let next = NovaCommand.subcommand(word, of: command.type) else { break }
      command = CommandTree(type: next, path: command.path + [NovaCommand.name(next)])
    }
    return command
  }

  /// Command lines to try: those in the discussion, or else the ones that are listed for the command.
  var examples: [String] {
    let lines = configuration.discussion.split(separator: "\n").map(\.trimmed)
    let own = lines.filter { $0.hasPrefix("\(name) ") || $0.contains("| \(name) ") }
    return own.isEmpty ? CommandExamples.lines(of: self) : own
  }
}

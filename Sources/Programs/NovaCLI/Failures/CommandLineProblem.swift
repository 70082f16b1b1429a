import ArgumentParser
import NovaCore

/// What is wrong with a command line, where the parser reports a consequence: it reads the value of an unknown option
/// as an argument, which a command may refuse first.
struct CommandLineProblem: Error {
  let message: String
  /// The parser's error, whose usage is shown.
  let cause: any Error

  /// - Parameter arguments: the arranged arguments, which begin with the command.
  /// - Returns: nil if the error says what is wrong.
  init?(_ error: any Error, in arguments: [String]) {
    guard !(error is Failure), NovaCommand.exitCode(for: error) == .validationFailure else { return nil }
    let words = arguments.prefix { !$0.hasPrefix("-") }
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    let command = CommandTree.nova.command(at: words).defaultCommand
    guard !options.isEmpty, let names = try? command.optionNames(),
      let unknown = options.first(where: { !names.contains($0) })
    else { return nil }
    if !command.subcommands.isEmpty, CommandLineOrder.isShared(unknown) {
      message = "missing command; see `\(command.name) --help`"
    } else {
      // Without the hyphens, which all have in common.
      let name = Suggestion.closest(to: String(unknown.dropFirst(2)), among: names.map { String($0.dropFirst(2)) })
      message = "unknown option \(unknown.printable(to: 100))\(name.map { "; did you mean --\($0)?" } ?? "")"
    }
    cause = error
  }

  /// The message, and how the command is used.
  func lines(of root: any ParsableCommand.Type) -> [String] {
    [message] + UsageMessage(root.fullMessage(for: cause)).lines.drop { !$0.hasPrefix("Usage: ") }
  }
}

extension CommandTree {
  /// The command that runs without a subcommand.
  fileprivate var defaultCommand: CommandTree {
    guard let type = configuration.defaultSubcommand else { return self }
    return CommandTree(type: type, path: path + [NovaCommand.name(type)])
  }
}

extension CommandTree {
  /// The long names of a command's options, with their hyphens. Of this command only: the parser takes long for all.
  fileprivate func optionNames() throws -> [String] {
    let dump = try JSONValue(jsonUTF8: Array(type._dumpHelp().utf8))
    let arguments = dump["command"]?["arguments"]?.elements ?? []
    let names = arguments.flatMap { $0["names"]?.elements ?? [] }
    return names.filter { $0["kind"] == .string("long") }.compactMap { $0["name"]?.stringValue.map { "--\($0)" } }
  }
}

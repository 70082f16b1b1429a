import ArgumentParser
import NovaCore

/// Looks at the command line before the parser does.
enum CommandLineOrder {
  private static let flags: Set<String> = ["--mock", "--verbose", "--explain"]
  private static let options: Set<String> = [
    "--environment", "--base-url", "--config", "--timeout", "--output", "-o", "--fields",
  ]

  /// The arguments with options that stand before the command moved behind it: `nova --mock followers x`.
  ///
  /// - Throws: ValidationError for a token, which everybody on the machine could read in the list of processes.
  static func arranged(_ arguments: [String]) throws -> [String] {
    let readable = arguments.prefix { $0 != "--" }
    if readable.contains(where: { $0 == "--token" || $0.hasPrefix("--token=") }) {
      throw ValidationError(
        """
        --token does not exist: every user of this machine can read other programs' arguments, and shells keep them. \
        Sign in with `nova login`, or put the token into NOVA_TOKEN, or into a file whose path is in NOVA_TOKEN_FILE.
        """)
    }
    let count = leadingOptions(arguments)
    if count < arguments.count { try refuseUnknown(arguments[count]) }
    guard count > 0, count < arguments.count, !arguments[count].hasPrefix("-") else { return arguments }
    // Right behind the command, or behind both words of `config show`.
    let (options, rest) = (arguments[..<count], arguments[count...])
    let words = NovaCommand.subcommandNames(of: arguments[count]).contains(rest.dropFirst().first ?? "") ? 2 : 1
    return Array(rest.prefix(words)) + options + rest.dropFirst(words)
  }

  private static func refuseUnknown(_ command: String) throws {
    let names = NovaCommand.commandNames
    guard !command.hasPrefix("-"), !names.contains(command) else { return }
    let hint = Suggestions.sentence(for: command, among: names, otherwise: "`nova --help` lists the commands.")
    throw Failure("there is no command \"\(command.printable(to: 60))\"", hint: hint, .usage)
  }

  /// How many arguments are options that every command shares, before anything else.
  private static func leadingOptions(_ arguments: [String]) -> Int {
    var index = 0
    while index < arguments.count {
      let name = arguments[index].prefix { $0 != "=" }
      if flags.contains(arguments[index]) || (options.contains(String(name)) && name != arguments[index]) {
        index += 1
      } else if options.contains(arguments[index]) {
        index += 2
      } else {
        return index
      }
    }
    return index
  }
}

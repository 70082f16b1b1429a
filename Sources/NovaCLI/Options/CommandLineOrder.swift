import ArgumentParser
import NovaCore

/// Prepares the command line for the parser.
enum CommandLineOrder {
  private static let flags: Set<String> = ["--mock", "--verbose", "--explain"]
  private static let options: Set<String> = [
    "--context", "--environment", "--base-url", "--config", "--timeout", "--output", "-o", "--fields", "--as",
  ]

  /// Returns the arguments with the options before the command moved after it: `nova --mock followers x`.
  ///
  /// - Throws: ValidationError for a token, which every user of the machine could read in the list of processes.
  static func arranged(_ arguments: [String]) throws -> [String] {
    let readable = arguments.prefix { $0 != "--" }
    if readable.contains(where: { $0 == "--token" || $0.hasPrefix("--token=") }) {
      throw ValidationError(
        """
        --token does not exist: every user of this machine can read the arguments of programs, and shells store them. \
        Sign in with `nova login`, or set the token in NOVA_TOKEN or in a file named by NOVA_TOKEN_FILE.
        """)
    }
    let count = leadingOptions(arguments)
    if count < arguments.count { try refuseUnknown(arguments[count]) }
    guard count > 0, count < arguments.count, !arguments[count].hasPrefix("-") else { return arguments }
    // After the command, or after both words of `config show`.
    let (options, rest) = (arguments[..<count], arguments[count...])
    let words = NovaCommand.subcommandNames(of: arguments[count]).contains(rest.dropFirst().first ?? "") ? 2 : 1
    return Array(rest.prefix(words)) + options + rest.dropFirst(words)
  }

  private static func refuseUnknown(_ command: String) throws {
    let names = NovaCommand.commandNames
    guard !command.hasPrefix("-"), !names.contains(command) else { return }
    let hint = Suggestions.sentence(for: command, among: names, otherwise: "List all with `nova --help`.")
    throw Failure("not found: command \"\(command.printable(to: 60))\"", hint: hint, .usage)
  }

  /// The number of arguments at the start that are options of every command.
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

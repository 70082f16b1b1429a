import ArgumentParser
import NovaCore

/// Prepares the command line for the parser.
enum CommandLineOrder {
  /// The flags of every command.
  static let flags: Set<String> = ["--mock", "--verbose", "-v", "--explain", "--offline", "--quiet", "-q"]
  private static let options: Set<String> = [
    "--environment", "--base-url", "--gateway-url", "--config", "--timeout", "--output", "-o", "--fields", "--as",
    "--context", "--jq",
    "--template", "--time", "--cache",
  ]

  /// Returns the arguments with the options before the command moved after it: `nova --mock followers x`.
  ///
  /// - Throws: ``Failure`` for an unknown command, at any depth; ValidationError for a token, which every user of the
  ///   machine could read in the list of processes.
  static func arranged(_ arguments: [String]) throws -> [String] {
    let readable = arguments.prefix { $0 != "--" }
    if readable.contains(where: { $0 == "--token" || $0.hasPrefix("--token=") }) {
      throw ValidationError(
        """
        --token does not exist: every user of this machine can read the arguments of programs, and shells store them. \
        Sign in with `nova login`, or set the token in NOVA_TOKEN or in a file named by NOVA_TOKEN_FILE.
        """)
    }
    // What is passed on to another program is not changed.
    var words = CommandWords(arguments)
    return joiningValues(try words.arranged())
  }

  /// The arguments with `--limit=-1` in place of `--limit -1`, which the parser reads as another option, and with
  /// `-o=json` in place of `-ojson`.
  private static func joiningValues(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return joined + arguments[index...] }
      let isNumber = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
      if isNumber, let last = joined.last, last.hasPrefix("--"), !last.contains("=") {
        joined[joined.count - 1] += "=\(argument)"
      } else if let option = attachedOption(argument) {
        joined.append("\(option)=\(argument.dropFirst(2))")
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  /// The short option whose value follows without a space, as in `-ojson` and `-L5`; nil for anything else.
  private static func attachedOption(_ argument: String) -> String? {
    let (option, value) = (String(argument.prefix(2)), argument.dropFirst(2))
    switch option {
    case "-o": return ListFormat(rawValue: String(value)) == nil ? nil : option
    case "-L": return !value.isEmpty && value.allSatisfy(\.isNumber) ? option : nil
    default: return nil
    }
  }

  /// Whether an option can appear before the command.
  static func isShared(_ option: String) -> Bool { flags.contains(option) || options.contains(option) }

  /// The number of arguments at the start that are options of every command.
  static func leadingOptions(_ arguments: ArraySlice<String>) -> Int {
    var index = arguments.startIndex
    while index < arguments.endIndex {
      let name = arguments[index].prefix { $0 != "=" }
      if flags.contains(arguments[index]) || (options.contains(String(name)) && name != arguments[index])
        || attachedOption(arguments[index]).map(options.contains) == true
      {
        index += 1
      } else if options.contains(arguments[index]) {
        index += 2
      } else {
        return index - arguments.startIndex
      }
    }
    return index - arguments.startIndex
  }
}

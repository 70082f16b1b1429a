import ArgumentParser
import NovaCore

/// The words of a command line that name a command: `post show` in `nova post --mock show post-1`.
struct CommandWords {
  private var rest: ArraySlice<String>
  private var path: [String] = []
  private var options: [String] = []
  private var command: any ParsableCommand.Type = NovaCommand.self

  init(_ arguments: [String]) {
    rest = arguments[...]
  }

  mutating func arranged() throws -> [String] {
    while !command.configuration.subcommands.isEmpty {
      let count = CommandLineOrder.leadingOptions(rest)
      guard count < rest.count else { break }
      let word = rest[rest.startIndex + count]
      guard !word.hasPrefix("-") else { break }
      if word == "help" { return try help(after: rest.dropFirst(count + 1)) }
      guard let (name, next) = try subcommand(meantBy: word) else { break }
      options += rest.prefix(count)
      path.append(name)
      rest = rest.dropFirst(count + 1)
      command = next
    }
    return path + options + rest
  }

  /// `nova help post show`, and `nova post help show` as well.
  private func help(after rest: ArraySlice<String>) throws -> [String] {
    var found = self
    for word in rest.prefix(while: { !$0.hasPrefix("-") }) where word != "help" {
      // The words after a command are arguments: the RPC in `nova help call graph.GetFollowers`.
      if found.command.configuration.subcommands.isEmpty {
        found.path.append(word)
        continue
      }
      guard let next = NovaCommand.subcommand(word, of: found.command) else { throw found.notFound(word) }
      (found.command, found.path) = (next, found.path + [word])
    }
    return ["help"] + found.path
  }

  /// The subcommand that a word means; nil if it is an argument of the default subcommand.
  private func subcommand(meantBy word: String) throws -> (name: String, type: any ParsableCommand.Type)? {
    if let found = NovaCommand.subcommand(word, of: command) { return (word, found) }
    guard let taker = command.configuration.defaultSubcommand as? any WordTaking.Type else { throw notFound(word) }
    guard let name = try taker.subcommand(meantBy: word, among: names) else { return nil }
    return NovaCommand.subcommand(name, of: command).map { (name, $0) }
  }

  private var names: [String] { NovaCommand.subcommandNames(of: command) }

  private func notFound(_ word: String) -> Failure {
    let help = (["nova"] + path + ["--help"]).joined(separator: " ")
    let isVersion = path.isEmpty && word == "version"
    let hint =
      isVersion
      ? "Print the version with `nova --version`."
      : Suggestions.sentence(for: word, among: names, otherwise: "List all with `\(help)`.")
    return Failure("not found: command \((path + [word]).joined(separator: " ").quoted)", hint: hint, .usage)
  }
}

/// A default subcommand whose first argument is a word of any kind, such as an ID.
protocol WordTaking: ParsableCommand {
  /// The subcommand that a word means, although it is not its name; nil if the word is an argument.
  static func subcommand(meantBy word: String, among names: [String]) throws -> String?
}

extension WordTaking {
  static func subcommand(meantBy word: String, among names: [String]) -> String? { nil }
}

import ArgumentParser
import NovaCore

/// The words of a command line that name a command: `post show` in `nova post --mock show post-1`.
struct CommandWords {
  private var rest: ArraySlice<String>
  private var path: [String] = []
  private var options: [String] = []
  private var command: any ParsableCommand.Type = NovaCommand.self
  /// The alias that the words have come from.
  private var alias: String?

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
      if try replaceAlias(word, after: count) { continue }
      guard let (name, next) = try subcommand(meantBy: word) else { break }
      options += rest.prefix(count)
      path.append(name)
      rest = rest.dropFirst(count + 1)
      command = next
    }
    return path + options + rest
  }

  /// Puts the words of an alias in its place. Aliases and programs are looked for only if the first word is no command.
  ///
  /// - Throws: ``ExternalCommand`` for a program; ``Failure``.
  private mutating func replaceAlias(_ word: String, after count: Int) throws -> Bool {
    guard path.isEmpty, alias == nil, NovaCommand.subcommand(word, of: command) == nil else { return false }
    let leading = Array(rest.prefix(count))
    let arguments = Array(rest.dropFirst(count + 1))
    if let expansion = Self.alias(word) {
      alias = word
      rest = try (leading + expansion.expanded(arguments))[...]
      return true
    }
    if let program = ExternalCommand(word, leading + arguments) { throw program }
    return false
  }

  private static func alias(_ word: String) -> AliasExpansion? {
    // A file that cannot be read is reported where it is changed: here, the word may be a slip.
    guard SavedAliases.isName(word), let line = (try? AliasStore.ofUser().read())?[word] else { return nil }
    return AliasExpansion(word, line: line)
  }

  private static var aliases: [String] { (try? AliasStore.ofUser().read().names) ?? [] }

  /// `nova help post show`, and `nova post help show` as well.
  private func help(after rest: ArraySlice<String>) throws -> [String] {
    var found = self
    for word in rest.prefix(while: { !$0.hasPrefix("-") }) where word != "help" {
      // The words after a command are arguments: the RPC in `nova help call graph.GetFollowers`.
      if found.command.configuration.subcommands.isEmpty {
        found.path.append(word)
        continue
      }
      guard let next = NovaCommand.subcommand(word, of: found.command) else {
        if found.path.isEmpty { try helpOfOthers(word) }
        throw found.notFound(word)
      }
      (found.command, found.path) = (next, found.path + [word])
    }
    return ["help"] + found.path
  }

  /// The help of a topic, an alias, or a program.
  private func helpOfOthers(_ word: String) throws {
    if word == EnvironmentHelp.topic { throw HelpPage(topic: EnvironmentHelp.text) }
    if let alias = Self.alias(word) {
      let line = alias.words.map(\.shellWord).joined(separator: " ")
      throw HelpPage(topic: "nova \(word) is an alias of `nova \(line)`. Change it with `nova alias set`.")
    }
    if let program = ExternalCommand(word, ["--help"]) { throw program }
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
    let hint =
      if path.isEmpty, Suggestion.closest(to: word, among: [EnvironmentHelp.topic]) != nil {
        "Did you mean `nova help \(EnvironmentHelp.topic)`? List all with `\(help)`."
      } else {
        CommandSuggestions(path.isEmpty ? names + Self.aliases : names).sentence(
          for: word, otherwise: "List all with `\(help)`.")
      }
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

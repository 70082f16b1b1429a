import ArgumentParser
import NovaCore

struct AliasCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alias", abstract: "Name command lines of your own.",
    usage: "nova alias <subcommand>",
    discussion: """
      nova alias set mine 'posts @me --limit 5'
      nova alias set hi 'comment $1 "Hello from $2!"'
      nova alias list

      `nova mine -o json` then runs `nova posts @me --limit 5 -o json`. $1 to $9 stand for arguments, and $@ for the rest, \
      which is otherwise added at the end. An alias cannot have the name of a command, and is not run by a shell.

      Programs named nova-<name> on the PATH are commands, too: `nova review post-1` runs `nova-review post-1`. Commands \
      of nova come first, then aliases, then programs.
      """,
    subcommands: [AliasSet.self, AliasList.self, AliasRemove.self], defaultSubcommand: AliasList.self)
}

struct AliasSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Add or change an alias.", usage: "nova alias set <name> <command>",
    discussion: "nova alias set mine 'posts @me --limit 5'")

  @Argument(help: .value("name", "The name: letters, digits, hyphens, and underscores.")) var name: String
  @Argument(help: .value("command", "The command line after nova, as one argument.")) var line: String
  @OptionGroup var messages: QuietOptions

  func run() async throws {
    guard SavedAliases.isName(name) else {
      throw Failure("invalid name \"\(name.printable(to: 80))\": expected \(SavedAliases.nameExpectation)", .usage)
    }
    guard NovaCommand.subcommand(name, of: NovaCommand.self) == nil, name != "help" else {
      throw Failure("cannot add alias \(name): nova has a command with this name", .usage)
    }
    try check()
    let (name, line) = (name, line)
    let before = try await AliasStore.ofUser().change { aliases in
      let before = aliases[name]
      aliases.set(name, to: line)
      return before
    }
    Diagnostics.confirmation("nova \(name) now runs nova \(line.displayed)")
    if let before, !before.hasSameBytes(as: line) { Diagnostics.note("before, it ran nova \(before.displayed)") }
  }

  private func check() throws {
    guard let words = ShellLine.words(line), !words.isEmpty else {
      throw Failure("invalid command: \(line.quoted) is empty, or has an open quotation mark", .usage)
    }
    if words[0] == "nova" {
      throw Failure("invalid command: leave out nova", hint: "For example: nova alias set mine 'posts @me'", .usage)
    }
    let first = words.dropFirst(CommandLineOrder.leadingOptions(words[...])).first ?? ""
    guard NovaCommand.subcommand(first, of: NovaCommand.self) != nil else {
      let names = NovaCommand.subcommandNames(of: NovaCommand.self)
      throw Failure(
        "not found: command \(first.quoted)",
        hint: Suggestions.sentence(for: first, among: names, otherwise: "List all with `nova --help`."), .usage)
    }
  }
}

struct AliasList: ParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the aliases.", usage: "nova alias list [--output <output>]",
    discussion: "nova alias list -o json")

  @OptionGroup var output: OutputOptions<ListFormat>
  @OptionGroup var filter: FilterOptions

  func run() throws {
    let aliases = try AliasStore.ofUser().read().all
    if format == .ids { return try StandardOutput.print(aliases.map(\.name)) }
    var table = Table("NAME", "COMMAND")
    table.rows = aliases.map { [$0.name, $0.line] }
    try table.print(
      format, json: aliases.map { .members(("name", .string($0.name)), ("command", .string($0.line))) }, showing: view)
    if aliases.isEmpty, format == .table { Diagnostics.note("no aliases; add one with `nova alias set`") }
  }
}

struct AliasRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an alias.", usage: "nova alias remove <name>",
    discussion: "nova alias remove mine")

  @Argument(
    help: .value("name", "The name of the alias."),
    completion: .custom { _, _, _ in (try? AliasStore.ofUser().read().names) ?? [] })
  var name: String
  @OptionGroup var messages: QuietOptions

  func run() async throws {
    let name = name
    try await AliasStore.ofUser().change { aliases in
      guard !aliases.remove(name) else { return }
      throw Failure(
        "not found: alias \"\(name.printable(to: 80))\"",
        hint: Suggestions.sentence(for: name, among: aliases.names, otherwise: "List all with `nova alias list`."),
        .notFound)
    }
    Diagnostics.confirmation("removed alias \(name)")
  }
}

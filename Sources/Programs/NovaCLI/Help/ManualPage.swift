import ArgumentParser
import NovaCore

/// A manual page in the macros of man(7), made from what the parser knows of a command.
struct ManualPage {
  let command: CommandTree
  /// The command in the parser's JSON dump of its help.
  let info: JSONValue

  /// `nova-post-show.1`.
  var fileName: String { "\(title).1" }
  private var title: String { (["nova"] + command.path).joined(separator: "-") }

  /// The pages of nova and all its commands.
  static func all() throws -> [ManualPage] {
    let dump = try JSONValue(jsonUTF8: Array(NovaCommand._dumpHelp().utf8))
    return pages(of: .nova, dump["command"] ?? .object([]))
  }

  private static func pages(of command: CommandTree, _ info: JSONValue) -> [ManualPage] {
    let infos = info["subcommands"]?.elements ?? []
    return [ManualPage(command: command, info: info)]
      + command.subcommands.flatMap { subcommand in
        let info = infos.first { $0["commandName"]?.stringValue == subcommand.path.last }
        return pages(of: subcommand, info ?? .object([]))
      }
  }

  /// The page's source.
  var source: String {
    var page = ManualSource(title: title.uppercased(), footer: "nova \(NovaCommand.version)")
    page.section("NAME")
    page.text("\(title) - \(command.configuration.abstract.withoutPeriod)")
    page.section("SYNOPSIS")
    page.verbatim(usage)
    addDescription(to: &page)
    addOptions(to: &page)
    addSubcommands(to: &page)
    page.section("EXIT STATUS")
    for line in ExitStatus.help.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { page.item(String(words[0]), String(words[1].drop { $0 == " " })) }
    }
    addEnvironment(to: &page)
    if !command.examples.isEmpty {
      page.section("EXAMPLES")
      page.verbatim(command.examples)
    }
    addSeeAlso(to: &page)
    return page.text
  }

  /// The variables and files: all of them on the page of nova, and on the others those that most people use.
  private func addEnvironment(to page: inout ManualSource) {
    page.section("ENVIRONMENT")
    for item in command.path.isEmpty ? EnvironmentHelp.all : EnvironmentHelp.main { page.item(item.name, item.text) }
    page.section("FILES")
    for item in EnvironmentHelp.files { page.item(item.name, item.text) }
  }

  private var usage: [String] {
    if let usage = command.configuration.usage, !usage.isEmpty { return usage.split(separator: "\n").map(String.init) }
    let help = HelpSection.sections(of: NovaCommand.helpMessage(for: command.type, columns: HelpPage.sourceWidth))
    let usage = help.first { $0.title == "USAGE" }?.text ?? command.name
    return [String(usage.dropFirst("USAGE: ".count))]
  }

  private func addDescription(to page: inout ManualSource) {
    page.section("DESCRIPTION")
    page.text(command.configuration.abstract)
    // The exit codes have a section of their own.
    let lines = command.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
    let discussion = lines.prefix { $0 != "EXIT CODES:" && $0 != "ENVIRONMENT:" }.map(String.init)
    guard discussion.contains(where: { !$0.isEmpty }) else { return }
    page.paragraphBreak()
    page.verbatim(discussion.flatMap { $0.hasPrefix("nova ") ? [$0] : $0.wrapped(to: 72) })
  }

  private func addOptions(to page: inout ManualSource) {
    let arguments = (info["arguments"]?.elements ?? []).filter { $0["shouldDisplay"] == .bool(true) }
    let positional = arguments.filter { $0["kind"] == .string("positional") }
    if !positional.isEmpty {
      page.section("ARGUMENTS")
      for argument in positional { page.item("<\(argument["valueName"]?.stringValue ?? "")>", Self.help(argument)) }
    }
    let options = arguments.filter { $0["kind"] != .string("positional") }
    let sections = options.map(Self.title).withoutRepeats().map { HelpSection(title: $0, lines: []) }
    for section in sections.ranked {
      page.section(section.title)
      for option in options where Self.title(option) == section.title {
        page.item(Self.names(option), Self.help(option))
      }
    }
  }

  private func addSubcommands(to page: inout ManualSource) {
    guard !command.subcommands.isEmpty else { return }
    page.section("COMMANDS")
    for subcommand in command.subcommands {
      page.item(subcommand.path.joined(separator: " "), subcommand.configuration.abstract)
    }
  }

  private func addSeeAlso(to page: inout ManualSource) {
    let parent = command.path.isEmpty ? [] : [(["nova"] + command.path.dropLast()).joined(separator: "-")]
    let children = command.subcommands.map { (["nova"] + $0.path).joined(separator: "-") }
    page.section("SEE ALSO")
    page.text((parent + children).map { "\($0)(1)" }.joined(separator: ", "))
  }

  private static func title(_ option: JSONValue) -> String {
    let title = option["sectionTitle"]?.stringValue ?? ""
    return title.isEmpty ? "OPTIONS" : title.uppercased()
  }

  /// `-o, --output <output>`.
  private static func names(_ option: JSONValue) -> String {
    let names = (option["names"]?.elements ?? []).map { name in
      "\(name["kind"] == .string("long") ? "--" : "-")\(name["name"]?.stringValue ?? "")"
    }
    let value = option["kind"] == .string("option") ? " <\(option["valueName"]?.stringValue ?? "value")>" : ""
    return names.sorted { $0.utf8.count < $1.utf8.count }.joined(separator: ", ") + value
  }

  private static func help(_ argument: JSONValue) -> String {
    var sentences = [argument["abstract"]?.stringValue, argument["discussion"]?.stringValue].compactMap(\.self)
    if let values = argument["allValueStrings"]?.elements ?? argument["allValues"]?.elements, !values.isEmpty {
      sentences.append("Values: \(values.compactMap(\.stringValue).joined(separator: ", ")).")
    }
    if let value = argument["defaultValue"]?.stringValue { sentences.append("Default: \(value).") }
    return sentences.joined(separator: " ")
  }
}

extension String {
  /// The text without a period at its end.
  var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

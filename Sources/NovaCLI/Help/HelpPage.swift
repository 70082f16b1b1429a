import ArgumentParser

/// The help of a command: the parser's text with the command's own options before those it shares, and examples.
struct HelpPage: Error {
  let text: String

  /// - Returns: nil if the error is not a request for help.
  init?(_ error: any Error, arguments: [String]) {
    guard !(error is Failure), NovaCommand.exitCode(for: error) == .success else { return nil }
    let text = NovaCommand.fullMessage(for: error)
    // The version and completions exit with success, too.
    guard text.hasPrefix("OVERVIEW: ") else { return nil }
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let command = CommandTree.nova.command(at: words.prefix { !$0.hasPrefix("-") })
    self.init(text, examples: command.examples)
  }

  init(_ text: String, examples: [String]) {
    var sections = HelpSection.sections(of: text)
    let isAlreadyThere = sections.first.map { overview in examples.contains { overview.text.contains($0) } } ?? false
    if !examples.isEmpty, !isAlreadyThere {
      sections.append(HelpSection(title: "EXAMPLES", lines: ["EXAMPLES:"] + examples.map { "  \($0)" } + [""]))
    }
    let ordered = sections.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    let text = ordered.map(\.element.text).joined(separator: "\n\n")
    self.text = text
  }
}

/// A part of a command's help, from its title to the next one.
struct HelpSection {
  let title: String
  var lines: [String]

  var text: String {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The place in the help: what is the command's own comes before what all commands share.
  var rank: Int {
    switch title {
    case "OVERVIEW": 0
    case "USAGE": 1
    case "ARGUMENTS": 2
    case "OPTIONS": 3
    case "CONNECTION": 5
    case "EXAMPLES": 7
    default: title.hasSuffix("SUBCOMMANDS") ? 6 : 4
    }
  }

  /// The sections of a text. The overview has everything before the usage, whatever its lines look like.
  static func sections(of text: String) -> [HelpSection] {
    var sections = [HelpSection(title: "OVERVIEW", lines: [])]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let title = title(of: line), sections.count > 1 || title == "USAGE" {
        sections.append(HelpSection(title: title, lines: [line]))
      } else {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  private static func title(of line: String) -> String? {
    if line.hasPrefix("USAGE: ") { return "USAGE" }
    guard line.hasSuffix(":"), line.first?.isUppercase == true else { return nil }
    let title = String(line.dropLast())
    return title == title.uppercased() ? title : nil
  }
}

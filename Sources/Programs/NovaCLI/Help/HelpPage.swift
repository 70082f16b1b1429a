import ArgumentParser

/// The help of a command: what the parser knows, with the command's own options before those it shares, and examples.
///
/// The parser's text is only the source: its layout is made for wide terminals.
struct HelpPage: Error {
  /// The width in which the parser breaks no line.
  static let sourceWidth = 100_000

  let text: String

  /// A page about something that is no command.
  init(topic text: String) {
    var layout = HelpLayout(width: Self.width)
    layout.add(HelpSection(title: "TOPIC", lines: text.split(atEach: "\n").map { String($0) }))
    self.text = layout.lines.joined(separator: "\n")
  }

  /// The program's own help, without the parser: its tree of all commands takes longer to build than the page.
  ///
  /// - Returns: nil for any other command line.
  init?(askedForBy arguments: [String]) {
    guard arguments == ["--help"] || arguments == ["-h"] else { return nil }
    self.init(
      NovaCommand.helpMessage(columns: Self.sourceWidth), examples: CommandTree.nova.examples, width: Self.width)
  }

  /// - Returns: nil if the error is not a request for help.
  init?(_ error: any Error, arguments: [String]) {
    guard !(error is Failure), let text = Self.source(error, NovaCommand.self) else { return nil }
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let command = CommandTree.nova.command(at: words.prefix { !$0.hasPrefix("-") })
    self.init(text, examples: command.examples, width: Self.width)
  }

  /// - Parameter root: the program's command.
  /// - Returns: nil for anything else that is not a failure, such as the version and completions.
  init?(_ error: any Error, of root: any ParsableCommand.Type) {
    guard let text = Self.source(error, root) else { return nil }
    self.init(text, examples: [], width: Self.width)
  }

  /// The parser's text; nil if it is not a help. To ask for the exit code first would make the text twice.
  private static func source(_ error: any Error, _ root: any ParsableCommand.Type) -> String? {
    let text = root.fullMessage(for: error, columns: sourceWidth)
    return text.hasPrefix("OVERVIEW: ") ? text : nil
  }

  /// - Parameter text: the parser's text, in the width of ``sourceWidth``.
  init(_ text: String, examples: [String], width: Int) {
    var sections = HelpSection.sections(of: text)
    let isAlreadyThere = sections.first.map { overview in examples.contains { overview.text.contains($0) } } ?? false
    if !examples.isEmpty, !isAlreadyThere {
      sections.append(HelpSection(title: "EXAMPLES", lines: ["EXAMPLES:"] + examples.map { "  \($0)" } + [""]))
    }
    var layout = HelpLayout(width: width)
    for (index, section) in sections.ranked.enumerated() {
      if index > 0 { layout.blank() }
      layout.add(section)
    }
    self.text = layout.lines.joined(separator: "\n")
  }

  /// The width of the terminal, or that of most.
  private static var width: Int {
    System.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
      ?? System.terminalWidth(System.standardOutput) ?? 80
  }
}

/// A part of a command's help, from its title to the next one.
struct HelpSection {
  let title: String
  var lines: [String]

  var text: String { trimmedLines.joined(separator: "\n") }

  /// The lines without empty ones at the end.
  var trimmedLines: [String] {
    var lines = lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The place in the help: the command's own options come before those that all commands share.
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
    for line in text.split(atEach: "\n") {
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

extension [HelpSection] {
  /// The sections in the order of the help.
  var ranked: [HelpSection] {
    enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }
}

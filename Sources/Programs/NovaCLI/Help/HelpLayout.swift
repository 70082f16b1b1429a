/// Lays out the sections of a command's help for a width.
struct HelpLayout {
  private var text: DescriptionText

  /// Where the parser puts the texts of options and subcommands, and what belongs to them.
  private static let column = 26
  private static let discussionIndent = 8

  init(width: Int) {
    text = DescriptionText(styles: Styles(isTerminal: false, noColor: nil, terminal: nil), width: width)
  }

  var lines: [String] { text.lines }

  mutating func blank() { text.line("") }

  mutating func add(_ section: HelpSection) {
    let lines = section.trimmedLines
    guard let first = lines.first else { return }
    switch section.title {
    case "OVERVIEW":
      text.paragraph(String(first.dropFirst(Self.overview.count)), label: Self.overview)
      addBody(lines.dropFirst())
    case "TOPIC": addBody(lines[...])
    case "USAGE": text.synopsis(lines.map { String($0.dropFirst(Self.usage.count)) }, label: Self.usage)
    case "EXAMPLES":
      text.line(first)
      addCommands(lines.dropFirst().map { String($0.dropFirst(2)) }, indent: 2)
    default:
      text.line(first)
      addItems(lines.dropFirst())
    }
  }

  private static let overview = "OVERVIEW: "
  private static let usage = "USAGE: "

  /// What a line of a discussion is.
  private enum Kind {
    case blank, command, item, heading, prose

    init(_ line: String) {
      if line.isEmpty {
        self = .blank
      } else if line.hasPrefix("nova ") || line.hasPrefix("nova-serve ") || line.contains(" | nova ") {
        self = .command
      } else if line.hasPrefix("  ") {
        self = .item
      } else {
        self = line.hasSuffix(":") && line == line.uppercased() ? .heading : .prose
      }
    }
  }

  /// Adds commands, lists and paragraphs. The lines of a paragraph are filled.
  private mutating func addBody(_ lines: ArraySlice<String>) {
    var rest = lines
    while let line = rest.first {
      let kind = Kind(line)
      let block = rest.prefix { Kind($0) == kind }
      rest = rest.dropFirst(block.count)
      switch kind {
      case .blank, .heading: block.forEach { text.line($0) }
      case .command: addCommands(Array(block), indent: 0)
      case .item: text.list(block.map { Self.parts(String($0.dropFirst(2))) })
      case .prose: text.paragraph(block.joined(separator: " "))
      }
    }
  }

  /// A term and its text, which two spaces separate.
  private static func parts(_ line: String) -> (term: String, text: String) {
    guard let gap = line.firstRange(of: "  ") else { return (line, "") }
    return (String(line[..<gap.lowerBound]), String(line[gap.lowerBound...].drop { $0 == " " }))
  }

  /// Adds commands, some with an explanation, which is next to them or below.
  private mutating func addCommands(_ lines: [String], indent: Int) {
    let items = lines.map(Self.parts)
    let column = items.filter { !$0.text.isEmpty }.map { $0.term.columns + 3 }.max() ?? 0
    let isBeside = items.allSatisfy { $0.text.isEmpty || text.fits(column + $0.text.columns, indent: indent) }
    for item in items {
      let hasText = !item.text.isEmpty
      text.command(hasText && isBeside ? item.term.padded(to: column) + item.text : item.term, indent: indent)
      if hasText, !isBeside { text.paragraph(item.text, indent: indent + 4) }
    }
  }

  /// Adds options, arguments or subcommands.
  private mutating func addItems(_ lines: ArraySlice<String>) {
    var items: [(term: String, text: String)] = []
    for (index, line) in zip(lines.indices, lines) {
      let indent = Self.indent(of: line)
      if indent == Self.column || indent == Self.discussionIndent, let last = items.indices.last {
        items[last].text += (items[last].text.isEmpty ? "" : "\n") + line.dropFirst(indent)
      } else if line.isEmpty || line.hasPrefix("  See '") {
        text.list(items, column: Self.column)
        items = []
        text.paragraph(String(line.dropFirst(indent)), indent: indent)
      } else {
        let isLabel = index + 1 < lines.endIndex && Self.indent(of: lines[index + 1]) == Self.column
        items.append(isLabel ? (String(line.dropFirst(2)), "") : Self.item(line))
      }
    }
    text.list(items, column: Self.column)
  }

  private static func indent(of line: String) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

  /// A label and the text in the column of texts.
  private static func item(_ line: String) -> (term: String, text: String) {
    guard line.count > column else { return (String(line.dropFirst(2)), "") }
    var label = line.prefix(column).dropFirst(2)
    while label.last == " " { label.removeLast() }
    return (String(label), String(line.dropFirst(column)))
  }
}

/// Paragraphs and lists for the terminal, wrapped to its width.
struct DescriptionText {
  private(set) var lines: [String] = []
  let styles: Styles
  /// In columns; nil for lines of any length.
  let width: Int?

  init(styles: Styles, width: Int?) {
    self.styles = styles
    // Long lines are hard to read.
    self.width = width.map { min($0, 100) }
  }

  mutating func title(_ text: String) { lines.append(styles.heading(text)) }

  /// A heading, after an empty line.
  mutating func section(_ text: String) { lines += ["", styles.heading(text)] }

  /// - Parameter label: what the first line begins with; the others are indented by its width.
  mutating func paragraph(_ text: String, label: String = "", indent: Int = 0) {
    let (margin, label) = (indent + label.columns, String(repeating: " ", count: indent) + label)
    for (index, line) in text.displayedLines.enumerated() {
      let start = index == 0 ? label : String(repeating: " ", count: margin)
      lines += line.wrapped(to: width, after: start, indent: margin)
    }
  }

  /// Terms with their text in a second column, which continues below its start. Where that column is narrow, the texts
  /// are below their terms.
  ///
  /// - Parameter column: where the texts start; longer terms have a line of their own. Default: after the longest term.
  mutating func list(_ items: [(term: String, text: String)], indent: Int = 2, column: Int? = nil) {
    let column = column ?? indent + (items.map(\.term.columns).max() ?? 0) + 2
    let isNarrow = width.map { $0 - column < Self.readable && column > Self.shortColumn } ?? false
    for item in items {
      let term = String(repeating: " ", count: indent) + item.term.displayed
      if isNarrow {
        lines.append(term)
        if !item.text.isEmpty { paragraph(item.text, indent: indent + 4) }
      } else {
        row(term, item.text, column: column)
      }
    }
  }

  /// Texts are not narrower than this next to their terms, unless the terms are shorter than any indent could be.
  private static let readable = 32
  private static let shortColumn = 8

  private mutating func row(_ term: String, _ text: String, column: Int) {
    guard !text.isEmpty else { return lines.append(term) }
    let isBeside = term.columns < column
    if !isBeside { lines.append(term) }
    let start = lines.count
    paragraph(text, indent: column)
    if isBeside { lines[start] = term.padded(to: column) + lines[start].dropFirst(column) }
  }

  /// A line that is shown as it is, such as a command to copy.
  mutating func verbatim(_ text: String) { line("  \(text)") }

  /// A line that is shown as it is, without an indent.
  mutating func line(_ text: String) { lines.append(text.displayed) }

  /// A command, in several lines if it is long.
  mutating func command(_ text: String, indent: Int) {
    let commands = text.displayed.wrappedCommand(to: width.map { max(20, $0 - indent) } ?? .max)
    lines += commands.map { String(repeating: " ", count: indent) + $0 }
  }

  /// The forms of a command.
  mutating func synopsis(_ forms: [String], label: String) {
    for (index, form) in forms.enumerated() {
      let start = index == 0 ? label : String(repeating: " ", count: label.columns)
      lines += form.displayed.wrappedSynopsis(to: width ?? .max, label: start)
    }
  }

  /// Whether a text of this width is not broken.
  func fits(_ columns: Int, indent: Int) -> Bool { width.map { indent + columns <= $0 } ?? true }
}

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

  mutating func paragraph(_ text: String, indent: Int = 0) {
    let room = width.map { max(20, $0 - indent) }
    lines += Self.wrapped(text.displayed, to: room).map { String(repeating: " ", count: indent) + $0 }
  }

  /// Terms with their text in a second column, which continues below its start.
  mutating func list(_ items: [(term: String, text: String)]) {
    let indent = 2 + (items.map(\.term.columns).max() ?? 0) + 2
    if let width, width - indent < 32 { return narrowList(items) }
    for item in items {
      let room = width.map { max(20, $0 - indent) }
      for (index, line) in Self.wrapped(item.text.displayed, to: room).enumerated() {
        let term = index == 0 ? item.term.displayed : ""
        lines.append("  \(term.padded(to: indent - 2))\(line)")
      }
    }
  }

  /// The texts below their terms.
  private mutating func narrowList(_ items: [(term: String, text: String)]) {
    for item in items {
      lines.append("  \(item.term.displayed)")
      paragraph(item.text, indent: 4)
    }
  }

  /// A line that is shown as it is, such as a command to copy.
  mutating func verbatim(_ text: String) { lines.append("  \(text.displayed)") }

  /// The lines of a text, broken between words. A longer word has its own line.
  static func wrapped(_ text: String, to width: Int?) -> [String] {
    guard let width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.columns + 1 + String(word).columns > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }
}

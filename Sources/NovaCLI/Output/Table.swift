import NovaCore

/// Rows under headings, in columns.
struct Table {
  let headings: [String]
  var rows: [[String]] = []
  /// The maximum width of a line in columns; nil for any.
  var width: Int?

  init(_ headings: String...) { self.headings = headings }

  init(headings: [String], width: Int?) {
    self.headings = headings
    self.width = width
  }

  /// The lines, headings first. Control characters in cells are escaped.
  func lines(_ styles: Styles) -> [String] {
    var columns = TableColumns(headings, width: width)
    let lines = columns.lines(rows)
    return [styles.heading(columns.heading)] + lines
  }

  /// Writes the table, or its rows as JSON, to standard output.
  func print(_ format: OutputFormat, json rows: [JSONValue]) throws {
    let output = StandardOutput()
    switch format {
    case .table, .ids: for line in lines(output.styles) { try output.writeLine(line) }
    case .json: try output.writeLine(json: PrettyJSON.spread(.array(rows)))
    case .ndjson: for row in rows { try output.writeLine(json: row.jsonUTF8) }
    }
    try output.flush()
  }
}

/// The column widths of a table whose rows arrive page by page.
struct TableColumns {
  private static let gap = "  "
  /// The minimum width of a text column.
  private static let minimum = 12

  private let headings: [String]
  private let width: Int?
  /// The columns whose cells can be truncated: texts, unlike IDs and numbers.
  private let texts: [Int]
  private var widths: [Int]

  /// - Parameter texts: the columns whose cells can be truncated. Default: the last.
  init(_ headings: [String], width: Int?, texts: [Int]? = nil) {
    self.headings = headings
    self.width = width
    self.texts = texts ?? headings.indices.suffix(1)
    widths = headings.map(\.columns)
  }

  /// The line with the headings.
  var heading: String { line(headings) }

  /// The lines of these rows. Columns fit all cells so far, as far as the terminal allows.
  mutating func lines(_ rows: [[String]]) -> [String] {
    let cells = rows.map { $0.map(\.displayed) }
    for (column, needed) in widths.enumerated() {
      widths[column] = cells.reduce(needed) { column < $1.count ? max($0, $1[column].columns) : $0 }
    }
    if let width { narrow(to: width) }
    return cells.map(line)
  }

  /// Narrows the widest text columns.
  private mutating func narrow(to width: Int) {
    var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
    while excess > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.minimum {
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let text = width == nil ? cell.0 : cell.0.cut(to: cell.1)
      return index == cells.count - 1 ? text : text.padded(to: cell.1)
    }
    let line = padded.joined(separator: Self.gap)
    return width.map { line.cut(to: $0) } ?? line
  }
}

extension Character {
  /// The width in terminal columns: two for most East Asian characters and emoji, otherwise one.
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    return Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// The width in terminal columns.
  var columns: Int { utf8.count == count ? count : reduce(0) { $0 + $1.columns } }

  /// The text, or its beginning with an ellipsis, within a width.
  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var (text, used) = ("", 0)
    for character in self {
      guard used + character.columns < width else { break }
      text.append(character)
      used += character.columns
    }
    return text + "…"
  }

  /// The text, padded with spaces to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}

import NovaCore

/// Rows under headings, in columns.
struct Table {
  let headings: [String]
  var rows: [[String]] = []
  /// The maximum width of a line in columns; nil for any.
  var width: Int?
  /// How the table fits a narrow terminal. Default: it cuts the last column.
  var fit: TableFit?

  /// The lines, headings first. Control characters in cells are escaped.
  func lines(_ styles: Styles) -> [String] {
    var columns = TableColumns(headings, width: width, fit: fit)
    let lines = columns.lines(rows.map { $0.map { TableCell($0) } })
    return (columns.heading.map { [styles.heading($0)] } ?? []) + lines
  }

  /// Writes the table, or its rows as JSON: to a terminal in columns, elsewhere as lines with tabs.
  ///
  /// - Parameter view: how the rows are shown. Default: as they are.
  func print(_ format: OutputFormat, json rows: [JSONValue], showing view: OutputView? = nil) throws {
    if let row = rows.first { try view?.filter.template?.check(row) }
    let output = try view?.filter.standardOutput() ?? StandardOutput()
    switch format {
    case .table, .ids:
      let lines = output.isTerminal ? lines(output.styles) : self.rows.map(\.asTabbedLine)
      for line in lines { try output.writeLine(line) }
    case .json: try output.writeLine(json: PrettyJSON.spread(.array(rows)))
    case .ndjson: for row in rows { try output.writeLine(json: row.jsonUTF8) }
    }
    try output.finish()
  }
}

extension Table {
  /// Creates a table that fits the terminal of standard output.
  init(_ headings: String..., fit: TableFit = TableFit(texts: [])) {
    self.init(headings: headings, width: System.terminalWidth(System.standardOutput), fit: fit)
  }
}

extension [String] {
  /// A row for scripts: cells with tabs between them.
  var asTabbedLine: String { map(\.asField).joined(separator: "\t") }
}

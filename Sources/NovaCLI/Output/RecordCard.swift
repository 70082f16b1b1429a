import NovaCore

extension CommandContext {
  /// Writes one record: in the table format a line per field.
  func show(_ message: some ProtoMessage, _ shape: RecordShape, _ format: OutputFormat) throws {
    try show(try message.jsonValue(), shape, format)
  }

  /// Writes one record that is JSON already.
  func show(_ record: JSONValue, _ shape: RecordShape, _ format: OutputFormat) throws {
    switch format {
    case .table: try writeCard(record, shape)
    case .ids: try output.writeLines(ids: [shape.id(record)])
    case .ndjson: try output.writeLine(json: shape.json(record).jsonUTF8)
    case .json: try output.writeLine(json: PrettyJSON.spread(shape.json(record)))
    }
    // Before anything is remarked on standard error.
    try output.flush()
  }

  private func writeCard(_ record: JSONValue, _ shape: RecordShape) throws {
    let entries = shape.shown.map { ($0.name.asHeading, CellText.text(shape.masked(record[$0.name], $0), $0)) }
    let shown = shape.isPicked ? entries : entries.filter { $0.1 != CellText.none }
    try writeRows(shown)
  }

  /// Writes labels and texts beside them, which may have several lines.
  func writeRows(_ rows: [(label: String, text: String)]) throws {
    let width = rows.map { $0.label.columns }.max() ?? 0
    for (label, text) in rows {
      for (index, line) in text.displayedLines.enumerated() {
        let start = (index == 0 ? label : "").padded(to: width)
        try output.writeLine("\(output.styles.heading(start))  \(line)")
      }
    }
  }
}

import NovaCore

extension CommandContext {
  /// Writes one record: in the table format a line per field.
  func show(_ message: some ProtoMessage, _ shape: RecordShape, _ format: OutputFormat) throws {
    let record = try message.jsonValue()
    switch format {
    case .table: try writeCard(record, shape)
    case .ids: try output.writeLine(shape.id(record))
    case .ndjson: try output.writeLine(shape.json(record).jsonUTF8)
    case .json: try output.writeLine(PrettyJSON.spread(shape.json(record)))
    }
    // Before anything is remarked on standard error.
    try output.flush()
  }

  private func writeCard(_ record: JSONValue, _ shape: RecordShape) throws {
    let entries = shape.shown.map { ($0.name.asHeading, CellText.text(shape.masked(record[$0.name], $0), $0)) }
    let shown = shape.isPicked ? entries : entries.filter { $0.1 != CellText.none }
    let width = shown.map { $0.0.columns }.max() ?? 0
    for (label, text) in shown {
      for (index, line) in text.displayedLines.enumerated() {
        let start = (index == 0 ? label : "").padded(to: width)
        try output.writeLine("\(output.styles.heading(start))  \(line)")
      }
    }
  }
}

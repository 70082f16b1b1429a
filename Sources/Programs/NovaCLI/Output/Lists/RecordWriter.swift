import NovaCore

/// Writes a list of records page by page, in one of the formats.
struct RecordWriter<Element>: ListWriter {
  let output: StandardOutput
  private let shape: RecordShape
  /// The name of the list in JSON.
  private let key: String
  private let value: (Element) throws -> JSONValue
  private var supplement: RecordSupplement?
  private var columns: TableColumns
  private var isFirst = true
  private var hasHeading = false
  private var hasRows = false

  /// - Parameter supplement: what to look up for the records, if the shape shows any of it.
  init(
    _ output: StandardOutput, in shape: RecordShape, key: String, supplement: RecordSupplement? = nil,
    value: @escaping (Element) throws -> JSONValue
  ) {
    self.supplement = supplement.flatMap { $0.isShown(in: shape) ? $0 : nil }
    let shape = self.supplement.map { shape.adding(column: $0.name, after: $0.field) } ?? shape
    (self.output, self.shape, self.key, self.value) = (output, shape, key, value)
    columns = TableColumns(
      shape.headings, width: System.terminalWidth(output.descriptor), fit: shape.fit)
  }

  var format: OutputFormat { shape.format }

  func begin() throws {
    if format == .json { try output.write("{\n  \"\(key)\": [") }
  }

  mutating func write(_ items: [Element]) async throws {
    var records = try items.map(value)
    if let more = try await supplement?.added(to: records) { records = more }
    switch format {
    case .table: try writeRows(records)
    case .ids: try output.writeLines(ids: records.map(shape.id))
    case .ndjson: for record in records { try output.writeLine(json: shape.json(record).jsonUTF8) }
    case .json: for record in records { try writeElement(record) }
    }
    // After each page, so that readers see progress.
    try output.flush()
  }

  private mutating func writeRows(_ records: [JSONValue]) throws {
    guard output.isTerminal else {
      for record in records { try output.writeLine(shape.tabbedLine(record)) }
      return
    }
    let lines = columns.lines(records.map(shape.row))
    if !hasHeading, let heading = columns.heading { try output.writeLine(output.styles.heading(heading)) }
    (hasHeading, hasRows) = (true, hasRows || !records.isEmpty)
    for line in lines { try output.writeLine(line) }
  }

  private mutating func writeElement(_ record: JSONValue) throws {
    try output.write(isFirst ? "\n    " : ",\n    ")
    try output.write(json: PrettyJSON.spread(shape.json(record), depth: 2))
    isFirst = false
  }

  mutating func end(_ members: [JSONValue.Member]) throws {
    if format == .json { try output.endList(isEmpty: isFirst, members) }
    try output.flush()
    guard hasRows, !columns.hidden.isEmpty else { return }
    Diagnostics.note(
      "columns left out: \(columns.hiddenHeadings.joined(separator: ", ")); widen the terminal, or choose with --fields"
    )
  }
}

extension ProtoMessage {
  /// The message as JSON, by the names of `Proto/`.
  func jsonValue() throws(ProtoJSONError) -> JSONValue { try JSONValue(jsonUTF8: try jsonUTF8(.response)) }
}

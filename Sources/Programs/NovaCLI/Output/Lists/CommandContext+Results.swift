import NovaCore

extension CommandContext {
  /// The field and the ID of what a response is about, which responses to several requests are shown with.
  typealias Subject = (field: String, id: String)

  /// Writes the answer to a question: `true` or `false`, or the response as JSON.
  func write(_ answer: Bool, of response: any ProtoMessage, as format: OutputFormat, about subject: Subject?) throws {
    switch format {
    case .table, .ids: try output.writeLine("\(answer)")
    case .json, .ndjson: try write(response, as: format, about: subject)
    }
  }

  /// Writes a response as JSON, with the ID of what it is about.
  private func write(_ response: any ProtoMessage, as format: OutputFormat, about subject: Subject?) throws {
    guard let subject else { return try write(response, as: format) }
    let record = try response.jsonValue()
    made.note(shown: record)
    let id = JSONValue.Member(name: subject.field, value: .string(subject.id))
    try output.writeLine(.object([id] + (record.memberList ?? []).filter { $0.name != subject.field }), as: format)
  }

  /// Confirms a change, or writes the response as JSON. A change that waits is reported at the end instead.
  ///
  /// - Throws: ``Failure`` if the response reports that nothing was changed.
  func confirm(
    _ response: any ProtoMessage, as format: OutputFormat, sentence: String, about subject: Subject? = nil
  ) throws {
    if format != .table { try write(response, as: format, about: subject) }
    if let answer = response as? any AcknowledgedResponse, !answer.success {
      let reason = answer.message.isEmpty ? "" : "; server message: \"\(answer.message.printable(to: 300))\""
      throw Failure("request failed: the server changed nothing\(reason)", .failed)
    }
    if format == .table, stored?.hasWaiting != true { Diagnostics.confirmation(sentence) }
  }

  /// Confirms what a command did, or writes a record of it as JSON.
  func report(_ record: JSONValue, as format: OutputFormat, sentence: String) throws {
    if format == .table { return Diagnostics.confirmation(sentence) }
    try output.writeLine(record, as: format)
    try output.flush()
  }

  /// Writes a response as JSON, on one line or spread over several.
  func write(_ message: any ProtoMessage, as format: OutputFormat, dialect: ProtoJSONOptions = .response) throws {
    made.note(shown: try message.jsonValue())
    try output.writeLine(try JSONValue(jsonUTF8: try message.jsonUTF8(dialect)), as: format)
  }

  /// Writes a list that has no pages, and with a table a note with its length.
  ///
  /// - Parameters:
  ///   - unit: the words for one and for many records; nil for no note.
  ///   - supplement: what to look up for the records.
  ///   - members: further members of the JSON document.
  func list(
    _ records: [JSONValue], in shape: RecordShape, key: String, counting unit: (one: String, many: String)? = nil,
    supplement: RecordSupplement? = nil, members: [JSONValue.Member] = []
  ) async throws {
    var writer = RecordWriter<JSONValue>(output, in: shape, key: key, supplement: supplement) { $0 }
    try writer.begin()
    try await writer.write(records)
    try writer.end(members)
    guard let unit, shape.format == .table else { return }
    Diagnostics.note(CountText.phrase(records.count, one: unit.one, many: unit.many))
  }

  /// Writes one record: with the table format one line per field.
  func show(_ message: some ProtoMessage, in shape: RecordShape) throws {
    try show(try message.jsonValue(), in: shape)
  }

  /// Writes one JSON record.
  func show(_ record: JSONValue, in shape: RecordShape) throws {
    made.note(shown: record)
    switch shape.format {
    case .table: try writeCard(record, shape)
    case .ids: try output.writeLines(ids: [shape.id(record)])
    case .json, .ndjson: try output.writeLine(shape.json(record), as: shape.format)
    }
    // Before any note on standard error.
    try output.flush()
  }

  private func writeCard(_ record: JSONValue, _ shape: RecordShape) throws {
    let entries = shape.shown.map { ($0.name.asHeading, shape.cells.text(shape.masked(record[$0.name], $0), $0)) }
    let shown = shape.isPicked ? entries : entries.filter { $0.1 != CellText.none }
    try output.writeRows(shown)
  }
}

extension StandardOutput {
  /// Writes JSON on one line for `ndjson`, and otherwise spread over several.
  func writeLine(_ value: JSONValue, as format: OutputFormat) throws {
    try writeLine(json: format == .ndjson ? value.jsonUTF8 : PrettyJSON.spread(value))
  }

  /// Writes rows of a label and a text, which can have several lines.
  func writeRows(_ rows: [(label: String, text: String)]) throws {
    let indent = (rows.map { $0.label.columns }.max() ?? 0) + 2
    let width = isTerminal ? System.terminalWidth(descriptor) : nil
    for (label, text) in rows {
      let lines = text.displayedLines.flatMap { line in
        line.wrapped(to: width.map { $0 - indent }.map { max(20, $0) }, after: "", indent: 0)
      }
      for (index, line) in lines.enumerated() {
        let start = (index == 0 ? label : "").padded(to: indent - 2)
        try writeLine("\(styles.heading(start))  \(line)")
      }
    }
  }
}

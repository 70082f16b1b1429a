import NovaCore

extension CommandContext {
  /// Writes the answer to a question: `true` or `false`, or the response as JSON.
  func tell(_ response: any ProtoMessage, _ answer: Bool, _ format: OutputFormat?) throws {
    switch format ?? .table {
    case .table, .ids: try output.writeLine("\(answer)")
    case .json, .ndjson: try write(response, format ?? .json)
    }
  }

  /// Says that something was done, or writes the response as JSON.
  ///
  /// - Throws: ``Failure`` when the server says that it did not do it.
  func confirm(
    _ response: any ProtoMessage, _ success: Bool, _ message: String, _ sentence: String, _ format: OutputFormat?
  ) throws {
    if let format, format != .table { try write(response, format) }
    guard success else {
      let reason = message.isEmpty ? "" : ": the server says \"\(message.printable(to: 300))\""
      throw Failure("the server did not do it\(reason)", .failed)
    }
    if format == nil || format == .table { Diagnostics.note(sentence) }
  }

  /// Writes a response as JSON, on one line or spread over several.
  func write(_ message: any ProtoMessage, _ format: OutputFormat, _ options: ProtoJSONOptions = .response) throws {
    let json = try message.jsonUTF8(options)
    try output.writeLine(json: format == .ndjson ? json : PrettyJSON.spread(json))
  }

  /// Writes a list that has no pages.
  func list<Record: ProtoMessage>(
    _ records: [Record], _ shape: RecordShape, key: String, _ format: OutputFormat
  ) throws {
    try list(try records.map { try $0.jsonValue() }, shape, key: key, format)
  }

  /// Writes a list that is JSON already.
  ///
  /// - Parameter members: what JSON says beside the list.
  func list(
    _ records: [JSONValue], _ shape: RecordShape, key: String, _ format: OutputFormat,
    _ members: [JSONValue.Member] = []
  ) throws {
    var writer = RecordWriter<JSONValue>(output, format, shape, key: key) { $0 }
    try writer.begin()
    try writer.write(records)
    try writer.end(members)
  }
}

import NovaCore

/// Writes a list of ids while it arrives, in one of the formats.
struct IDWriter: ListWriter {
  let output: StandardOutput
  let format: OutputFormat
  /// What the ids are called in JSON: `user_id`.
  let key: String
  private var isFirst = true

  init(_ output: StandardOutput, _ format: OutputFormat, _ key: String) {
    self.output = output
    self.format = format
    self.key = key
  }

  func begin() throws {
    switch format {
    case .table: try output.writeLine(output.styles.heading(key.asHeading))
    case .json: try output.write("{\n  \"\(key)s\": [")
    case .ndjson, .ids: break
    }
  }

  mutating func write(_ ids: [String]) throws {
    switch format {
    case .table: for id in ids { try output.writeLine(id.displayed) }
    case .ids: try output.writeLines(ids: ids)
    case .ndjson:
      for id in ids { try output.writeLine(json: JSONValue.object([.init(name: key, value: .string(id))]).jsonUTF8) }
    case .json: for id in ids { try writeElement(id) }
    }
    // A page at a time, so that whoever reads sees progress.
    try output.flush()
  }

  private mutating func writeElement(_ id: String) throws {
    try output.write(isFirst ? "\n    " : ",\n    ")
    try output.write(json: JSONValue.string(id).jsonUTF8)
    isFirst = false
  }

  func end(_ members: [JSONValue.Member]) throws {
    if format == .json { try output.endList(isEmpty: isFirst, members) }
    try output.flush()
  }
}

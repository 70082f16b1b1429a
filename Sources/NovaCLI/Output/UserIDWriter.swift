import NovaCore

/// Writes a list of user ids while it arrives, in one of the formats.
struct UserIDWriter {
  let output: StandardOutput
  let format: OutputFormat
  private var isFirst = true

  init(_ output: StandardOutput, _ format: OutputFormat) {
    self.output = output
    self.format = format
  }

  func begin() throws {
    switch format {
    case .table: try output.writeLine(output.styles.heading("USER ID"))
    case .json: try output.write("{\n  \"user_ids\": [")
    case .ndjson, .ids: break
    }
  }

  mutating func write(_ ids: [String]) throws {
    for id in ids {
      switch format {
      case .table: try output.writeLine(id.displayed)
      case .ids: try output.writeLine(id)
      case .ndjson: try output.writeLine(JSONValue.object([.init(name: "user_id", value: .string(id))]).jsonUTF8)
      case .json:
        try output.write(isFirst ? "\n    " : ",\n    ")
        try output.write(JSONValue.string(id).jsonUTF8)
      }
      isFirst = false
    }
    // A page at a time, so that whoever reads sees progress.
    try output.flush()
  }

  func end(totalCount: Int, hasMore: Bool) throws {
    if format == .json {
      try output.write(isFirst ? "]" : "\n  ]")
      try output.writeLine(",\n  \"total_count\": \(totalCount),\n  \"has_more\": \(hasMore)\n}")
    }
    try output.flush()
  }
}

import NovaCore

/// Writes a list page by page, in one of the formats.
protocol ListWriter<Element> {
  associatedtype Element

  var format: OutputFormat { get }

  mutating func begin() throws
  mutating func write(_ items: [Element]) throws
  /// - Parameter members: further members of the JSON document.
  mutating func end(_ members: [JSONValue.Member]) throws
}

extension StandardOutput {
  /// Ends a JSON document whose only member so far is a list.
  func endList(isEmpty: Bool, _ members: [JSONValue.Member]) throws {
    try write(isEmpty ? "]" : "\n  ]")
    for member in members {
      try write(",\n  ")
      try write(json: JSONValue.string(member.name).jsonUTF8)
      try write(": ")
      try write(json: member.value.jsonUTF8)
    }
    try writeLine("\n}")
  }
}

extension String {
  /// The heading of a field's column: `USER ID`.
  var asHeading: String { String(map { $0 == "_" ? " " : $0 }).uppercased() }
}

/// Writes a list of IDs page by page, in one of the formats.
struct IDWriter: ListWriter {
  let output: StandardOutput
  let format: OutputFormat
  /// The name of an ID in JSON: `user_id`.
  let key: String
  private var isFirst = true

  init(_ output: StandardOutput, _ format: OutputFormat, key: String) {
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
    case .ndjson: for id in ids { try output.writeLine(json: JSONValue.members((key, .string(id))).jsonUTF8) }
    case .json: for id in ids { try writeElement(id) }
    }
    // After each page, so that readers see progress.
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

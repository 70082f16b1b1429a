import NovaCore

/// Writes a list page by page, in one of the formats.
protocol ListWriter<Element> {
  associatedtype Element

  var format: OutputFormat { get }

  mutating func begin() throws
  mutating func write(_ items: [Element]) async throws
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

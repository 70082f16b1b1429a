import NovaCore
import NovaSDK

/// Writes a list of IDs page by page, in one of the formats. In tables, and for selected fields, the records behind the
/// IDs are looked up.
struct IDWriter: ListWriter {
  let output: StandardOutput
  let format: OutputFormat
  /// The name of an ID in JSON: `user_id`.
  let key: String
  private var lookup: RecordLookup?
  /// Writes what is looked up; nil for IDs alone in JSON.
  private var records: RecordWriter<JSONValue>?
  private var isFirst = true

  /// - Parameters:
  ///   - shape: the fields, of those of ``descriptor(_:)``.
  ///   - lookup: what finds the records behind the IDs.
  init(_ output: StandardOutput, in shape: RecordShape, key: String, lookup: RecordLookup? = nil) {
    (self.output, self.format, self.key) = (output, shape.format, key)
    guard shape.format == .table || shape.isPicked else { return }
    self.lookup = shape.shown.contains { $0.name != key } ? lookup : nil
    records = RecordWriter(output, in: shape, key: key == "user_id" ? "users" : "posts") { $0 }
  }

  /// The fields that lists of these IDs can show: the ID, and the fields of the record behind it.
  static func descriptor(_ key: String) -> MessageDescriptor {
    let record = key == "user_id" ? UserProfile.descriptor : Post.descriptor
    return MessageDescriptor(
      record.name, fields: [FieldDescriptor(key, number: 0, kind: .string)] + record.fields.filter { $0.name != "id" })
  }

  func begin() throws {
    if let records { return try records.begin() }
    if format == .json { try output.write("{\n  \"\(key)s\": [") }
  }

  mutating func write(_ ids: [String]) async throws {
    if records != nil { return try await writeRecords(ids) }
    switch format {
    case .table: break
    case .ids: try output.writeLines(ids: ids)
    case .ndjson: for id in ids { try output.writeLine(json: JSONValue.members((key, .string(id))).jsonUTF8) }
    case .json: for id in ids { try writeElement(id) }
    }
    // After each page, so that readers see progress.
    try output.flush()
  }

  private mutating func writeRecords(_ ids: [String]) async throws {
    let found = try await lookup?.records(ids) ?? [:]
    try await records?.write(
      ids.map { id in
        var members = [JSONValue.Member(name: key, value: .string(id))]
        if case .object(let others) = found[id.byteKey] { members += others }
        return .object(members)
      })
  }

  private mutating func writeElement(_ id: String) throws {
    try output.write(isFirst ? "\n    " : ",\n    ")
    try output.write(json: JSONValue.string(id).jsonUTF8)
    isFirst = false
  }

  mutating func end(_ members: [JSONValue.Member]) throws {
    try records?.end(members)
    guard records == nil else { return }
    if format == .json { try output.endList(isEmpty: isFirst, members) }
    try output.flush()
  }
}

import NovaCore

/// Writes the rows of an entity, as a dump has them.
struct DumpVisitor: EntityVisitor {
  var writing: Writing
  let file: DumpFile
  /// The name of the file.
  let name: String

  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(FixtureError) {
    var row = CopyRow(isNullWhenEmpty: entity.message.fields.map { entity.columnsNullWhenEmpty.contains($0.name) })
    try writing.forEachGroup(in: name, of: stream) { records throws(FixtureError) in
      for record in records {
        record.writeFields(to: &row)
        try file.append(row.take())
      }
    }
  }
}

/// The file of a dump, which the visitors of all entities share.
final class DumpFile {
  private var file: OutputFile?

  init(creating path: String) throws(FixtureError) { file = try OutputFile(creating: path) }

  func append(_ bytes: [UInt8]) throws(FixtureError) {
    file?.buffer += bytes
    try file?.flushIfFull()
  }

  /// Ends the file; nothing can be appended after that.
  func finish() throws(FixtureError) -> (bytes: Int, sha256: String) {
    guard let file = file.take() else { throw .failed("the dump is already complete") }
    return try file.finish()
  }
}

/// Writes a row of `COPY`'s text format.
struct CopyRow: FieldSink {
  typealias Failure = Never

  let isNullWhenEmpty: [Bool]
  private var bytes: [UInt8] = []

  init(isNullWhenEmpty: [Bool]) { self.isNullWhenEmpty = isNullWhenEmpty }

  /// Ends the row, and returns it.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes + [UInt8(ascii: "\n")]
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    append(isNullWhenEmpty[index] && C.isDefault(value) ? nil : C.plain(value).cell, at: index)
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    append(value.map { C.plain($0).cell }, at: index)
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    append(String(decoding: PlainValue.json(of: values.map { C.plain($0) }), as: UTF8.self), at: index)
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(_ map: [K.Value: C.Value], keys: K, values: C, at index: Int) {
    append(String(decoding: PlainValue.json(ofMap: map, keys: keys, values: values), as: UTF8.self), at: index)
  }

  private mutating func append(_ cell: String?, at index: Int) {
    if index > 0 { bytes.append(UInt8(ascii: "\t")) }
    PostgreSQLText.append(cell, to: &bytes)
  }
}

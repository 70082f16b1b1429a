/// A format with a file for each entity.
protocol TableFormat {
  var format: FixtureFormat { get }

  /// Writes the text before the records.
  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, to output: inout [UInt8])
  /// Writes a record.
  mutating func append<Record: FixtureRecord>(
    _ record: Record, of entity: FixtureEntity, isFirst: Bool, to output: inout [UInt8]
  ) throws(FixtureError)
  /// The text between the records of two shards.
  var separator: [UInt8] { get }
  /// Writes the text after the records.
  func end(_ output: inout [UInt8])
}

extension TableFormat {
  var separator: [UInt8] { [] }
}

/// Writes the file of an entity.
struct TableVisitor<Tables: TableFormat>: EntityVisitor {
  var writing: Writing
  var tables: Tables

  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(FixtureError) {
    let name = tables.format.fileName(of: entity)
    var file = try OutputFile(creating: "\(writing.directory)/\(name)")
    var count = 0
    tables.begin(Record.self, entity, to: &file.buffer)
    try writing.forEachGroup(in: name, of: stream) { records throws(FixtureError) in
      for record in records {
        try tables.append(record, of: entity, isFirst: count == 0, to: &file.buffer)
        count += 1
        try file.flushIfFull()
      }
    }
    tables.end(&file.buffer)
    writing.add(name, format: tables.format.rawValue, entity: entity, records: count, written: try file.finish())
  }
}

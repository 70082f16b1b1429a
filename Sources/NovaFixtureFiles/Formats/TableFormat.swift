/// A format that has a file for each entity.
protocol TableFormat {
  var format: FixtureFormat { get }

  /// What stands before the records.
  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, _ output: inout [UInt8])
  /// Writes a record.
  mutating func append<Record: FixtureRecord>(
    _ record: Record, _ entity: FixtureEntity, _ isFirst: Bool, _ output: inout [UInt8]
  ) throws(FixtureError)
  /// What stands behind them.
  func end(_ output: inout [UInt8])
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
    tables.begin(Record.self, entity, &file.buffer)
    try writing.forEachGroup(name, stream) { records throws(FixtureError) in
      for record in records {
        try tables.append(record, entity, count == 0, &file.buffer)
        count += 1
        try file.flushIfFull()
      }
    }
    tables.end(&file.buffer)
    writing.add(name, tables.format.rawValue, entity, count, try file.finish())
  }
}

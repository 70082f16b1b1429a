import NovaCore
import NovaSQLite

/// Inserts the records of an entity into its table.
struct DatabaseVisitor: EntityVisitor {
  var writing: Writing
  let database: SQLiteDatabase
  let schema: SQLiteSchema

  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(FixtureError) {
    let statement = try database.statement(schema.insertion(into: entity))
    let nullable = Record.descriptor.fields.map { entity.columnsNullWhenEmpty.contains($0.name) }
    try writing.forEachGroup(in: FixtureFormat.databaseName, of: stream) { records throws(FixtureError) in
      for record in records {
        var row = SQLiteRow(statement: statement, isNullWhenEmpty: nullable)
        record.writeFields(to: &row)
        try SQLiteDatabase.writing { () throws(SQLiteError) in try statement.run() }
      }
    }
  }
}

/// Binds a record's fields to the parameters of an INSERT statement.
private struct SQLiteRow: FieldSink {
  typealias Failure = Never

  let statement: SQLiteStatement
  let isNullWhenEmpty: [Bool]

  func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    statement.bind(index, isNullWhenEmpty[index] && C.isDefault(value) ? nil : C.plain(value))
  }

  func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    statement.bind(index, value.map { C.plain($0) })
  }

  func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    statement.bind(String(decoding: PlainValue.json(of: values.map { C.plain($0) }), as: UTF8.self), at: index)
  }

  func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    statement.bind(
      String(decoding: PlainValue.json(ofMap: map, keys: keys, values: values), as: UTF8.self), at: index)
  }
}

import NovaCore

/// The tables of a database, with a column for each field of `Proto/`.
struct SQLiteSchema {
  /// The entities in the database. Only references between them become foreign keys.
  let entities: [FixtureEntity]
  /// Whether tables have keys. A shard has rows whose references are in other shards, in the order of writing.
  var hasKeys = true

  /// Returns the statement that creates an entity's table.
  func table(of entity: FixtureEntity) -> String {
    let references = references(of: entity)
    let key = entity.key
    var lines = entity.message.fields.map { field in
      let isNullable = field.cardinality == .optional || entity.columnsNullWhenEmpty.contains(field.name)
      return "  \(field.name) \(Self.type(field))\(isNullable ? "" : " NOT NULL")"
    }
    guard hasKeys else { return "CREATE TABLE \(entity.rawValue) (\n\(lines.joined(separator: ",\n"))\n)" }
    lines.append("  PRIMARY KEY (\(key.joined(separator: ", ")))")
    for reference in references {
      lines.append("  FOREIGN KEY (\(reference.column)) REFERENCES \(reference.entity.rawValue) (id)")
    }
    // Tables of edges consist mostly of their keys.
    return
      "CREATE TABLE \(entity.rawValue) (\n\(lines.joined(separator: ",\n"))\n)\(key.count > 1 ? " WITHOUT ROWID" : "")"
  }

  /// Returns the statement that inserts a row.
  func insertion(into entity: FixtureEntity) -> String {
    let values = entity.message.fields.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(entity.rawValue) VALUES (\(values))"
  }

  private func references(of entity: FixtureEntity) -> [EntityReference] {
    entity.references.filter { entities.contains($0.entity) }
  }

  /// Lists and messages are JSON; times in seconds and booleans are integers.
  private static func type(_ field: FieldDescriptor) -> String {
    switch field.cardinality {
    case .repeated, .map: return "TEXT"
    case .singular, .optional: break
    }
    return switch field.kind {
    case .double, .float: "REAL"
    case .string, .bytes, .timestamp, .message, .enumeration: "TEXT"
    default: "INTEGER"
    }
  }
}

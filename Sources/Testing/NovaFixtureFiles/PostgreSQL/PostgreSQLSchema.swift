import NovaContract
import NovaCore

/// The tables of a set in PostgreSQL, with a column for each field of `Proto/`.
///
/// The types are those that the cells of the CSV files and of the dump have: times in Unix seconds are `bigint`, other times
/// `timestamptz`, lists and messages `jsonb`.
struct PostgreSQLSchema {
  /// The entities in the database. Only references between them become foreign keys.
  let entities: [FixtureEntity]

  /// Where keys are declared.
  enum Keys {
    /// In the statement that creates a table.
    case inTable
    /// In statements of their own, because a filled table gets its keys faster than an empty one gets its rows.
    case afterRows
  }

  /// Returns the statements that create all tables, with their comments.
  func tables(keys: Keys) -> String {
    entities.map { "\(table(of: $0, keys: keys))\n\n\(comments(of: $0))" }.joined(separator: "\n")
  }

  /// The statements that add the keys to filled tables: all primary keys, then the foreign keys.
  var keys: String {
    let lines =
      entities.map { "ALTER TABLE \(PostgreSQLText.name($0.rawValue)) ADD \(Self.primaryKey($0));" }
      + entities.flatMap { entity in
        foreignKeys(entity).map { "ALTER TABLE \(PostgreSQLText.name(entity.rawValue)) ADD \($0);" }
      }
    return lines.map { "\($0)\n" }.joined()
  }

  /// Whether a column can be NULL.
  static func isNullable(_ field: FieldDescriptor, in entity: FixtureEntity) -> Bool {
    switch field.cardinality {
    case .repeated, .map: return false
    case .optional: return true
    case .singular: break
    }
    if case .message = field.kind { return true }
    return entity.columnsNullWhenEmpty.contains(field.name)
  }

  /// Returns the type of a field's column.
  static func type(of field: FieldDescriptor) -> String {
    switch field.cardinality {
    case .repeated, .map: return "jsonb"
    case .singular, .optional: break
    }
    return switch field.kind {
    case .double: "double precision"
    case .float: "real"
    case .int32, .sint32, .sfixed32: "integer"
    case .uint32, .fixed32, .int64, .sint64, .sfixed64, .unixSeconds: "bigint"
    case .uint64, .fixed64: "numeric(20)"
    case .bool: "boolean"
    // Bytes are in Base64, and enumerations are names.
    case .string, .bytes, .enumeration: "text"
    case .timestamp: "timestamptz"
    case .message: "jsonb"
    }
  }

  private func table(of entity: FixtureEntity, keys: Keys) -> String {
    var lines = entity.message.fields.map { field in
      let isNullable = Self.isNullable(field, in: entity)
      return "\(PostgreSQLText.name(field.name)) \(Self.type(of: field))\(isNullable ? "" : " NOT NULL")"
    }
    lines += PostgreSQLChecks(entity).conditions.map { "CHECK (\($0))" }
    if keys == .inTable { lines += [Self.primaryKey(entity)] + foreignKeys(entity) }
    let body = lines.map { "  \($0)" }.joined(separator: ",\n")
    return "CREATE TABLE \(PostgreSQLText.name(entity.rawValue)) (\n\(body)\n);"
  }

  private static func primaryKey(_ entity: FixtureEntity) -> String {
    "PRIMARY KEY (\(entity.key.map(PostgreSQLText.name).joined(separator: ", ")))"
  }

  private func foreignKeys(_ entity: FixtureEntity) -> [String] {
    entity.references.filter { entities.contains($0.entity) }.map { reference in
      let target = PostgreSQLText.name(reference.entity.rawValue)
      return "FOREIGN KEY (\(PostgreSQLText.name(reference.column))) REFERENCES \(target) (id)"
    }
  }

  /// The words of the contract about the records and their fields.
  private func comments(of entity: FixtureEntity) -> String {
    let (message, table) = (entity.message, PostgreSQLText.name(entity.rawValue))
    var lines: [String] = []
    if let words = Self.words(about: message.name) {
      lines.append("COMMENT ON TABLE \(table) IS \(PostgreSQLText.literal(words));")
    }
    for field in message.fields {
      guard let words = Self.words(about: "\(message.name).\(field.name)") ?? Self.words(about: field.kind) else {
        continue
      }
      let column = "\(table).\(PostgreSQLText.name(field.name))"
      lines.append("COMMENT ON COLUMN \(column) IS \(PostgreSQLText.literal(words));")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func words(about name: String) -> String? {
    let paragraphs = ContractTexts.nova.comment(of: name)
    return paragraphs.isEmpty ? nil : paragraphs.joined(separator: " ")
  }

  /// The contract has no words about the records that only fixtures have.
  private static func words(about kind: FieldKind) -> String? { kind == .unixSeconds ? "In Unix seconds." : nil }
}

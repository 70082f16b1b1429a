import NovaSupport

/// A row of a result. Its values are read by the column's name or position, as the type that you ask for.
///
/// ```swift
/// let id: Int64 = try row.value("id")
/// let nickname = try row.value("nickname", as: String?.self)
/// let tags = try row.value(2, as: [String].self)
/// ```
public struct PostgreSQLRow: Sendable {
  let storage: RowStorage
  let number: Int

  /// The columns.
  public var columns: [PostgreSQLColumn] { storage.columns }

  /// Reads the value of a column; the first one of that name.
  ///
  /// - Parameters:
  ///   - column: the name, as in the result.
  ///   - type: the type: `String`, an integer, `Double`, `Bool`, `[UInt8]`, an array of these, or an optional of any.
  /// - Throws: ``PostgreSQLError`` `invalidArgument` if there is no such column, or its value is `NULL` or something else.
  public func value<Value: PostgreSQLReadable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let index = columns.firstIndex(where: { $0.name == column }) else {
      throw PostgreSQLError.invalidArgument("the result has no column \(column.quoted)")
    }
    return try value(index, as: type)
  }

  /// Reads the value of a column.
  ///
  /// - Parameters:
  ///   - index: the position, counted from 0.
  ///   - type: the type, as for a name.
  /// - Throws: ``PostgreSQLError`` `invalidArgument`, as for a name.
  public func value<Value: PostgreSQLReadable>(_ index: Int, as type: Value.Type = Value.self) throws -> Value {
    guard columns.indices.contains(index) else {
      throw PostgreSQLError.invalidArgument("the result has \(columns.count) columns, and no column \(index)")
    }
    return try Value.read(PostgreSQLCell(column: columns[index], bytes: storage.value(row: number, column: index)))
  }

  /// Whether the value of a column is `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` `invalidArgument` if there is no such column.
  public func isNull(_ column: String) throws -> Bool { try value(column, as: PostgreSQLCell.self).bytes == nil }
}

import CNovaSQLite

/// A value of a column as it is stored.
package enum ColumnValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension ColumnValue: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    switch self {
    case .null: statement.bindNull(at: parameter)
    case .integer(let value): value.bind(to: statement, at: parameter)
    case .real(let value): value.bind(to: statement, at: parameter)
    case .text(let value): value.bind(to: statement, at: parameter)
    case .blob(let value): value.bind(to: statement, at: parameter)
    }
  }
}

extension SQLiteStatement {
  /// The stored value of a column, without conversion by SQLite. Text that is not valid UTF-8 becomes a blob.
  package func value(_ column: Int) -> ColumnValue {
    guard let pointer else { return .null }
    return switch nova_sqlite_column_type(pointer, Int32(truncatingIfNeeded: column)) {
    case 1: .integer(int64(column))
    case 2: .real(double(column))
    case 3: String(validating: bytes(column), as: UTF8.self).map { .text($0) } ?? .blob(bytes(column))
    case 4: .blob(bytes(column))
    default: .null
    }
  }
}

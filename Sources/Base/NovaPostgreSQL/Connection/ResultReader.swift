internal import CNovaPostgreSQL

/// Copies the results of a statement. The first error counts, or else the last result.
struct ResultReader {
  private(set) var result = StatementResult(rows: PostgreSQLRows())
  private(set) var failure: PostgreSQLError?
  private(set) var isCopy = false

  /// Reads a result, and releases it.
  mutating func read(_ pointer: UnsafeMutableRawPointer) {
    defer { nova_pg_clear(pointer) }
    switch Int(nova_pg_result_status(pointer)) {
    case NOVA_PG_COMMAND_OK, NOVA_PG_EMPTY_QUERY, NOVA_PG_TUPLES_OK:
      result = StatementResult(rows: Self.rows(pointer), command: String(cString: nova_pg_command(pointer)))
    case NOVA_PG_COPY_IN, NOVA_PG_COPY_OUT, NOVA_PG_COPY_BOTH: isCopy = true
    default: failure = failure ?? Self.error(pointer)
    }
  }

  private static func rows(_ result: UnsafeMutableRawPointer) -> PostgreSQLRows {
    let rowCount = nova_pg_row_count(result), columnCount = nova_pg_column_count(result)
    var storage = RowStorage(
      columns: (0..<columnCount).map {
        PostgreSQLColumn(name: String(cString: nova_pg_column_name(result, $0)), type: nova_pg_column_type(result, $0))
      })
    storage.reserve(values: Int(rowCount) * Int(columnCount))
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        var length: Int32 = 0
        if let value = nova_pg_value(result, row, column, &length) {
          storage.append(UnsafeRawBufferPointer(start: value, count: Int(length)))
        } else {
          storage.appendNull()
        }
      }
    }
    storage.finish(rowCount: Int(rowCount), affectedRows: Int(String(cString: nova_pg_affected(result))) ?? 0)
    return PostgreSQLRows(storage: storage)
  }

  private static func error(_ result: UnsafeMutableRawPointer) -> PostgreSQLError {
    func field(_ letter: Unicode.Scalar) -> String? {
      nova_pg_error_field(result, Int32(letter.value)).map { String(cString: $0) }
    }
    guard let state = field("C") else {
      return PostgreSQLError(.connection, String(cString: nova_pg_result_message(result)), mayHaveRun: true)
    }
    return PostgreSQLError(
      .server(sqlState: state), field("M") ?? "no message", constraint: field("n"), detail: field("D"))
  }
}

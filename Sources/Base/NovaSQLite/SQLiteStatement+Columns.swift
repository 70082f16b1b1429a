import CNovaSQLite

/// The values of the current row. A column that is NULL or does not exist is 0 or empty. SQLite converts other types.
extension SQLiteStatement {
  package func isNull(_ column: Int) -> Bool {
    guard let pointer else { return true }
    return nova_sqlite_column_type(pointer, Int32(truncatingIfNeeded: column)) == NOVA_SQLITE_NULL
  }

  package func int64(_ column: Int) -> Int64 {
    guard let pointer else { return 0 }
    return nova_sqlite_column_integer(pointer, Int32(truncatingIfNeeded: column))
  }

  package func int(_ column: Int) -> Int { Int(clamping: int64(column)) }

  package func bool(_ column: Int) -> Bool { int64(column) != 0 }

  package func double(_ column: Int) -> Double {
    guard let pointer else { return 0 }
    return nova_sqlite_column_double(pointer, Int32(truncatingIfNeeded: column))
  }

  /// The text of a column. Invalid UTF-8 is replaced, as by `String(decoding:as:)`.
  package func text(_ column: Int) -> String {
    guard let pointer else { return "" }
    var count = 0
    let text = nova_sqlite_column_text(pointer, Int32(truncatingIfNeeded: column), &count)
    return String(decoding: UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count), as: UTF8.self)
  }

  package func bytes(_ column: Int) -> [UInt8] { withUnsafeBytes(of: column) { Array($0) } }

  /// Calls `body` with the bytes of a blob or text, without a copy. They are valid during the call only.
  package func withUnsafeBytes<Value, Failure: Error>(
    of column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var count = 0
    let bytes = pointer.flatMap { nova_sqlite_column_blob($0, Int32(truncatingIfNeeded: column), &count) }
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }
}

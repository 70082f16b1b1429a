import CNovaSQLite

/// A value of a parameter: `Int`, `Int64`, `Double`, `String`, `[UInt8]`, or `Bool`. SQLite copies it.
package protocol SQLiteValue {
  /// Binds the value to a parameter, counted from 0. Call ``SQLiteStatement/bind(_:at:)`` instead.
  func bind(to statement: SQLiteStatement, at parameter: Int)
}

extension Int64: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    statement.bind(parameter) { nova_sqlite_bind_integer($0, $1, self) }
  }
}

extension Int: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    Int64(self).bind(to: statement, at: parameter)
  }
}

/// An integer, 0 or 1.
extension Bool: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    Int64(self ? 1 : 0).bind(to: statement, at: parameter)
  }
}

/// SQLite stores NaN as NULL.
extension Double: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    statement.bind(parameter) { nova_sqlite_bind_double($0, $1, self) }
  }
}

extension String: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    var text = self
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = statement.bind(parameter) { nova_sqlite_bind_text($0, $1, characters.baseAddress, characters.count) }
      }
    }
  }
}

/// A blob. An empty one is not NULL.
extension [UInt8]: SQLiteValue {
  package func bind(to statement: SQLiteStatement, at parameter: Int) {
    withUnsafeBytes { bytes in
      _ = statement.bind(parameter) { nova_sqlite_bind_blob($0, $1, bytes.baseAddress, bytes.count) }
    }
  }
}

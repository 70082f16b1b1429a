import CNovaSQLite

/// The SQLite of this machine.
package enum SQLiteLibrary {
  /// Its version: `3.45.1`.
  ///
  /// - Throws: ``SQLiteError`` if it cannot be loaded.
  package static func version() throws(SQLiteError) -> String {
    if let problem = nova_sqlite_load() { throw SQLiteError(.missingLibrary, String(cString: problem), path: "") }
    return String(cString: nova_sqlite_version())
  }
}

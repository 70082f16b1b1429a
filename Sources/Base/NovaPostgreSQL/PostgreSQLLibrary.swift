import CNovaPostgreSQL

/// The libpq of this machine.
package enum PostgreSQLLibrary {
  /// Its version: `15.14`.
  ///
  /// - Throws: ``PostgreSQLError`` if it cannot be loaded.
  package static func version() throws(PostgreSQLError) -> String {
    if let problem = nova_postgresql_load() { throw PostgreSQLError(.missingLibrary, String(cString: problem)) }
    let number = nova_postgresql_version()
    return "\(number / 10_000).\(number % 10_000)"
  }
}

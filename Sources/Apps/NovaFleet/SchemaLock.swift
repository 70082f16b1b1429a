import NovaPostgreSQL

extension PostgreSQLClient {
  /// Runs the statements that create a schema, in a transaction. A role that may not create anything can use what others
  /// have created.
  ///
  /// - Parameters:
  ///   - lookup: an expression with a name, `$1`, which is null while that does not exist.
  ///   - name: the name of what is created last.
  func create(_ statements: [String], unless lookup: String, finds name: String) async throws {
    do {
      try await changingSchemas { client in
        for statement in statements { _ = try await client.query(statement, []) }
      }
    } catch let error as PostgreSQLError where error.sqlState == "42501" {
      let rows = try await query("SELECT \(lookup) IS NOT NULL AS exists", [.text(name)])
      guard try rows.first?.value("exists", as: Bool.self) == true else { throw error }
    }
  }

  /// Runs `body` in a transaction, while no other one creates tables of this module, in any schema. The lock ends with the
  /// transaction, so it also works with a pooler.
  func changingSchemas(_ body: @Sendable (any PostgreSQLClient) async throws -> Void) async throws {
    do {
      try await transaction { client in
        // At a stricter level, what others create while this waits would stay invisible.
        _ = try await client.query(ReadCommittedClient.setLevel, [])
        try await client.lockSchemas()
        try await body(client)
      }
    } catch let error as PostgreSQLError where error.sqlState == ReadCommittedClient.tooLate {
      try await transaction { client in
        try await client.lockSchemas()
        try await body(client)
      }
    }
  }

  private func lockSchemas() async throws {
    _ = try await query("SELECT pg_advisory_xact_lock(hashtext('nova schema'))", [])
    // PostgreSQL notices what others have just created when it locks a table. Without that, the next statement
    // could believe that a schema is still absent.
    _ = try await query("SELECT 1 FROM pg_catalog.pg_namespace LIMIT 1", [])
  }
}

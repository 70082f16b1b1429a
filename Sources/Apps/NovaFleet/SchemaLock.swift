import NovaPostgreSQL

extension PostgreSQLClient {
  /// Waits until no other transaction creates tables of this module, in any schema. Call it in a transaction: the lock
  /// ends with it, so it also works with a pooler.
  func lockSchemas() async throws {
    _ = try await query("SELECT pg_advisory_xact_lock(hashtext('nova schema'))", [])
    // PostgreSQL notices what others have just created when it locks a table. Without that, the next statement
    // could believe that a schema is still absent.
    _ = try await query("SELECT 1 FROM pg_catalog.pg_namespace LIMIT 1", [])
  }
}

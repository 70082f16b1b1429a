import NovaFleet
import NovaPostgreSQL
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct FleetSchemaTests {
  /// All parts have tables in one schema, which several machines create when they start.
  @Test func machinesCreateAllTablesAtOnce() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: PostgreSQLPoolOptions(acquireTimeout: .seconds(60)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try await FleetSessions.createTable(on: pool) }
        group.addTask { try await PostgreSQLLimitStore(pool).createSchema() }
        group.addTask { try await FleetOutbox(pool).prepare() }
      }
      try await group.waitForAll()
    }
    let tables = try server.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'nova'")
    #expect((Int(tables) ?? 0) > 5)
    await pool.close()
  }
}

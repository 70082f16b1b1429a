import NovaCore
import NovaPostgreSQL
import NovaTestSupport
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetSchemaTests {
  /// All parts have tables in one schema, which several machines create when they start.
  @Test(arguments: ["read committed", "repeatable read", "serializable"])
  func machinesCreateAllTablesAtOnce(level: String) async throws {
    let server = try PostgreSQLServer(settings: ["default_transaction_isolation=\(level)"])
    let pool = try PostgreSQLPool(
      server.url, options: PostgreSQLPoolOptions(acquireTimeout: .seconds(60), outageTimeout: .seconds(60)))
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
    // Where all tables of a database are published, rows of a table without a key cannot be changed.
    let withoutKey = try server.ask(
      """
      SELECT relname FROM pg_class c WHERE relnamespace = 'nova'::regnamespace AND relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)
      """)
    #expect(withoutKey == "")
    await pool.shutdown()
  }

  /// With the grants of the pages, everything works that a service does.
  @Test func aRoleThatMayNotCreateTablesUsesThoseThatExist() async throws {
    let server = try PostgreSQLServer()
    let options = PostgreSQLPoolOptions(acquireTimeout: .seconds(60), outageTimeout: .seconds(60))
    let owner = try PostgreSQLPool(server.url, options: options)
    let app = try PostgreSQLPool(server.url.replacing("user=postgres", with: "user=app"), options: options)
    try server.ask("CREATE ROLE app LOGIN")
    await #expect { try await FleetSessions.createTable(on: app) } throws: { error in
      (error as? PostgreSQLError)?.sqlState == "42501" && "\(error)".hasSuffix("or let an owner run the statement")
    }
    await #expect(throws: PostgreSQLError.self) { try await PostgreSQLLimitStore(app).createSchema() }
    try await FleetSessions.createTable(on: owner)
    try await PostgreSQLLimitStore(owner).createSchema()
    for (page, count) in [("docs/fleet-sessions.md", 2), ("docs/fleet-limits.md", 1)] {
      let blocks = try Checkout.text(of: page).split(separator: "```sql\n").dropFirst()
      #expect(blocks.count == count)
      for block in blocks { try server.ask(String(block.prefix { $0 != "`" })) }
    }
    try await FleetSessions.createTable(on: app)
    try await PostgreSQLLimitStore(app).createSchema()
    let records = PostgreSQLSessionRecords(client: app, schema: "nova", listens: true)
    _ = try await records.acquire("s", owner: "me", for: .seconds(60))
    #expect(try await records.renew("s", owner: "me", for: .seconds(60)))
    #expect(try await records.replace("s", with: SessionRecord(generation: 1), expected: 0, write: "w"))
    try await records.release("s", owner: "me")
    #expect(try await records.read("s").generation == 1)
    let grant = try await PostgreSQLLimitStore(app).take(1, of: FleetLimit("t", rate: 1), priority: .normal)
    #expect(grant.tokens == 1)
    await app.shutdown()
    await owner.shutdown()
  }
}

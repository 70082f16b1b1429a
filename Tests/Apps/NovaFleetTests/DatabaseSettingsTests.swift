import NovaAuth
import NovaCore
import NovaFleet
import NovaPostgreSQL
import NovaTestSupport
import Testing

/// Databases of applications that have other defaults: the level of their transactions, how values become text, how long
/// connections may be idle.
@Suite(.hangLimit) struct DatabaseSettingsTests {
  struct Settings: CustomTestStringConvertible, Sendable {
    let lines: [String]
    var testDescription: String { lines.joined(separator: ", ") }
  }

  private static let levels = ["repeatable read", "serializable"].map {
    Settings(lines: ["default_transaction_isolation=\($0)"])
  }

  private static let all =
    levels + [
      Settings(lines: [
        "bytea_output=escape", "datestyle=german, dmy", "intervalstyle=sql_standard", "timezone=Asia/Kathmandu",
        "standard_conforming_strings=off", "extra_float_digits=0", "transform_null_equals=on", "xmlbinary=hex",
        "quote_all_identifiers=on", "client_min_messages=debug1", "search_path=nowhere", "enable_hashjoin=off",
      ]),
      Settings(lines: ["idle_session_timeout=50ms", "idle_in_transaction_session_timeout=10s", "jit_above_cost=0"]),
    ]

  private func pool(_ server: PostgreSQLServer) throws -> PostgreSQLPool {
    try PostgreSQLPool(
      server.url, options: PostgreSQLPoolOptions(acquireTimeout: .seconds(60), outageTimeout: .seconds(60)))
  }

  @Test(arguments: all, [SessionEngine.Kind.postgresql, .pgbouncer])
  func machinesRefreshOnce(_ settings: Settings, _ kind: SessionEngine.Kind) async throws {
    // PgBouncer 1.18 makes errors for its clients from its own connections that the server ends.
    let lines = settings.lines.filter { kind != .pgbouncer || !$0.hasPrefix("idle_session") }
    let engine = try await SessionEngine(kind, settings: lines)
    let gateway = RotatingGateway(delay: .milliseconds(200))
    try await FleetSessionsTests.signIn(engine.records)
    let machines = try (0..<8).map { _ in try FleetSessionsTests.machine(engine.records, gateway) }
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for machine in machines { group.addTask { try await machine.accessToken()?.secretValue } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-1"] && gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test(arguments: all) func theBudgetIsShared(_ settings: Settings) async throws {
    let server = try PostgreSQLServer(settings: settings.lines)
    let pool = try pool(server)
    let store = PostgreSQLLimitStore(pool)
    try await store.createSchema()
    let limit = try FleetLimit("t", rate: 0.001, burst: 100, reserve: 0, leaseTime: .zero)
    let taken = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { try await store.take(2, of: limit, priority: .normal).tokens } }
      return try await group.reduce(0, +)
    }
    #expect(taken == 100)
    await pool.shutdown()
  }

  /// The application's transactions, which add writes to the outbox, are not aborted by that, or by replicas.
  @Test(arguments: all) func replicasDeliverWhatTransactionsQueue(_ settings: Settings) async throws {
    let server = try PostgreSQLServer(settings: settings.lines)
    let stage = try await OutboxStage(cluster: server, pool: try pool(server))
    let replicas = (0..<3).map { _ in stage.replica { $0.lease = .seconds(60) } }
    let tasks = replicas.map { replica in Task { await replica.run() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for user in 0..<8 {
        group.addTask {
          for number in 0..<20 {
            try await stage.pool.transaction { client in
              _ = try await client.query("SELECT 1", [])
              try await stage.like("\(number)", by: "user\(user)", key: "\(number)", in: client)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    for user in 0..<8 { #expect(stage.gateway.effects(of: "user\(user)").map(\.key) == (0..<20).map { "\($0)" }) }
    #expect(stage.gateway.replays == 0)
    await stage.pool.shutdown()
  }
}

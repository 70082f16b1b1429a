import NovaCore
import NovaPostgreSQL
import NovaRedis
import NovaTestSupport
import Testing

/// A real store behind a link, with the failures of ``FleetFailure``.
final class FailingStore: Sendable {
  let engine: FleetEngine
  let redis: RedisServer?
  let postgreSQL: PostgreSQLServer?
  /// Through the link, as machines see the store.
  let url: String
  private let folder: TemporaryFolder
  private let link: StoreLink
  private let disk: SmallDisk?

  /// - Parameter failure: the failure that will come: a full disk needs a small one.
  init(_ engine: FleetEngine, for failure: FleetFailure) throws {
    self.engine = engine
    folder = try TemporaryFolder()
    switch engine {
    case .redis:
      let server = try RedisServer()
      (redis, postgreSQL, disk) = (server, nil, nil)
      link = try StoreLink(path: "\(folder.path)/redis.sock", to: server.socket)
      url = "redis+unix://\(folder.path)/redis.sock"
    case .postgresql:
      disk = failure == .fullDisk && SmallDisk.isPossible ? try SmallDisk(megabytes: 64) : nil
      let server = try PostgreSQLServer(disk: disk?.path)
      (redis, postgreSQL) = (nil, server)
      link = try StoreLink(
        path: "\(folder.path)/.s.PGSQL.5432", to: "\(server.folder.path)/.s.PGSQL.5432")
      url = "host=\(folder.path) user=postgres dbname=postgres"
    }
  }

  deinit {
    link.stop()
    redis?.stop()
    postgreSQL?.kill()
    disk?.remove()
  }

  /// A pool that gives up soon, or one that waits for the store to be back.
  func redisPool(isPatient: Bool = false) throws -> RedisPool {
    isPatient ? try .patient(url) : try RedisPool(url: url, options: SessionEngine.options)
  }

  /// A pool that gives up soon, or one that waits for a busy machine.
  func postgreSQLPool(isPatient: Bool = false) throws -> PostgreSQLPool {
    if isPatient {
      return try PostgreSQLPool(
        url, options: PostgreSQLPoolOptions(acquireTimeout: .seconds(60), outageTimeout: .seconds(60)))
    }
    var options = PostgreSQLPoolOptions()
    (options.acquireTimeout, options.connectTimeout, options.queryTimeout) = (.seconds(1), .seconds(2), .seconds(1))
    options.cancelTimeout = .milliseconds(200)
    return try PostgreSQLPool(url, options: options)
  }

  /// A pool past the link, for what the test itself does.
  func admin() throws -> RedisPool { try RedisPool.patient("redis+unix://\(try #require(redis).socket)") }

  // MARK: Failures

  func begin(_ failure: FleetFailure) async throws {
    switch failure {
    case .partition: link.cut()
    case .frozenStore:
      redis?.freeze()
      postgreSQL?.freeze()
    case .storeDown:
      redis?.stop()
      postgreSQL?.kill()
    case .fullMemory: _ = try await admin().send(["CONFIG", "SET", "maxmemory", "1"])
    case .fullDisk: try await fillDisk()
    case .dataLost: _ = try await admin().send(["FLUSHALL"])
    default: Issue.record("\(failure) is no failure of the store")
    }
  }

  func end(_ failure: FleetFailure) async throws {
    switch failure {
    case .partition: link.heal()
    case .frozenStore:
      redis?.thaw()
      postgreSQL?.thaw()
    case .storeDown:
      try redis?.start()
      try postgreSQL?.start()
    case .fullMemory: _ = try await admin().send(["CONFIG", "SET", "maxmemory", "0"])
    case .fullDisk: try await emptyDisk()
    default: break
    }
  }

  /// Restarts it in order, with its data.
  func restart() async throws {
    if redis != nil { _ = try await admin().send(["SAVE"]) }
    redis?.stop()
    postgreSQL?.stop()
    try redis?.start()
    try postgreSQL?.start()
  }

  /// Fills the disk, and then the log of changes, as some other program of the database does. PostgreSQL then ends.
  /// Without the right to make a small disk, statements fail as they do when a table cannot grow.
  private func fillDisk() async throws {
    guard let disk, let postgreSQL else { return try refuseWrites() }
    try disk.fill()
    try await waitUntil {
      (try? postgreSQL.ask("SELECT pg_logical_emit_message(false, 'filler', repeat('x', 500000))")) == nil
    }
  }

  private func emptyDisk() async throws {
    guard let disk, let postgreSQL else { return try allowWrites() }
    disk.empty()
    postgreSQL.kill()
    try postgreSQL.start()
  }

  private var tables: [Substring] {
    get throws {
      try #require(postgreSQL).ask("SELECT tablename FROM pg_tables WHERE schemaname = 'nova'").split(separator: "\n")
    }
  }

  private func refuseWrites() throws {
    try postgreSQL?.ask(
      """
      CREATE FUNCTION nova.full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
      """)
    for table in try tables {
      try postgreSQL?.ask(
        "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON nova.\(table) EXECUTE FUNCTION nova.full()")
    }
  }

  private func allowWrites() throws {
    for table in try tables { try postgreSQL?.ask("DROP TRIGGER full_disk ON nova.\(table)") }
  }
}

import NovaCore
import NovaLibc
import NovaPostgreSQL
import NovaRedis
import NovaTestSupport
import Testing

/// Makes a store slower than every limit, until ``end()``.
final class SlowStore: Sendable {
  private let engine: SessionEngine
  private let holder: Task<Void, Never>?

  init(_ engine: SessionEngine) async throws {
    self.engine = engine
    engine.redis?.freeze()
    guard let server = engine.postgreSQL else {
      holder = nil
      return
    }
    // A lock on the table holds every statement.
    let pool = try PostgreSQLPool(server.url)
    let isLocked = Locked(false)
    holder = Task {
      try? await pool.transaction { client in
        _ = try await client.query("LOCK TABLE nova.sessions IN ACCESS EXCLUSIVE MODE", [])
        isLocked.withLock { $0 = true }
        try await Task.sleep(for: .seconds(600))
      }
    }
    try await waitUntil { isLocked.withLock { $0 } }
  }

  func end() async throws {
    engine.redis?.thaw()
    holder?.cancel()
    await holder?.value
  }
}

extension SessionEngine {
  /// From now on, writes fail as they do without space.
  func fillDisk() async throws {
    if redis != nil {
      // A folder that is gone is a snapshot that cannot be written, also for root.
      let admin = try RedisPool.patient(url)
      _ = try await admin.send(["SET", "more", "1"])
      let path = try #require(try await admin.send(["CONFIG", "GET", "dir"])["dir"]?.text)
      _ = try await admin.send(["CONFIG", "SET", "dir", RedisArgument(Self.makeFolder(in: path))])
      Self.removeFolder(in: path)
      _ = try await admin.send(["BGSAVE"])
      try await waitUntil { try await admin.send(["INFO", "persistence"]).text?.contains("status:err") == true }
    }
    try postgreSQL?.ask(
      """
      CREATE FUNCTION nova.full() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON nova.sessions EXECUTE FUNCTION nova.full();
      """)
  }

  func emptyDisk() async throws {
    if redis != nil {
      let admin = try RedisPool.patient(url)
      _ = try await admin.send(["CONFIG", "SET", "stop-writes-on-bgsave-error", "no"])
    }
    try postgreSQL?.ask("DROP TRIGGER full_disk ON nova.sessions")
  }

  private static func makeFolder(in path: String) -> String {
    mkdir("\(path)/full", 0o755)
    return "\(path)/full"
  }

  private static func removeFolder(in path: String) { rmdir("\(path)/full") }
}

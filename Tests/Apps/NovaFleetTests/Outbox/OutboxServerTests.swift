import NovaCore
import NovaFleet
import NovaOffline
import NovaPostgreSQL
import NovaTestSupport
import Testing

/// What the outbox needs of its server, and what happens when the server or the gateway lacks it.
@Suite(.serialized, .hangLimit) struct OutboxServerTests {
  private static func count(_ stage: OutboxStage, _ table: String) async throws -> Int {
    try await stage.pool.query("SELECT count(*) AS count FROM nova.\(table)", []).first?.value("count") ?? 0
  }

  @Test func itWorksThroughPgBouncerInTransactionMode() async throws {
    var bouncer: PgBouncer?
    let stage = try await OutboxStage { server in
      let started = try PgBouncer(server)
      bouncer = started
      return try PostgreSQLPool(started.url)
    }
    let direct = try PostgreSQLPool(stage.cluster.url)
    // A lease that ends while the machine is busy would have writes sent again, which is right, but not counted here.
    let replicas = (0..<2).map { _ in stage.replica(listener: direct) { $0.lease = .seconds(60) } }
    let tasks = replicas.map { replica in Task { await replica.run() } }
    for number in 0..<100 {
      _ = try await stage.pool.transaction { client in
        try await stage.like("\(number)", by: "user\(number % 4)", key: "k\(number)", in: client)
      }
    }
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(stage.gateway.effects.count == 100 && stage.gateway.replays == 0)
    for user in 0..<4 {
      #expect(
        stage.gateway.effects(of: "user\(user)").map(\.key) == (0..<100).filter { $0 % 4 == user }.map { "k\($0)" })
    }
    #expect(bouncer != nil)
  }

  @Test func aNotificationWakesReplicasBetweenPolls() async throws {
    let stage = try await OutboxStage()
    let replica = stage.replica(listener: stage.pool) { options in
      options.pollInterval = .seconds(3600)
      // Nothing would look at a lease again that ends while the machine is busy.
      options.lease = .seconds(600)
    }
    let task = Task { await replica.run() }
    try await stage.like("1", by: "ada")
    // From some time on, it listens.
    try await waitUntil {
      try await stage.outbox.wake(OutboxStage.identity("ada"))
      return stage.gateway.effects.count == 1
    }
    try await waitUntil { try await Self.count(stage, "outbox_arrivals") == 0 }
    try await stage.like("2", by: "ada")
    try await waitUntil { stage.gateway.effects.count == 2 }
    task.cancel()
    await task.value
  }

  @Test func endedWritesAreKeptForSomeTime() async throws {
    let stage = try await OutboxStage()
    stage.gateway.answerFirst { request in
      String(decoding: request.body.bytes ?? [], as: UTF8.self).contains("\"bad\"")
        ? HTTPResponse(
          status: 400, headers: ["Content-Type": "application/json"],
          body: Array(#"{"code":3,"message":"no such post"}"#.utf8)) : nil
    }
    try await stage.like("good", by: "ada")
    try await stage.like("bad", by: "ada")
    let replica = stage.replica { options in
      options.keepsDelivered = .seconds(3600)
      options.keepsRefused = .seconds(3600)
      options.maintenanceInterval = .milliseconds(20)
    }
    let task = Task { await replica.run() }
    try await waitUntil { try await Self.count(stage, "outbox_entries WHERE state = 'delivered'") == 1 }
    try await waitUntil { try await Self.count(stage, "outbox_entries WHERE state = 'dead'") == 1 }
    _ = try await stage.pool.query("UPDATE nova.outbox_entries SET ended_at = ended_at - interval '2 hours'", [])
    try await waitUntil { try await Self.count(stage, "outbox_entries") == 0 }
    task.cancel()
    await task.value
  }

  @Test func aSweepFindsWritesThatNothingAnnounced() async throws {
    let stage = try await OutboxStage()
    try await stage.pool.transaction { client in
      _ = try await client.query("SET LOCAL session_replication_role = replica", [])
      _ = try await client.query(
        """
        INSERT INTO nova.outbox_entries (subject, rpc, request)
        VALUES ($1, 'social.CreateLike', '{"userId": "ada", "postId": "1"}')
        """, [.text("user:ada at \(OutboxStage.gatewayURL)/")])
    }
    #expect(try await Self.count(stage, "outbox_arrivals") == 0)
    let replica = stage.replica { $0.maintenanceInterval = .milliseconds(20) }
    try await stage.deliverAll(by: [replica])
    #expect(stage.gateway.effects.count == 1)
  }

  @Test func theGatewayAsksToWaitInAllReplicas() async throws {
    let stage = try await OutboxStage()
    let asked = Locked(0)
    stage.gateway.answerFirst { _ in
      asked.withLock { $0 += 1 }
      return HTTPResponse(
        status: 429, headers: ["Content-Type": "application/json", "Retry-After": "3600"],
        body: Array(#"{"code":8,"message":"slow down"}"#.utf8))
    }
    try await stage.like("1", by: "ada")
    let replicas = [stage.replica(), stage.replica()]
    let tasks = replicas.map { replica in Task { await replica.run() } }
    try await waitUntil {
      try await Self.count(stage, "outbox_subjects WHERE owner IS NULL AND rest_until > now() + interval '1 minute'")
        == 1
    }
    try await stage.like("2", by: "ada")
    try await waitUntil { try await Self.count(stage, "outbox_arrivals") == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(asked.withLock { $0 } == 1)
    #expect(try await stage.outbox.statistics().waiting == 2)
  }

  /// Needs a small disk, which only root can make.
  @Test(.enabled(if: SmallDisk.isPossible)) func theDiskIsFull() async throws {
    let stage = try await OutboxStage()
    let disk = try SmallDisk(megabytes: 4)
    defer { disk.remove() }
    _ = try await stage.pool.query("CREATE TABLESPACE small LOCATION '\(disk.path)'", [])
    for table in ["outbox_entries", "outbox_subjects", "outbox_arrivals"] {
      _ = try await stage.pool.query("ALTER TABLE nova.\(table) SET TABLESPACE small", [])
    }
    let tasks = (0..<2).map { _ in
      let replica = stage.replica()
      return Task { await replica.run() }
    }
    try disk.fill()
    var accepted: [String] = []
    var failure: PostgreSQLError?
    // Big ones, so that the pages that there are do not suffice.
    for number in 0..<2000 where failure == nil {
      do {
        _ = try await stage.pool.query(
          """
          INSERT INTO nova.outbox_entries (subject, rpc, request, key)
          SELECT 'user:ada at http://localhost:8080/', 'social.CreateLike',
            jsonb_build_object('userId', 'ada', 'postId', string_agg(md5((n + $1::bigint)::text), '')), $2
          FROM generate_series(1, 50) n
          """, [.integer(Int64(number)), .text("k\(number)")])
        accepted.append("k\(number)")
      } catch let error as PostgreSQLError { failure = error }
    }
    #expect(failure?.sqlState == "53100", "\(String(describing: failure))")
    disk.empty()
    try await waitUntil { (try? await stage.outbox.statistics().waiting) == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(stage.gateway.effects(of: "ada").map(\.key) == accepted)
  }
}

import Foundation
import NovaPostgreSQL
import NovaSupport
import NovaTestSupport
import Testing

/// Statements, transactions, and failures with a real server.
@Suite(.hangLimit) struct PostgreSQLPoolTests {
  private func options(_ change: (inout PostgreSQLPoolOptions) -> Void = { _ in }) -> PostgreSQLPoolOptions {
    var options = PostgreSQLPoolOptions(
      maximumConnections: 4, acquireTimeout: .seconds(60), outageTimeout: .seconds(60), queryTimeout: .seconds(60))
    change(&options)
    return options
  }

  private func failure(_ body: () async throws -> Void) async -> PostgreSQLError? {
    do { try await body() } catch { return error as? PostgreSQLError }
    return nil
  }

  @Test func valuesSurviveTheWay() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    let texts: [String?] = ["", "a,b", "\"q\"", "back\\slash", "NULL", nil, "{x}", "é👍", " "]
    let bytes = (0...255).map { UInt8($0) }
    let rows = try await pool.query(
      "SELECT $1::text AS t, $2::bigint AS i, $3::float8 AS d, $4::bool AS b, $5::bytea AS y, $6::text[] AS ts, "
        + "$7::bigint[] AS \"is\", $8::float8[] AS ds, $9::text AS n, $10::bytea AS e",
      [
        "O'Hara; --", .integer(.min), .double(.infinity), true, .bytes(bytes), .texts(texts),
        .integers([1, nil, .max]),
        .doubles([.nan, -0.1]), nil, .bytes([]),
      ])
    let row = try #require(rows.first)
    #expect(try row.value("t") == "O'Hara; --")
    #expect(try row.value("i") == Int64.min)
    #expect(try row.value("d") == Double.infinity)
    #expect(try row.value("b") == true)
    #expect(try row.value("y") == bytes)
    #expect(try row.value("ts") == texts)
    #expect(try row.value("is") == [1, nil, Int64.max])
    #expect(try row.value("ds", as: [Double].self)[1] == -0.1)
    #expect(try row.value("n", as: String?.self) == nil)
    #expect(try row.value("e") == [UInt8]())
    #expect(throws: PostgreSQLError.self) { try row.value("n", as: String.self) }
    #expect(throws: PostgreSQLError.self) { try row.value("none", as: String.self) }
    let huge = String(repeating: "x", count: 20_000_000)
    #expect(try await pool.query("SELECT length($1), $1", [.text(huge)]).first?.value(1) == huge)
    let nul = await failure { _ = try await pool.query("SELECT $1", ["a\0b"]) }
    #expect(nul?.kind == .invalidArgument)
    #expect(try await pool.query("SELECT '\\xff'::bytea").first?.value(0) == [UInt8(255)])
    await pool.shutdown()
    #expect(await failure { try await pool.query("SELECT 1") }?.kind == .closed)
  }

  @Test func transactionsCommitOrRollBack() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    try await pool.query("CREATE TABLE t (id int PRIMARY KEY)")
    try await pool.transaction { _ = try await $0.query("INSERT INTO t VALUES (1)") }
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO t VALUES (2)")
        throw Refusal()
      }
    }
    // A statement that failed, and whose error the body ignored.
    let ignored = await failure {
      try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO t VALUES (3)")
        _ = try? await transaction.query("SELECT nonsense")
      }
    }
    #expect(ignored?.sqlState == "25P02")
    try await pool.transaction { transaction in
      try await transaction.query("INSERT INTO t VALUES (4)")
      _ = try? await transaction.transaction { try await $0.query("INSERT INTO t VALUES (1)") }
      try await transaction.query("INSERT INTO t VALUES (5)")
    }
    let task = Task {
      try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO t VALUES (6)")
        try await transaction.query("SELECT pg_sleep(600)")
      }
    }
    try await waitUntil {
      try server.ask("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%sleep(600)' AND state = 'active'") == "1"
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let ids = try await pool.query("SELECT id FROM t ORDER BY id").map { try $0.value(0, as: Int.self) }
    #expect(ids == [1, 4, 5])
    let open = await failure { try await pool.query("BEGIN") }
    #expect(open?.kind == .invalidArgument)
    #expect(await failure { try await pool.query("COPY t FROM STDIN") }?.kind == .invalidArgument)
    #expect(await failure { try await pool.query("INSERT INTO t VALUES (1)") }?.constraint == "t_pkey")
    #expect(try await pool.query("SELECT 1").count == 1)
    await pool.shutdown()
  }

  @Test func manyCallersShareFewConnections() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let task = Task {
            try await pool.query("SELECT $1", [.integer(Int64(number))]).first?.value(0, as: Int.self) ?? 0
          }
          if number % 10 == 9 { task.cancel() }
          do { return try await task.value } catch is CancellationError { return 0 }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum <= 499_500)
    #expect(pool.connectionCount <= 4)
    #expect(try await pool.query("SELECT 1").count == 1)
    await pool.shutdown()
    #expect(pool.connectionCount == 0)
  }

  @Test func timesEnd() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options { $0.queryTimeout = .milliseconds(300) })
    let late = await failure { try await pool.query("SELECT pg_sleep(600)") }
    #expect(late?.kind == .timeout)
    #expect(late?.mayHaveRun == false)
    #expect(pool.connectionCount == 1)
    #expect(try await pool.query("SELECT 1").count == 1)
    try await pool.query("SET statement_timeout = 100")
    #expect(await failure { try await pool.query("SELECT pg_sleep(600)") }?.sqlState == "57014")
    await pool.shutdown()
  }

  @Test func aStoppedBackendCostsAConnection() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(
      server.url, options: options { ($0.queryTimeout, $0.cancelTimeout) = (.milliseconds(500), .milliseconds(300)) })
    let pid = try await pool.query("SELECT pg_backend_pid()").first?.value(0, as: Int32.self) ?? 0
    kill(pid, SIGSTOP)
    let stopped = await failure { try await pool.query("SELECT 1") }
    kill(pid, SIGCONT)
    #expect(stopped?.kind == .timeout)
    #expect(stopped?.mayHaveRun == true)
    try await waitUntil { (try? await pool.query("SELECT 1").count) == 1 }
    await pool.shutdown()
  }

  @Test func lostConnectionsAreReplaced() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    try await pool.query("CREATE TABLE t (id int)")
    let killed = await failure {
      try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO t VALUES (1)")
        let pid = try await transaction.query("SELECT pg_backend_pid()").first?.value(0, as: Int32.self) ?? 0
        kill(pid, SIGKILL)
        try await transaction.query("SELECT pg_sleep(600)")
      }
    }
    #expect(killed != nil)
    #expect(killed?.mayHaveCommitted == false)
    try await waitUntil { (try? await pool.query("SELECT 1").count) == 1 }
    server.stop()
    async let waiting = pool.query("SELECT count(*) FROM t")
    try server.start()
    #expect(try await waiting.first?.value(0) == 0)
    await pool.shutdown()
  }

  @Test func aLostCommitIsReported() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    // A deferred trigger makes the commit wait.
    try await pool.query("CREATE TABLE t (id int)")
    try await pool.query(
      "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NULL; END'")
    try await pool.query(
      "CREATE CONSTRAINT TRIGGER w AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()"
    )
    async let lost = failure { try await pool.transaction { _ = try await $0.query("INSERT INTO t VALUES (1)") } }
    try await waitUntil {
      try !server.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"
      ).isEmpty
    }
    #expect(await lost?.mayHaveCommitted == true)
    await pool.shutdown()
  }

  @Test func notificationsContinueAfterARestart() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    var payloads = pool.notifications(on: "Some \"channel\"").makeAsyncIterator()
    #expect(try await payloads.next() == "")
    try await pool.query("SELECT pg_notify('Some \"channel\"', 'one')")
    #expect(try await payloads.next() == "one")
    server.kill()
    try server.start()
    #expect(try await payloads.next() == "")
    try await pool.query("SELECT pg_notify('Some \"channel\"', 'two')")
    #expect(try await payloads.next() == "two")
    await pool.shutdown()
    #expect(try await payloads.next() == nil)
  }

  @Test func aServerThatCannotBeReachedIsReportedSoon() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(
      server.url, options: options { ($0.acquireTimeout, $0.outageTimeout) = (.seconds(3600), .milliseconds(200)) })
    #expect(try await pool.query("SELECT 1").count == 1)
    server.kill()
    for _ in 0..<3 { #expect(await failure { try await pool.query("SELECT 1") }?.kind == .connection) }
    try server.start()
    try await waitUntil { (try? await pool.query("SELECT 1").count) == 1 }
    await pool.shutdown()
  }

  /// Another program has all connections for a while.
  @Test func aServerWithoutAFreeConnectionIsWaitedFor() async throws {
    let server = try PostgreSQLServer(settings: ["max_connections=4", "superuser_reserved_connections=0"])
    let others = try PostgreSQLPool(server.url, options: options())
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try await others.query("SELECT pg_sleep(0.2)") } }
      try await group.waitForAll()
    }
    let pool = try PostgreSQLPool(server.url, options: options { $0.outageTimeout = .milliseconds(1) })
    let call = Task { try await pool.query("SELECT 1").count }
    try await waitUntil {
      try String(contentsOfFile: "\(server.folder.path)/log", encoding: .utf8).contains("too many clients")
    }
    await others.shutdown()
    #expect(try await call.value == 1)
    await pool.shutdown()
  }

  /// The server ends connections that are idle, also in the moment in which one is used again.
  @Test func connectionsThatTheServerEndedAreNotUsed() async throws {
    let server = try PostgreSQLServer(settings: ["idle_session_timeout=20ms"])
    let pool = try PostgreSQLPool(server.url, options: options { $0.queryTimeout = .seconds(60) })
    for number in 0..<60 {
      #expect(try await pool.query("SELECT 1").first?.value(0) == 1)
      try await Task.sleep(for: .milliseconds(18) + .microseconds(100 * number))
    }
    await pool.shutdown()
  }

  /// The time limits of the server and of the pool are the same: the request to cancel must not hit the next statement.
  @Test func aLateCancelHitsNobodyElse() async throws {
    let server = try PostgreSQLServer(settings: ["statement_timeout=100ms"])
    let pool = try PostgreSQLPool(server.url, options: options { $0.queryTimeout = .milliseconds(100) })
    for _ in 0..<10 {
      let error = await failure { try await pool.query("SELECT pg_sleep(10)") }
      #expect(error?.kind == .timeout || error?.sqlState == "57014", "\(String(describing: error))")
      for _ in 0..<5 {
        let next = await failure { try await pool.query("SELECT 1") }
        #expect(next == nil || next?.kind == .timeout, "\(String(describing: next))")
      }
    }
    await pool.shutdown()
  }

  /// A commit waits for a standby that is not there. Cancelling that wait gives no error, but a warning.
  @Test func aCommitThatReachedNoStandbyIsReported() async throws {
    let server = try PostgreSQLServer(settings: ["synchronous_standby_names=nobody", "synchronous_commit=local"])
    let pool = try PostgreSQLPool(server.url, options: options { $0.queryTimeout = .seconds(2) })
    try await pool.query("CREATE TABLE t (id int)")
    let error = await failure {
      try await pool.transaction { client in
        _ = try await client.query("SET LOCAL synchronous_commit = on", [])
        _ = try await client.query("INSERT INTO t VALUES (1)", [])
      }
    }
    #expect(error?.kind == .timeout && error?.mayHaveCommitted == true, "\(String(describing: error))")
    await pool.shutdown()
  }

  /// Savepoints are a stack, so nested transactions cannot run at the same time.
  @Test func nestedTransactionsRunOneAfterTheOther() async throws {
    let server = try PostgreSQLServer()
    let pool = try PostgreSQLPool(server.url, options: options())
    try await pool.query("CREATE TABLE t (id int)")
    try await pool.transaction { client in
      let error = try await client.transaction { inner -> PostgreSQLError? in
        _ = try await inner.query("INSERT INTO t VALUES (1)", [])
        return await failure { try await client.transaction { _ = try await $0.query("INSERT INTO t VALUES (2)", []) } }
      }
      #expect(error?.kind == .invalidArgument)
      for number in 3...5 {
        struct Undo: Error {}
        try? await client.transaction { inner in
          _ = try await inner.query("INSERT INTO t VALUES ($1)", [.integer(Int64(number))])
          if number == 4 { throw Undo() }
        }
      }
    }
    #expect(try await pool.query("SELECT id FROM t ORDER BY id").map { try $0.value(0, as: Int.self) } == [1, 3, 5])
    // Savepoints that were rolled back are gone.
    let gone = await failure {
      try await pool.transaction { client in
        try? await client.transaction { _ = try await $0.query("SELECT 1 / 0", []) }
        _ = try await client.query("RELEASE SAVEPOINT nova_1", [])
      }
    }
    #expect(gone?.sqlState == "3B001")
    await pool.shutdown()
  }

  @Test func worksBehindPgBouncer() async throws {
    let server = try PostgreSQLServer()
    let bouncer = try PgBouncer(server)
    let pool = try PostgreSQLPool(bouncer.url, options: options { $0.notificationURL = server.url })
    var payloads = pool.notifications(on: "news").makeAsyncIterator()
    #expect(try await payloads.next() == "")
    try await pool.query("CREATE TABLE t (id int)")
    try await withThrowingTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          try await pool.transaction { transaction in
            try await transaction.query("INSERT INTO t VALUES ($1)", [.integer(Int64(number))])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await pool.query("SELECT count(*) FROM t").first?.value(0) == 100)
    try await pool.query("NOTIFY news, 'x'")
    #expect(try await payloads.next() == "x")
    await pool.shutdown()
  }

  @Test(arguments: [
    "postgresql://user:se@cret@127.0.0.1:1/db", "postgresql://user:se/cret@127.0.0.1:1/db",
    "host=h password=se cret", "postgresql://user:secret@127.0.0.1:1secret/db", "postgresql://u:se%zzcret@h/db",
  ]) func passwordsStayOutOfErrors(_ url: String) async throws {
    let error = await failure {
      let pool = try PostgreSQLPool(url, options: options { $0.acquireTimeout = .milliseconds(300) })
      try await pool.query("SELECT 1")
    }
    let text = try #require(error).description
    #expect(!text.contains("cret"), "\(text)")
  }
}

import NovaSupport
import NovaTestSupport
import Testing

@testable import NovaRedis

@Suite(.hangLimit) struct RedisPoolTests {
  private func pool(_ url: String, _ change: (inout RedisPool.Options) -> Void = { _ in }) throws -> RedisPool {
    var options = RedisPool.Options()
    options.timeout = .seconds(20)
    options.connectTimeout = .seconds(20)
    options.backoff = Backoff(base: .milliseconds(1), maximum: .milliseconds(20))
    change(&options)
    return try RedisPool(url: url, options: options)
  }

  private func failure(_ body: () async throws -> RedisReply) async -> RedisError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? RedisError
    }
  }

  @Test(arguments: [
    ("redis://localhost", "localhost:6379", 0), ("redis://u:p%40@h:7000/3", "h:7000", 3),
    ("rediss://:p@[::1]:7/0", "[::1]:7", 0), ("redis://a,b:6380/1", "a:6379,b:6380", 1),
    ("redis+unix://:p@/run/r.sock?db=2", "\"/run/r.sock\"", 2), ("redis://", "localhost:6379", 0),
  ])
  func readsURLs(url: String, places: String, database: Int) throws {
    let servers = try RedisServers(parsing: url)
    #expect(servers.servers.map(\.place).joined(separator: ",") == places)
    #expect(servers.database == database)
  }

  @Test(arguments: [
    "", "http://h", "redis://secret@h", "redis://h/x", "redis://h:0", "redis+unix://r", "redis://h?a=1",
  ])
  func refusesURLsWithoutShowingThem(url: String) {
    #expect {
      try RedisServers(parsing: url)
    } throws: { error in
      (error as? RedisError)?.kind == .configuration && !"\(error)".contains("secret")
    }
  }

  @Test func answersManyCallersOnOneConnection() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          let key = RedisArgument("key-\(number)")
          let stored = try await redis.send(["SET", key, RedisArgument(number)])
          let found = try await redis.send(["GET", key]).integer
          #expect(stored == "OK" && found == Int64(number))
        }
      }
      try await group.waitForAll()
    }
    let large = [UInt8](repeating: 7, count: 20 << 20)
    _ = try await redis.send(["SET", "large", RedisArgument(large)])
    #expect(try await redis.send(["GET", "large"]).bytes == large)
    #expect(try await redis.send(["CLIENT", "LIST"]).text?.contains("name=nova") == true)
    await redis.shutdown()
    #expect(await failure { try await redis.send(["PING"]) }?.kind == .closed)
  }

  @Test func runsScriptsThatTheServerDoesNotHave() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    let script = RedisScript("return {KEYS[1], ARGV[1]}")
    for _ in 0..<2 {
      #expect(try await script.run(on: redis, keys: ["k"], arguments: ["a"]) == .array(["k", "a"]))
      _ = try await redis.send(["SCRIPT", "FLUSH"])
    }
  }

  @Test func authenticatesUsers() async throws {
    let server = try RedisServer(["requirepass root-secret", "user app on >app-secret ~app:* +get +set"])
    let root = try pool("redis://:root-secret@localhost:\(server.port)/2")
    _ = try await root.send(["SET", "app:a", "1"])
    // This user may not use HELLO: the connection continues with RESP2.
    let app = try pool("redis://app:app-secret@localhost:\(server.port)")
    #expect(try await app.send(["GET", "app:a"]) == .null)
    let refused = try #require(await failure { try await app.send(["DEL", "app:a"]) })
    #expect(refused.code == "NOPERM")
    #expect(!refused.mayHaveRun)
    for url in ["redis://app:wrong-secret@localhost", "redis://:wrong-secret@localhost", "redis://localhost"] {
      let wrong = try pool("\(url):\(server.port)")
      let error = try #require(await failure { try await wrong.send(["GET", "app:a"]) })
      #expect(["WRONGPASS", "NOAUTH"].contains(error.code), "\(error)")
      #expect(!"\(error)".contains("secret"))
    }
  }

  @Test func checksCertificates() async throws {
    let server = try RedisServer(usesTLS: true)
    let trusted = try pool(server.url) { options in
      options.caFile = server.certificate
      options.clientCertificateFile = server.certificate
      options.clientKeyFile = server.key
    }
    let large = [UInt8](repeating: 9, count: 5 << 20)
    _ = try await trusted.send(["SET", "a", RedisArgument(large)])
    #expect(try await trusted.send(["GET", "a"]).bytes == large)
    let withoutCertificate = try pool(server.url) { $0.caFile = server.certificate }
    let refused = try #require(await failure { try await withoutCertificate.send(["PING"]) })
    #expect(refused.kind == .connection)
    #expect("\(refused)".contains("clientCertificateFile"))
    let distrusting = try pool(server.url)
    #expect(await failure { try await distrusting.send(["PING"]) }?.kind == .connection)
    let plain = try pool("redis://localhost:\(server.port)")
    #expect(await failure { try await plain.send(["PING"]) } != nil)
  }

  /// The server has no room for a while, and reads the rest of each command later.
  @Test(arguments: [false, true]) func continuesInterruptedWrites(usesTLS: Bool) async throws {
    let server = try RedisServer(usesTLS: usesTLS)
    let redis = try pool(server.url) { options in
      options.caFile = server.certificate
      options.clientCertificateFile = server.certificate
      options.clientKeyFile = server.key
    }
    _ = try await redis.send(["PING"])
    server.freeze()
    let calls = (0..<5).map { number in
      Task {
        let value = RedisArgument([UInt8](repeating: UInt8(number), count: 9 << 20))
        return try await redis.send(["SET", RedisArgument("large-\(number)"), value])
      }
    }
    try await Task.sleep(for: .milliseconds(200))
    server.thaw()
    for call in calls { #expect(try await call.value == "OK") }
    for number in 0..<5 {
      let value = try await redis.send(["GET", RedisArgument("large-\(number)")]).bytes
      #expect(value == [UInt8](repeating: UInt8(number), count: 9 << 20))
    }
  }

  @Test func usesUnixSockets() async throws {
    let server = try RedisServer()
    #expect(try await pool("redis+unix://\(server.socket)?db=3").send(["PING"]) == "PONG")
  }

  @Test func reconnectsAfterRestart() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    _ = try await redis.send(["SET", "a", "1"])
    server.stop()
    let lost = try #require(await failure { try await redis.send(["GET", "a"]) })
    #expect(lost.kind == .connection)
    try server.start()
    try await waitUntil { (try? await redis.send(["PING"])) == "PONG" }
    #expect(try await redis.send(["GET", "a"]) == .null)
  }

  @Test func followsTheMaster() async throws {
    let options = ["repl-diskless-sync-delay 0"]
    let (first, second) = (try RedisServer(options), try RedisServer(options))
    let replica = try pool(second.url)
    _ = try await replica.send(["REPLICAOF", "127.0.0.1", RedisArgument(first.port)])
    try await waitUntil { try await replica.send(["INFO", "replication"]).text?.contains("link_status:up") == true }
    let redis = try pool("redis://localhost:\(second.port),localhost:\(first.port)")
    _ = try await redis.send(["SET", "a", "1"])
    try await waitUntil { try await replica.send(["GET", "a"]) == "1" }
    // The master becomes a replica of its replica: the next write goes to the new one, without an error.
    _ = try await replica.send(["REPLICAOF", "NO", "ONE"])
    _ = try await pool(first.url).send(["REPLICAOF", "127.0.0.1", RedisArgument(second.port)])
    _ = try await redis.send(["SET", "a", "2"])
    #expect(try await replica.send(["GET", "a"]) == "2")
    first.stop()
    _ = try await redis.send(["SET", "a", "3"])
    second.stop()
    let none = try #require(await failure { try await redis.send(["GET", "a"]) })
    #expect(none.kind == .connection)
  }

  @Test func reportsWhetherACommandMayHaveRun() async throws {
    let server = try RedisServer(["maxmemory 100kb", "maxmemory-policy noeviction"])
    let redis = try pool(server.url)
    let full = try #require(await failure { try await redis.send(["SET", "a", "b"]) })
    #expect(full.code == "OOM")
    #expect(!full.mayHaveRun)
    server.stop()
    _ = await failure { try await redis.send(["PING"]) }
    let down = try #require(await failure { try await redis.send(["PING"]) })
    #expect(down.kind == .connection)
    #expect(!down.mayHaveRun)
  }

  @Test func endsWaitsForAServerThatHangs() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url) { $0.timeout = .milliseconds(300) }
    try await waitUntil { (try? await redis.send(["PING"])) == "PONG" }
    server.freeze()
    let error = try #require(await failure { try await redis.send(["SET", "a", "1"]) })
    #expect(error.kind == .timeout)
    #expect(error.mayHaveRun)
    server.thaw()
    try await waitUntil { (try? await redis.send(["PING"])) == "PONG" }
  }

  @Test func cancelledCallersLeaveTheRepliesOfOthersInPlace() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    for number in 0..<200 {
      let cancelled = Task { try await redis.send(["ECHO", "cancelled"]) }
      let kept = Task { try await redis.send(["ECHO", RedisArgument(number)]) }
      cancelled.cancel()
      _ = await cancelled.result
      #expect(try await kept.value.integer == Int64(number))
    }
  }

  @Test func boundsWaiters() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url) { $0.maximumWaiters = 4 }
    _ = try await redis.send(["PING"])
    server.freeze()
    let refused = Locked(0)
    let calls = (0..<20).map { _ in
      Task {
        let kind = await failure { try await redis.send(["PING"]) }?.kind
        if kind == .overloaded { refused.withLock { $0 += 1 } }
        return kind
      }
    }
    var overloaded = 0
    try await waitUntil { refused.withLock { $0 } == 16 }
    server.thaw()
    for call in calls { if await call.value == .overloaded { overloaded += 1 } }
    #expect(overloaded == 16)
  }

  @Test func receivesMessages() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    var messages = redis.messages(on: "news").makeAsyncIterator()
    #expect(try await messages.next() == [])
    _ = try await redis.send(["PUBLISH", "news", "hello"])
    _ = try await redis.send(["PUBLISH", "other", "nothing"])
    _ = try await redis.send(["PUBLISH", "news", "again"])
    #expect(try await messages.next() == Array("hello".utf8))
    #expect(try await messages.next() == Array("again".utf8))
    server.stop()
    await #expect(throws: RedisError.self) { try await messages.next() }
  }

  /// A user may not read one of the channels.
  @Test func aRefusedSubscriptionLeavesTheOthers() async throws {
    let server = try RedisServer(["user app on >secret ~* resetchannels &a:* +@all"])
    let redis = try pool("redis://app:secret@localhost:\(server.port)")
    var messages = redis.messages(on: "a:1").makeAsyncIterator()
    #expect(try await messages.next() == [])
    for _ in 0..<3 {
      var refused = redis.messages(on: "b").makeAsyncIterator()
      let error = await #expect(throws: RedisError.self) { try await refused.next() }
      #expect(error?.code == "NOPERM")
    }
    _ = try await redis.send(["PUBLISH", "a:1", "hello"])
    #expect(try await messages.next() == Array("hello".utf8))
  }

  /// A channel's last reader leaves while another one comes.
  @Test func readersThatComeAndGoMissNothing() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    var other = redis.messages(on: "other").makeAsyncIterator()
    #expect(try await other.next() == [])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            var messages = redis.messages(on: "news").makeAsyncIterator()
            let first = try await messages.next()
            #expect(first == [])
          }
        }
      }
      try await group.waitForAll()
    }
    var messages = redis.messages(on: "news").makeAsyncIterator()
    #expect(try await messages.next() == [])
    // It may have to subscribe again.
    try await waitUntil { try await redis.send(["PUBLISH", "news", "1"]).integer == 1 }
    while try await messages.next() != Array("1".utf8) {}
  }

  @Test func endsStreamsThatWouldLoseMessages() async throws {
    let server = try RedisServer()
    let redis = try pool(server.url)
    let messages = redis.messages(on: "news")
    var iterator = messages.makeAsyncIterator()
    #expect(try await iterator.next() == [])
    var last = redis.messages(on: "end").makeAsyncIterator()
    #expect(try await last.next() == [])
    for number in 0..<1100 { _ = try await redis.send(["PUBLISH", "news", RedisArgument(number)]) }
    // Both channels share a connection: the others have arrived.
    _ = try await redis.send(["PUBLISH", "end", "1"])
    #expect(try await last.next() == Array("1".utf8))
    var received = 0
    let error = await #expect(throws: RedisError.self) {
      while let message = try await iterator.next() {
        #expect(message == Array("\(received)".utf8))
        received += 1
      }
    }
    #expect(error?.kind == .overloaded)
    #expect(received == 1024)
  }
}

import Foundation
import NovaCore
import NovaFleet
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// What failures do to an outbox in PostgreSQL, beyond those in `Outbox`.
@Suite(.serialized, .hangLimit) struct OutboxOutcomeTests {
  @Test(arguments: FleetOutcome.engines(.partition, of: .outbox)) func partition(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.partition, of: .outbox, on: engine, try await away(engine, .partition))
  }

  @Test(arguments: FleetOutcome.engines(.frozenStore, of: .outbox)) func frozen(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.frozenStore, of: .outbox, on: engine, try await away(engine, .frozenStore))
  }

  @Test(arguments: FleetOutcome.engines(.storeDown, of: .outbox)) func down(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.storeDown, of: .outbox, on: engine, try await away(engine, .storeDown))
  }

  @Test(arguments: FleetOutcome.engines(.fullDisk, of: .outbox)) func fullDisk(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.fullDisk, of: .outbox, on: engine, try await away(engine, .fullDisk))
  }

  private func away(_ engine: FleetEngine, _ failure: FleetFailure) async throws -> [OutcomeFact] {
    let store = try FailingStore(engine, for: failure)
    let stage = try await OutboxStage(cluster: #require(store.postgreSQL), pool: store.postgreSQLPool())
    // Calls take a while, so that some are in progress when the failure comes.
    stage.gateway.answerFirst { _ in
      try await Task.sleep(for: .milliseconds(10))
      return nil
    }
    let replicas = [stage.replica(), stage.replica()]
    let tasks = replicas.map { replica in Task { await replica.run() } }
    var keys: [String] = []
    for number in 0..<100 { keys.append(try await stage.queue(number)) }
    try await waitUntil { stage.gateway.requests > 10 }
    try await store.begin(failure)
    var facts: [OutcomeFact] = []
    if (try? await stage.queue(100)) == nil { facts.append(.enqueueFails) }
    // Those whose attempt was stored before it failed have been sent by now.
    try await Task.sleep(for: .milliseconds(500))
    let sent = stage.gateway.requests
    try await Task.sleep(for: .seconds(1))
    if stage.gateway.requests == sent { facts.append(.nothingIsSent) }
    try await store.end(failure)
    for number in 100..<110 {
      // The caller tries again; a write that was stored although its reply was lost is the same one.
      try await waitUntil { (try? await stage.queue(number)) != nil }
      keys.append("k\(number)")
    }
    try await waitUntil { (try? await stage.outbox.statistics().waiting) == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    if stage.hasDelivered(keys) { facts.append(.deliveredOnceInOrder) }
    return facts
  }

  /// A gateway whose port refuses connections, and then accepts them.
  @Test func gatewayDown() async throws {
    let (stage, door) = (try await OutboxStage(), try RawSocket.bound())
    let server = try FaultServer { [gateway = stage.gateway] request in
      request.headers["Idempotency-Key"] == nil ? HTTPResponse(status: 200) : gateway.respond(to: request)
    }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(try door.localPort())"
    let logs = [CapturedLog(), CapturedLog()]
    let replicas = try logs.map { try stage.replica(gateway: url, log: $0) }
    let tasks = replicas.map { replica in Task { await replica.run() } }
    var keys: [String] = []
    for number in 0..<40 { keys.append(try await stage.queue(number, gateway: url)) }
    // The first attempts show each replica that it is away. After that, none are made, although writes are due.
    var attempts = 0
    try await waitUntil {
      let before = attempts
      try await Task.sleep(for: .milliseconds(2200))
      attempts = try await stage.attempts()
      return attempts > 0 && attempts == before
    }
    var facts: [OutcomeFact] = []
    // Two replicas with four users each.
    if attempts <= 8, stage.gateway.effects.isEmpty { facts.append(.writesWait) }
    #expect(attempts <= 8)
    try door.listen(backlog: 64)
    let relay = Relay(door, toPort: server.port)
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    relay.stop()
    if stage.hasDelivered(keys) { facts.append(.deliveredOnceInOrder) }
    // One line at the start, however many attempts there were, and one at the end, which the first replica that notices
    // it can make needless for the other.
    let lines = logs.map { log in
      log.lines.filter { $0.contains(" the gateway ") }.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let start = "warning the gateway \(url)/ cannot be reached: connection refused; it is probed until it answers"
    let both = [start, "notice the gateway \(url)/ can be reached again"]
    #expect(lines.contains(both) && lines.allSatisfy { $0 == both || $0 == [start] }, "\(lines)")
    FleetOutcome.expect(.gatewayDown, of: .outbox, on: .postgresql, facts)
  }

  /// Replicas whose clocks differ by 20 minutes: waits neither end early nor last longer.
  @Test func clocks() async throws {
    let (stage, isBusy) = (try await OutboxStage(), Locked(true))
    stage.gateway.answerFirst { _ in
      guard isBusy.withLock({ $0 }) else { return nil }
      return HTTPResponse(
        status: 503, headers: ["Content-Type": "application/json"], body: Array(#"{"code":14,"message":"busy"}"#.utf8))
    }
    let replicas = [-600.0, 600].map { stage.replica(clock: WrongClock(seconds: $0)) }
    let tasks = replicas.map { replica in Task { await replica.run() } }
    let start = ContinuousClock.now
    var keys: [String] = []
    for number in 0..<8 { keys.append(try await stage.queue(number)) }
    // The first one of each user, which the next one waits for.
    try await waitUntil { try await stage.retries().count == 4 }
    let retries = try await stage.retries()
    let time = start.duration(to: .now) / .seconds(1)
    // A wait is 1 s to 300 s. One by another clock would be 600 s off, and at the other replica long over.
    let areKept = retries.allSatisfy { (-200...400).contains($0.wait) && Double($0.attempts) < 3 + time }
    #expect(areKept, "\(retries) after \(time) s")
    isBusy.withLock { $0 = false }
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(stage.hasDelivered(keys))
    FleetOutcome.expect(.wrongClocks, of: .outbox, on: .postgresql, areKept ? [.waitsAreKept] : [])
  }
}

/// Carries the connections of a port to another one.
private final class Relay: Sendable {
  private let door: RawSocket
  private let sockets = Locked<[RawSocket]>([])

  init(_ door: RawSocket, toPort port: Int) {
    self.door = door
    DetachedThread.start { [door, sockets] in
      while let client = door.accept() {
        guard let server = try? RawSocket.connected(to: port) else { continue }
        sockets.withLock { $0 += [client, server] }
        DetachedThread.start { RawRelay.carry(client, to: server) }
        DetachedThread.start { RawRelay.carry(server, to: client) }
      }
    }
  }

  func stop() {
    door.cut()
    for socket in sockets.withLock({ $0 }) { socket.cut() }
  }
}

extension OutboxStage {
  /// Queues one of many writes of four users.
  ///
  /// - Returns: its key.
  func queue(_ number: Int, gateway: String = OutboxStage.gatewayURL) async throws -> String {
    let user = "user\(number % 4)"
    try await outbox.enqueue(
      SocialRPC.createLike, CreateLikeRequest(userId: user, postId: "\(number)"), user: user, gateway: gateway,
      key: "k\(number)")
    return "k\(number)"
  }

  /// The attempts of all waiting writes.
  fileprivate func attempts() async throws -> Int { try await outbox.entries().reduce(0) { $0 + $1.attempts } }

  /// How often writes were tried, and in how many seconds they are due by the database's clock.
  fileprivate func retries() async throws -> [(attempts: Int, wait: Double)] {
    try await pool.query(
      """
      SELECT attempts, extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS wait
      FROM nova.outbox_entries WHERE next_attempt_at IS NOT NULL
      """, []
    ).map { (try $0.value("attempts"), try $0.value("wait")) }
  }

  /// A replica that calls a real server.
  fileprivate func replica(gateway: String, log: CapturedLog) throws -> FleetOutboxReplica {
    let client = APIClient(
      configuration: try APIConfiguration(ConfigurationOverrides(baseURL: gateway)), transport: CurlTransport()
    ) { $0.resilience = .none }
    return replica(client: client, log: log)
  }

  /// A replica on a machine with another clock.
  fileprivate func replica(clock: any CallClock) -> FleetOutboxReplica {
    var options = FleetOutboxOptions(owner: "test")
    options.pollInterval = .milliseconds(50)
    return FleetOutboxReplica(
      outbox, client: client, listener: nil, options: options, clock: clock, step: { _ in }
    ) { try AccessToken("token-\($0.user ?? "")") }
  }

  /// Whether exactly these writes of ``queue(_:gateway:)`` have taken effect, in the order of each user.
  func hasDelivered(_ keys: [String]) -> Bool {
    gateway.effects.count == keys.count
      && (0..<4).allSatisfy { user in
        gateway.effects(of: "user\(user)").map(\.key)
          == keys.filter { (Int($0.dropFirst()) ?? 0) % 4 == user }
      }
  }
}

import NovaAuth
import NovaCore
import NovaRedis
import NovaTestSupport
import Testing

@testable import NovaFleet

/// The rows of the table in docs/fleet-sessions.md, with real stores.
@Suite(.serialized, .hangLimit) struct StoreFailureTests {
  typealias Fleet = FleetSessionsTests
  private static let kinds = SessionEngine.Kind.allCases

  /// A machine with the session in memory, whose token is valid.
  private func machine(
    _ engine: SessionEngine, _ gateway: RotatingGateway,
    changing change: (inout FleetSessionOptions) -> Void = { _ in }
  ) async throws -> SessionManager {
    try await Fleet.signIn(engine.records, expiresIn: 3600)
    let machine = try Fleet.machine(engine.records, gateway, changing: change)
    #expect(try await machine.accessToken()?.secretValue == "access-0")
    return machine
  }

  private func replacement(_ machine: SessionManager) async throws -> String? {
    try await machine.replacementOnceStoreIsBack()
  }

  private func expectUnavailable(_ machine: SessionManager) async throws {
    #expect(try await machine.factsWhileStoreIsAway() == [.validTokensAreUsed, .refreshesAreUnavailable])
  }

  @Test(arguments: kinds) func down(_ kind: SessionEngine.Kind) async throws {
    let (engine, gateway) = (try await SessionEngine(kind, givesUpSoon: true), RotatingGateway())
    let machine = try await machine(engine, gateway)
    engine.stop()
    var facts = try await machine.factsWhileStoreIsAway()
    #expect(gateway.refreshes == 0)
    try engine.start()
    if try await replacement(machine) == "access-1" { facts.append(.refreshSucceeds) }
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
    FleetOutcome.expect(.storeDown, of: .sessions, on: kind.engine, facts)
  }

  @Test(arguments: kinds) func slow(_ kind: SessionEngine.Kind) async throws {
    let (engine, gateway) = (try await SessionEngine(kind, givesUpSoon: true), RotatingGateway())
    let machine = try await machine(engine, gateway)
    let lock = try await SlowStore(engine)
    try await expectUnavailable(machine)
    #expect(gateway.refreshes == 0)
    try await lock.end()
    #expect(try await replacement(machine) == "access-1")
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test func fullMemory() async throws {
    let (engine, gateway) = (try await SessionEngine(.redis), RotatingGateway())
    let machine = try await machine(engine, gateway)
    let admin = try RedisPool.patient(engine.url)
    _ = try await admin.send(["CONFIG", "SET", "maxmemory", "1"])
    var facts = try await machine.factsWhileStoreIsAway()
    #expect(gateway.refreshes == 0)
    _ = try await admin.send(["CONFIG", "SET", "maxmemory", "0"])
    if try await replacement(machine) == "access-1" { facts.append(.refreshSucceeds) }
    FleetOutcome.expect(.fullMemory, of: .sessions, on: .redis, facts)
  }

  @Test func fullMemoryWhileTheTokenIsRefreshed() async throws {
    let engine = try await SessionEngine(.redis)
    let gateway = RotatingGateway(delay: .milliseconds(500))
    let machine = try await machine(engine, gateway)
    let admin = try RedisPool.patient(engine.url)
    let current = try #require(machine.current?.accessToken)
    async let token = machine.replacement(for: current)
    // The lease is there, so the refresh token is on its way.
    try await waitUntil { try await isLeased(admin) }
    _ = try await admin.send(["CONFIG", "SET", "maxmemory", "1"])
    #expect(try await token?.secretValue == "access-1")
    #expect(try await machine.accessToken()?.secretValue == "access-1")
    _ = try await admin.send(["CONFIG", "SET", "maxmemory", "0"])
    let other = try Fleet.machine(engine.records, gateway)
    try await waitUntil {
      try await other.reload()
      return try await other.accessToken()?.secretValue == "access-1"
    }
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
  }

  private func isLeased(_ redis: RedisPool) async throws -> Bool {
    guard let key = try await redis.send(["KEYS", "nova:session:*"]).array?.first?.bytes else { return false }
    return try await redis.send(["HEXISTS", RedisArgument(key), "owner"]).integer == 1
  }

  /// A full disk: Redis refuses writes after a failed snapshot, PostgreSQL refuses those that need space (53100).
  @Test(arguments: kinds) func fullDisk(_ kind: SessionEngine.Kind) async throws {
    let options = ["save 3600 1", "stop-writes-on-bgsave-error yes", "enable-protected-configs yes"]
    let (engine, gateway) = (try await SessionEngine(kind, redisOptions: options), RotatingGateway())
    let machine = try await machine(engine, gateway)
    try await engine.fillDisk()
    try await expectUnavailable(machine)
    #expect(gateway.refreshes == 0)
    try await engine.emptyDisk()
    #expect(try await replacement(machine) == "access-1")
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test(arguments: kinds) func restarted(_ kind: SessionEngine.Kind) async throws {
    let (engine, gateway) = (try await SessionEngine(kind), RotatingGateway())
    let machine = try await machine(engine, gateway)
    try await engine.persist()
    engine.stop()
    try engine.start()
    #expect(try await replacement(machine) == "access-1")
    let other = try Fleet.machine(engine.records, gateway)
    #expect(try await other.accessToken()?.secretValue == "access-1")
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
    FleetOutcome.expect(.restarted, of: .sessions, on: kind.engine, [.refreshSucceeds])
  }

  @Test(arguments: kinds) func dataLost(_ kind: SessionEngine.Kind) async throws {
    let (engine, gateway) = (try await SessionEngine(kind), RotatingGateway())
    let machine = try await machine(engine, gateway)
    #expect(try await replacement(machine) == "access-1")
    try await engine.lose()
    #expect(try await replacement(machine) == "access-2")
    let other = try Fleet.machine(engine.records, gateway)
    #expect(try await other.accessToken()?.secretValue == "access-2")
    #expect(gateway.refreshes == 2 && gateway.reuses == 0)
  }

  @Test func dataLostEverywhere() async throws {
    let (engine, gateway) = (try await SessionEngine(.redis), RotatingGateway())
    try await Fleet.signIn(engine.records)
    try await engine.lose()
    let machine = try Fleet.machine(engine.records, gateway)
    await #expect(throws: APIError.self) { try await machine.accessToken() }
    #expect(machine.current == nil && gateway.refreshes == 0)
    // The other half is tested above.
    FleetOutcome.expect(.dataLost, of: .sessions, on: .redis, [.sessionIsStoredAgain, .othersSignInAgain])
  }

  /// The replica has what the master had before the refresh, and is promoted.
  @Test func failedOver() async throws {
    let (master, replica) = (try RedisServer(), try RedisServer())
    let admins = try (RedisPool.patient(master.url), RedisPool.patient(replica.url))
    _ = try await admins.1.send(["REPLICAOF", "127.0.0.1", RedisArgument(master.port)])
    let records = SessionEngine.redisRecords(
      try RedisPool(url: "redis://localhost:\(master.port),localhost:\(replica.port)", options: SessionEngine.options))
    let gateway = RotatingGateway()
    try await Fleet.signIn(records)
    try await waitUntil { try await (admins.1.send(["DBSIZE"]).integer ?? 0) > 0 }
    _ = try await admins.1.send(["REPLICAOF", "127.0.0.1", "1"])
    let machine = try Fleet.machine(records, gateway)
    #expect(try await machine.accessToken()?.secretValue == "access-1")
    _ = try await admins.1.send(["REPLICAOF", "NO", "ONE"])
    master.stop()
    // A machine that has seen nothing sends the same token under the same key, and gets the same answer.
    let other = try Fleet.machine(records, gateway)
    try await waitUntil { (try? await other.accessToken())??.secretValue == "access-1" }
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
    #expect(try await replacement(machine) == "access-2")
    try master.start(replicaOf: replica.port)
    #expect(try await replacement(machine) == "access-3")
    #expect(gateway.refreshes == 3 && gateway.reuses == 0)
    FleetOutcome.expect(.failedOver, of: .sessions, on: .redis, [.answerIsRepeated, .refreshSucceeds])
  }

  @Test(arguments: kinds) func leaseLost(_ kind: SessionEngine.Kind) async throws {
    let engine = try await SessionEngine(kind)
    let gateway = RotatingGateway(delay: .milliseconds(300))
    try await Fleet.signIn(engine.records)
    let machines = try (0..<8).map { _ in try Fleet.machine(engine.records, gateway) }
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for machine in machines { group.addTask { try await machine.accessToken()?.secretValue } }
      group.addTask {
        for _ in 0..<10 {
          try await Task.sleep(for: .milliseconds(20))
          try await engine.loseLeases()
        }
        return "access-1"
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-1"] && gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test(arguments: kinds) func refreshedAloneAndSavedLater(_ kind: SessionEngine.Kind) async throws {
    let (engine, gateway) = (try await SessionEngine(kind, givesUpSoon: true), RotatingGateway())
    let machine = try await machine(engine, gateway) { $0.whenStoreFails = .refreshAlone }
    engine.stop()
    #expect(try await replacement(machine) == "access-1")
    try engine.start()
    // Redis lost the session with its memory, but the machine has it.
    let other = try Fleet.machine(engine.records, gateway)
    if kind != .redis {
      try await waitUntil {
        try? await other.reload()
        return (try? await other.accessToken())??.secretValue == "access-1"
      }
    }
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
  }
}

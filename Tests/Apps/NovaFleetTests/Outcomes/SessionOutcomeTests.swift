import NovaAuth
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaFleet

/// What failures of the store do to shared sessions, beyond those in `Sessions/Failures`.
@Suite(.serialized, .hangLimit) struct SessionOutcomeTests {
  @Test(arguments: FleetOutcome.engines(.partition, of: .sessions))
  func partition(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.partition, of: .sessions, on: engine, try await away(engine, .partition))
  }

  @Test(arguments: FleetOutcome.engines(.frozenStore, of: .sessions))
  func frozen(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.frozenStore, of: .sessions, on: engine, try await away(engine, .frozenStore))
  }

  @Test(arguments: FleetOutcome.engines(.fullDisk, of: .sessions))
  func fullDisk(_ engine: FleetEngine) async throws {
    FleetOutcome.expect(.fullDisk, of: .sessions, on: engine, try await away(engine, .fullDisk))
  }

  private func away(_ engine: FleetEngine, _ failure: FleetFailure) async throws -> [OutcomeFact] {
    let (store, gateway) = (try FailingStore(engine, for: failure), RotatingGateway())
    let records = try await records(store)
    try await FleetSessionsTests.signIn(records, expiresIn: 3600)
    let machine = try FleetSessionsTests.machine(records, gateway)
    #expect(try await machine.accessToken()?.secretValue == "access-0")
    try await store.begin(failure)
    var facts = try await machine.factsWhileStoreIsAway()
    #expect(gateway.refreshes == 0)
    try await store.end(failure)
    if try await machine.replacementOnceStoreIsBack() == "access-1" { facts.append(.refreshSucceeds) }
    // Another machine has the same session: nobody was signed out, and no refresh token was presented twice.
    #expect(try await FleetSessionsTests.machine(records, gateway).accessToken()?.secretValue == "access-1")
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
    return facts
  }

  private func records(_ store: FailingStore) async throws -> any SessionRecords {
    if store.engine == .redis { return SessionEngine.redisRecords(try store.redisPool()) }
    let pool = try store.postgreSQLPool()
    try await FleetSessions.createTable(on: pool)
    return PostgreSQLSessionRecords(client: pool, schema: "\"nova\"", listens: true)
  }
}

extension SessionManager {
  /// What a machine with a valid token can do.
  func factsWhileStoreIsAway() async throws -> [OutcomeFact] {
    let current = try #require(current?.accessToken)
    var facts: [OutcomeFact] = []
    if try await accessToken() == current { facts.append(.validTokensAreUsed) }
    let error = await #expect(throws: APIError.self) { try await replacement(for: current) }
    if error?.code == .unavailable { facts.append(.refreshesAreUnavailable) }
    return facts
  }

  /// Another token than the current one, once the store answers again.
  func replacementOnceStoreIsBack() async throws -> String? {
    let current = try #require(current?.accessToken)
    var token: String?
    try await waitUntil {
      do { token = try await replacement(for: current)?.secretValue } catch let error as APIError {
        #expect(error.code == .unavailable)
        return false
      }
      return true
    }
    return token
  }
}

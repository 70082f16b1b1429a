import NovaAuth
import NovaCore
import NovaOffline
import NovaTestSupport
import Testing

@testable import NovaFleet

/// Replicas with shared sessions, over a real server.
@Suite(.serialized, .hangLimit) struct OutboxSessionTests {
  /// A token that cannot be had is no refusal of the write.
  @Test(arguments: [APIError.Code.failedPrecondition, .unavailable, .invalidResponse])
  func aWriteWaitsForItsToken(_ code: APIError.Code) async throws {
    let stage = try await OutboxStage()
    try await stage.like("1", by: "ada")
    let isBroken = Locked(true)
    let replica = stage.replica(tokens: { _ in
      if isBroken.withLock({ $0 }) { throw APIError(code, "the session cannot be used") }
      return try AccessToken("token-ada")
    })
    let task = Task { await replica.run() }
    try await waitUntil { try await stage.outbox.entries().contains { $0.failure != nil } }
    #expect(try await stage.outbox.statistics().dead == 0 && stage.gateway.effects.isEmpty)
    isBroken.withLock { $0 = false }
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    task.cancel()
    await task.value
    #expect(try await stage.outbox.statistics().dead == 0 && stage.gateway.effects.count == 1)
  }

  /// A token can expire on its way. With shared sessions, its write does not wait for the next look at the user.
  @Test func aRefusedTokenIsReplaced() async throws {
    let (stage, records, auth) = (try await OutboxStage(), MemoryRecords(), RotatingGateway())
    try await FleetSessionsTests.signIn(records, expiresIn: 3600)
    let client = APIClient(
      configuration: try APIConfiguration(ConfigurationOverrides(baseURL: OutboxStage.gatewayURL)), transport: auth)
    let key = FleetSessionsTests.key
    let fleet = FleetSessions(
      records, keys: try FleetKeys(names: key, sealing: [("1", key)]), auth: AuthService(client: client),
      options: FleetSessionOptions(), clock: ContinuousClock())
    stage.gateway.answerFirst { request in
      guard request.headers["Authorization"] == "Bearer access-0" else { return nil }
      return HTTPResponse(
        status: 401, headers: ["Content-Type": "application/json"], body: Array(#"{"code":16,"message":"old"}"#.utf8))
    }
    try await stage.like("1", by: "ada")
    let replica = FleetOutboxReplica(stage.outbox, client: stage.client, sessions: fleet)
    try await replica.drain()
    #expect(try await stage.outbox.statistics().waiting == 0)
    #expect(stage.gateway.effects.count == 1 && auth.refreshes == 1 && replica.delivered == 1)
  }

  /// The session can be unusable once the gateway has refused its token. That says nothing about the write.
  @Test func aWriteWaitsForASessionThatCannotBeOpened() async throws {
    let (stage, records) = (try await OutboxStage(), MemoryRecords())
    try await FleetSessionsTests.signIn(records, expiresIn: 3600)
    let key = FleetSessionsTests.key
    let fleet = FleetSessions(
      records, keys: try FleetKeys(names: key, sealing: [("1", key)]), auth: AuthService(client: stage.client),
      options: FleetSessionOptions(), clock: ContinuousClock())
    stage.gateway.answerFirst { request in
      guard request.headers["Authorization"] == "Bearer access-0" else { return nil }
      try await FleetSessionsTests.signIn(records, expiresIn: 3600, sealingKey: "2")
      return HTTPResponse(
        status: 401, headers: ["Content-Type": "application/json"], body: Array(#"{"code":16,"message":"old"}"#.utf8))
    }
    try await stage.like("1", by: "ada")
    let task = Task { await FleetOutboxReplica(stage.outbox, client: stage.client, sessions: fleet).run() }
    try await waitUntil { try await stage.outbox.entries().contains { $0.failure != nil } }
    task.cancel()
    await task.value
    let statistics = try await stage.outbox.statistics()
    #expect(statistics.waiting == 1 && statistics.dead == 0 && stage.gateway.effects.isEmpty)
  }

  /// A user without a session waits, and is not taken for another one.
  @Test func withoutASessionAWriteWaits() async throws {
    let (stage, records) = (try await OutboxStage(), MemoryRecords())
    try await FleetSessionsTests.signIn(records, expiresIn: 3600)
    let key = FleetSessionsTests.key
    let fleet = FleetSessions(
      records, keys: try FleetKeys(names: key, sealing: [("1", key)]), auth: AuthService(client: stage.client),
      options: FleetSessionOptions(), clock: ContinuousClock())
    try await stage.like("1", by: "bob")
    try await FleetOutboxReplica(stage.outbox, client: stage.client, sessions: fleet).drain()
    // Sessions under the wrong handle.
    try await FleetOutboxReplica(stage.outbox, client: stage.client, sessions: fleet) { _ in "ada" }.drain()
    let statistics = try await stage.outbox.statistics()
    #expect(statistics.waiting == 1 && statistics.dead == 0 && stage.gateway.requests == 0)
  }
}

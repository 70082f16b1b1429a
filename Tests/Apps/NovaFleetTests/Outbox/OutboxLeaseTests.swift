import NovaCore
import NovaFleet
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import Testing

@Suite(.serialized, .hangLimit) struct OutboxLeaseTests {
  /// A replica that is stopped while its call is in progress: another one takes over, and what the first does later
  /// changes nothing.
  @Test func aReplicaThatSleptPastItsLeaseChangesNothing() async throws {
    let stage = try await OutboxStage()
    let (isHeld, isReleased) = (Locked(false), WakeSignal())
    stage.gateway.answerFirst { request in
      let isFirst = isHeld.withLock { isHeld in
        defer { isHeld = true }
        return !isHeld
      }
      if isFirst { await isReleased.wait() }
      return nil
    }
    try await stage.like("1", by: "ada", key: "k1")
    try await stage.like("2", by: "ada", key: "k2")
    let first = stage.replica { $0.lease = .seconds(30) }
    let task = Task { await first.run() }
    try await waitUntil { isHeld.withLock { $0 } }
    // Its lease ends, although it still believes in it.
    _ = try await stage.pool.query("UPDATE nova.outbox_subjects SET wake_at = now() - interval '1 second'", [])
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.map(\.key) == ["k1", "k2"])
    try await stage.like("3", by: "ada", key: "k1b")
    let before = try await stage.outbox.entries().map(\.attempts)
    isReleased.wake()
    try await waitUntil { stage.gateway.replays == 1 }
    task.cancel()
    await task.value
    #expect(before == [0])
    try await stage.deliverAll(by: [stage.replica()])
    #expect(stage.gateway.effects.map(\.key) == ["k1", "k2", "k1b"])
  }

  @Test func fourReplicasKeepTheOrderOfEachUser() async throws {
    let stage = try await OutboxStage()
    let replicas = (0..<4).map { _ in
      stage.replica { options in
        options.burst = 7
        // A lease that ends while the machine is busy would have writes sent again, which is right, but not counted here.
        options.lease = .seconds(60)
      }
    }
    let tasks = replicas.map { replica in Task { await replica.run() } }
    for number in 0..<400 { try await stage.like("\(number)", by: "user\(number % 8)", key: "k\(number)") }
    try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(stage.gateway.effects.count == 400)
    #expect(stage.gateway.replays == 0)
    for user in 0..<8 {
      #expect(
        stage.gateway.effects(of: "user\(user)").map(\.key) == (0..<400).filter { $0 % 8 == user }.map { "k\($0)" })
    }
  }
}

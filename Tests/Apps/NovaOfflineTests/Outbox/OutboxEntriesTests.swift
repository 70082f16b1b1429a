import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// What users do with entries, and ids that become real.
@Suite(.hangLimit) struct OutboxEntriesTests {
  private let fixture: OutboxFixture
  private var gateway: FakeGateway { fixture.gateway }
  private var outbox: Outbox { fixture.outbox }

  init() throws { fixture = try OutboxFixture() }

  private func refuse(_ request: any ProtoMessage, newID: String? = nil) async throws -> Int64 {
    let entry = try await fixture.enqueue(request, newID: newID).entry
    gateway.fail(.status(400))
    await outbox.flush()
    gateway.succeed()
    return try #require(entry).id
  }

  private func errorCode(_ body: () async throws -> Void) async -> APIError.Code? {
    do {
      try await body()
      return nil
    } catch { return (error as? APIError)?.code }
  }

  // MARK: Temporary ids

  @Test func laterWritesGetTheRealID() async throws {
    try await fixture.enqueue(fixture.comment("a"), newID: "local-1")
    try await fixture.enqueue(fixture.update("local-1", to: "b"))
    try await fixture.enqueue(fixture.comment("c", replyTo: "local-1"))
    #expect(outbox.realID("local-1", identity: .me) == nil)
    #expect(await outbox.flush() == OutboxSummary(sent: 3))
    #expect(gateway.calls == ["CreateComment a", "UpdateComment real-a=b", "CreateComment c"])
    let reply = gateway.state.withLock { $0.calls.last?.request } as? CreateCommentRequest
    #expect(reply?.parentCommentId == "real-a")
    #expect(outbox.realID("local-1", identity: .me) == "real-a")
    #expect(outbox.realID("local-1", identity: .other) == nil)
    // Also those that are made later, in a later process.
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.update("local-1", to: "z"))
    #expect(later.waiting == ["UpdateComment real-a=z"])
    #expect(later.outbox.hasWaiting(["Comment/real-a"], identity: .me))
    // After a month, it is forgotten.
    later.clock.advance(by: .seconds(31 * 86_400))
    await later.outbox.flush()
    #expect(later.outbox.realID("local-1", identity: .me) == nil)
  }

  @Test func whatNeedsARefusedWriteIsBlockedUntilThatSucceeds() async throws {
    try await fixture.enqueue(fixture.comment("a"), newID: "local-1")
    try await fixture.enqueue(fixture.update("local-1", to: "b"))
    try await fixture.enqueue(fixture.like("p1"))
    gateway.answer { call in
      if call.rpc == "social.CreateComment" { throw APIError.status(400) }
      return FakeGateway.success(call)
    }
    let summary = await outbox.flush()
    #expect(gateway.calls == ["CreateComment a", "CreateLike p1"])
    #expect((summary.waiting, summary.dead) == (1, 1))
    let entries = try await outbox.entries
    #expect(entries.map(\.state) == [.dead, .blocked(by: 1)])
    #expect((outbox.state.waiting, outbox.state.blocked, outbox.state.dead) == (0, 1, 1))
    #expect(await errorCode { try await outbox.retry(2) } == .failedPrecondition)
    #expect(await errorCode { try await outbox.discard(1) } == .failedPrecondition)
    gateway.succeed()
    try await outbox.retry(1)
    #expect(await outbox.flush() == OutboxSummary(sent: 2))
    #expect(gateway.calls.suffix(2) == ["CreateComment a", "UpdateComment real-a=b"])
  }

  @Test func discardingWithCascadeTakesTheDependents() async throws {
    let id = try await refuse(fixture.comment("a"), newID: "local-1")
    try await fixture.enqueue(fixture.comment("b", replyTo: "local-1"), newID: "local-2")
    try await fixture.enqueue(fixture.update("local-2", to: "c"))
    try await fixture.enqueue(fixture.update("c7", to: "d"))
    try await outbox.discard(id, cascade: true)
    #expect(fixture.waiting == ["UpdateComment c7=d"])
    #expect(try await outbox.deadLetters.isEmpty)
  }

  // MARK: Dead letters

  @Test func retriedWritesKeepTheirKeys() async throws {
    let id = try await refuse(fixture.comment("a"))
    try await outbox.retryAll()
    #expect(try await outbox.entries.map(\.state) == [.waiting])
    await outbox.flush()
    #expect(gateway.keys.count == 2 && Set(gateway.keys).count == 1)
    #expect(await errorCode { try await outbox.retry(id) } == .notFound)
  }

  @Test func editedWritesHaveNewKeys() async throws {
    let id = try await refuse(fixture.comment("a"))
    try await outbox.edit(id, to: fixture.comment("b"))
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.calls == ["CreateComment a", "CreateComment b"])
    #expect(Set(gateway.keys).count == 2)
  }

  @Test func editsAreChecked() async throws {
    let id = try await refuse(fixture.comment("a"))
    #expect(await errorCode { try await outbox.edit(id, to: fixture.like("p")) } == .invalidArgument)
    #expect(await errorCode { try await outbox.edit(id, to: fixture.comment("")) } == .invalidArgument)
    #expect(await errorCode { try await outbox.edit(99, to: fixture.comment("b")) } == .notFound)
    let sent = try #require(try await fixture.enqueue(fixture.comment("b"), attempted: true).entry)
    #expect(await errorCode { try await outbox.edit(sent.id, to: fixture.comment("c")) } == .failedPrecondition)
    #expect(try await outbox.entries.map { OutboxFixture.name($0) } == ["CreateComment a", "CreateComment b"])
  }

  @Test func waitingWritesCanBeEditedAndDiscarded() async throws {
    let first = try #require(try await fixture.enqueue(fixture.comment("a")).entry)
    try await outbox.edit(first.id, to: fixture.comment("b", on: "p9"))
    #expect(outbox.hasWaiting(["Post/p9"], identity: .me) && !outbox.hasWaiting(["Post/p1"], identity: .me))
    try await outbox.discard(first.id)
    #expect(await outbox.flush() == OutboxSummary())
    #expect(gateway.calls.isEmpty)
  }

  // MARK: Enqueueing

  @Test func whatCanNeverSucceedIsNotQueued() async throws {
    #expect(await errorCode { try await fixture.enqueue(fixture.comment("")) } == .invalidArgument)
    let rule = try #require(OfflineRules.write("feed.InvalidateFeedCache"))
    let request = rule.rpc.requestType.init()
    if !rule.canWait {
      #expect(
        await errorCode { _ = try await outbox.enqueue(identity: .me, rule: rule, request: request, key: "k") }
          == .failedPrecondition)
    }
    #expect(fixture.waiting.isEmpty)
  }

  @Test func aKeyStandsForOneWrite() async throws {
    let first = try await fixture.enqueue(fixture.comment("a"), key: "k")
    let second = try await fixture.enqueue(fixture.comment("a"), key: "k")
    #expect(first.entry?.id == second.entry?.id)
    #expect(await errorCode { try await fixture.enqueue(fixture.comment("b"), key: "k") } == .invalidArgument)
    #expect(fixture.waiting == ["CreateComment a"])
  }

  @Test func theHostIsToldOfChanges() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    #expect(gateway.state.withLock { $0.changes } == 1)
    await outbox.flush()
    #expect(gateway.state.withLock { $0.changes } == 2)
  }

  @Test func anotherProcessIsNoticed() async throws {
    let other = try OutboxFixture(after: fixture)
    await other.outbox.load()
    try await fixture.enqueue(fixture.like("p1"))
    let changes = other.gateway.state.withLock { $0.changes }
    #expect(try await other.outbox.entries.count == 1)
    #expect(other.outbox.waiting(for: .me).count == 1)
    #expect(other.gateway.state.withLock { $0.changes } == changes + 1)
    await other.outbox.flush()
    #expect(other.gateway.calls == ["CreateLike p1"])
    #expect(await fixture.outbox.flush() == OutboxSummary())
    #expect(gateway.calls.isEmpty)
  }

  @Test func nothingOfTheRequestIsInDescriptions() async throws {
    let entry = try #require(try await fixture.enqueue(fixture.comment("my text"), key: "my key").entry)
    #expect(entry.description == "social.CreateComment #1 (waiting)")
  }
}

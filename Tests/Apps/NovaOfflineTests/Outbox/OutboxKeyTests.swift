import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// Writes of which the gateway may no longer know that it has seen them.
@Suite(.hangLimit) struct OutboxKeyTests {
  private let fixture: OutboxFixture
  private var gateway: FakeGateway { fixture.gateway }
  private var outbox: Outbox { fixture.outbox }

  init() throws { fixture = try OutboxFixture() }

  /// A write whose answer was lost more than a day ago.
  private func lose(_ request: any ProtoMessage, newID: String? = nil) async throws {
    try await fixture.enqueue(request, key: "old", newID: newID)
    gateway.fail(.lost)
    await outbox.flush()
    #expect(gateway.keys == ["old"])
    gateway.succeed()
    fixture.clock.advance(by: .seconds(23 * 3600))
  }

  @Test func withinADayTheKeyIsEnough() async throws {
    try await fixture.enqueue(fixture.comment("a"), key: "old")
    gateway.fail(.lost)
    await outbox.flush()
    gateway.succeed()
    fixture.clock.advance(by: .seconds(22 * 3600))
    await outbox.flush()
    #expect(gateway.keys == ["old", "old"])
    #expect(gateway.state.withLock { $0.reads.isEmpty })
  }

  @Test func whatTookEffectIsNotSentAgain() async throws {
    try await lose(fixture.like("p1"))
    gateway.state.withLock { $0.read = { _ in CheckUserLikedResponse(liked: true) } }
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old"])
    #expect(gateway.state.withLock { $0.confirmed.first?.hasResponse } == false)
  }

  @Test func whatDidNotTakeEffectIsSentUnderANewKey() async throws {
    try await lose(fixture.like("p1"))
    gateway.state.withLock { $0.read = { _ in CheckUserLikedResponse(liked: false) } }
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old", "new-key-2"])
  }

  @Test func whatCannotBeToldIsADeadLetter() async throws {
    try await lose(CreateShareRequest(userId: "me", postId: "p1"))
    gateway.state.withLock { $0.read = { _ in CheckUserSharedResponse(shared: true) } }
    #expect(await outbox.flush().refused == 1)
    let letter = try #require(try await outbox.deadLetters.first)
    #expect(letter.failure?.message.contains("cannot tell whether it took effect") == true)
    // Whoever retries it decides.
    try await outbox.retry(letter.id)
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old", "new-key-2"])
  }

  /// A call that is repeated with its key asks for the write again.
  @Test(arguments: [false, true]) func aWriteWithTheKeyOfADeadLetterRetriesIt(attempted: Bool) async throws {
    try await fixture.enqueue(fixture.comment("a"), key: "old")
    gateway.fail(.status(400))
    #expect(await outbox.flush().refused == 1)
    let letter = try #require(try await outbox.deadLetters.first)
    gateway.succeed()
    let write = try await fixture.enqueue(fixture.comment("a"), key: "old", attempted: attempted)
    #expect(write.entry?.id == letter.id && write.entry?.state == .waiting)
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old", "old"])
  }

  /// A repeated call does not decide that it may be done twice.
  @Test func aWriteWithAForgottenKeyStaysADeadLetter() async throws {
    try await lose(CreateShareRequest(userId: "me", postId: "p1"))
    gateway.state.withLock { $0.read = { _ in CheckUserSharedResponse(shared: true) } }
    #expect(await outbox.flush().refused == 1)
    try await fixture.enqueue(CreateShareRequest(userId: "me", postId: "p1"), key: "old")
    #expect(await outbox.flush().refused == 1)
    #expect(gateway.keys == ["old"])
  }

  @Test func whatIsHarmlessIsSentUnderANewKey() async throws {
    try await lose(fixture.update("c1", to: "b"))
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old", "new-key-2"])
    #expect(gateway.state.withLock { $0.reads.isEmpty })
  }

  @Test func aCheckWithoutAConnectionIsMadeLater() async throws {
    try await lose(fixture.like("p1"))
    gateway.state.withLock { $0.read = { _ in throw APIError.unreachable } }
    let summary = await outbox.flush()
    #expect(summary.waiting == 1 && summary.pause == .offline)
    gateway.state.withLock { $0.read = { _ in CheckUserLikedResponse(liked: true) } }
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.keys == ["old"])
  }

  /// The read that shows that a comment was created also shows its id.
  @Test func writesAboutWhatAReadHasFoundGetItsID() async throws {
    try await lose(fixture.comment("a"), newID: "local-1")
    try await fixture.enqueue(fixture.update("local-1", to: "b"))
    let now = Int64(fixture.clock.unixTime)
    gateway.state.withLock {
      $0.read = { _ in
        // Newest first: the later of two equal ones is another write's.
        let comments = ["c10", "c9"].map {
          Comment(id: $0, postId: "p1", creatorId: "me", content: "a", createdAt: now)
        }
        return GetCommentsResponse(comments: comments)
      }
    }
    #expect(await outbox.flush() == OutboxSummary(sent: 2))
    #expect(gateway.calls.last == "UpdateComment c9=b")
    #expect(outbox.realID("local-1", identity: .me) == "c9")
  }

  /// An answer without an id is as good as none.
  @Test func writesAboutWhatHasNoKnownIDAreDeadLetters() async throws {
    try await fixture.enqueue(fixture.comment("a"), newID: "local-1")
    try await fixture.enqueue(fixture.update("local-1", to: "b"))
    gateway.answer { _ in CreateCommentResponse(success: true) }
    #expect(await outbox.flush().sent == 1)
    let letter = try #require(try await outbox.deadLetters.first)
    #expect(letter.failure?.code == .notFound)
    gateway.succeed()
    try await outbox.edit(letter.id, to: fixture.update("c9", to: "b"))
    #expect(await outbox.flush().sent == 1)
    #expect(gateway.calls.last == "UpdateComment c9=b")
  }
}

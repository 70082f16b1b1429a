import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// How waiting writes are sent.
@Suite(.hangLimit) struct OutboxDeliveryTests {
  private let fixture: OutboxFixture
  private var gateway: FakeGateway { fixture.gateway }
  private var outbox: Outbox { fixture.outbox }

  init() throws { fixture = try OutboxFixture() }

  @Test func writesAreSentInOrderWithTheirKeys() async throws {
    try await fixture.enqueue(fixture.comment("a"), key: "k1")
    try await fixture.enqueue(fixture.comment("b"), key: "k2")
    #expect(gateway.calls.isEmpty)
    let summary = await outbox.flush()
    #expect(gateway.calls == ["CreateComment a", "CreateComment b"])
    #expect(gateway.keys == ["k1", "k2"])
    #expect(summary == OutboxSummary(sent: 2))
    #expect(fixture.waiting.isEmpty && gateway.confirmed == [1, 2])
    #expect(outbox.state == OutboxState())
  }

  @Test func aFailureKeepsItsKeyAndHoldsOnlyWritesAboutTheSame() async throws {
    try await fixture.enqueue(fixture.comment("a"), key: "k1")
    try await fixture.enqueue(fixture.comment("b"))
    try await fixture.enqueue(fixture.like("p2"))
    gateway.answer { call in
      if call.name == "CreateComment a" { throw APIError.status(500) }
      return FakeGateway.success(call)
    }
    let summary = await outbox.flush()
    #expect(gateway.calls == ["CreateComment a", "CreateLike p2"])
    #expect((summary.sent, summary.waiting) == (1, 2))
    let entry = try #require(try await outbox.entries.first)
    #expect(entry.attempts == 1 && entry.failure?.code == .serverError && entry.nextAttemptAt != nil)
    gateway.succeed()
    await outbox.flush()
    #expect(gateway.calls.suffix(2) == ["CreateComment a", "CreateComment b"])
    #expect(gateway.keys[2] == "k1")
  }

  /// The reason stays although a later write succeeds.
  @Test(arguments: [(500, APIError.Code.serverError), (403, .permissionDenied)])
  func aFailureIsReportedWhateverComesAfterIt(status: Int, code: APIError.Code) async throws {
    try await fixture.enqueue(fixture.comment("a"))
    try await fixture.enqueue(fixture.like("p2"))
    gateway.answer { call in
      if call.name == "CreateComment a" { throw APIError.status(status) }
      return FakeGateway.success(call)
    }
    let flush = await outbox.flushed()
    #expect(flush.summary.sent == 1 && flush.summary.lastFailure == nil)
    #expect(flush.failure?.code == code)
  }

  /// The session can end while writes are sent; whose they are does not change with that.
  @Test func theEndOfTheSessionIsAFailure() async throws {
    try await fixture.enqueue(fixture.comment("a"))
    try await fixture.enqueue(fixture.like("p2"))
    gateway.answer { [gateway] call in
      gateway.signIn(nil)
      throw APIError.status(401)
    }
    let flush = await outbox.flushed()
    #expect(flush.summary.sent == 0 && flush.summary.waiting == 2 && flush.summary.pause == .signedOut)
    #expect(flush.failure?.code == .unauthorized)
    // Also before the flush.
    #expect(await outbox.flush().pause == .signedOut)
  }

  /// A success status with an answer that a direct call refuses.
  @Test(arguments: ["{}", #"{"post":{}}"#, #"{"post":null}"#, #"{"post":{"content":"a"}}"#, #"{"error":{}}"#])
  func anAnswerWithoutTheRecordIsNoDelivery(_ body: String) async throws {
    try await fixture.enqueue(CreatePostRequest(creatorId: "me", content: "a"), newID: "local:1")
    try await fixture.enqueue(UpdatePostRequest(postId: "local:1", content: "b"))
    gateway.answer { _ in try CreatePostResponse(jsonUTF8: Array(body.utf8)) }
    let flush = await outbox.flushed()
    #expect((flush.summary.sent, flush.summary.refused, flush.blocked) == (0, 1, 1))
    #expect(flush.failure?.code == .invalidResponse)
    #expect(flush.failure?.message.contains("may have taken effect; look for it before you retry it") == true)
    #expect(gateway.confirmed.isEmpty)
  }

  /// The same for each write that may wait: an empty message is an answer only to those whose answers have no record.
  @Test(arguments: OfflineRules.writes.filter(\.canWait).map(\.rpc))
  func anEmptyAnswerConfirmsNoRecord(_ rpc: RPCDescriptor) {
    let answer = rpc.responseType.init()
    let hasRecord = rpc.responseType.descriptor.fields.contains { field in
      if case .message(let name) = field.kind { !name.hasSuffix("ErrorStatus") } else { false }
    }
    let isAcknowledged = answer is any AcknowledgedResponse
    let rule = OfflineRules.write(rpc.id)
    #expect(
      (rpc.problem(with: answer, rule) != nil)
        == (!isAcknowledged && (hasRecord || rule?.created != nil)),
      "\(rpc.id)")
  }

  @Test func refusedWritesAreDeadLettersAndOthersAreSent() async throws {
    try await fixture.enqueue(fixture.comment("a"))
    try await fixture.enqueue(fixture.comment("b"))
    gateway.answer { call in
      if call.name == "CreateComment a" { throw APIError.status(403) }
      return FakeGateway.success(call)
    }
    let summary = await outbox.flush()
    #expect(summary == OutboxSummary(sent: 1, refused: 1, dead: 1))
    let letter = try #require(try await outbox.deadLetters.first)
    #expect(letter.failure?.code == .permissionDenied && letter.state == .dead)
    #expect(outbox.waiting(for: .me).isEmpty)
    // It stays after a restart, and is not sent by itself.
    let later = try OutboxFixture(after: fixture)
    await later.outbox.flush()
    #expect(later.gateway.calls.isEmpty)
    #expect(try await later.outbox.deadLetters.map(\.id) == [letter.id])
  }

  @Test func aResponseWithoutSuccessIsARefusal() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.answer { _ in CreateLikeResponse(success: false) }
    await outbox.flush()
    #expect(try await outbox.deadLetters.first?.failure?.code == .failedPrecondition)
  }

  @Test func whatIsGoneNeedNotBeDeleted() async throws {
    try await fixture.enqueue(fixture.unlike("p1"))
    gateway.fail(.status(404, body: #"{"code":5,"message":"like not found"}"#))
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.state.withLock { $0.confirmed.first?.hasResponse } == false)
  }

  @Test func aCacheThatFailsDoesNotSendTheWriteAgain() async throws {
    gateway.state.withLock { $0.confirmationFails = true }
    try await fixture.enqueue(fixture.like("p1"))
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(fixture.waiting.isEmpty)
  }

  // MARK: Sessions

  @Test func aRejectedSessionPausesUntilItIsAccepted() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    try await fixture.enqueue(fixture.comment("a", on: "p2"))
    gateway.fail(.status(401))
    outbox.start()
    let state = await fixture.waitForState { $0.pause == .signedOut }
    #expect(state.waiting == 2 && gateway.calls == ["CreateLike p1"])
    // Another write does not wake it.
    try await fixture.enqueue(fixture.like("p3"))
    gateway.succeed()
    await outbox.accept(.me)
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(gateway.calls == ["CreateLike p1", "CreateLike p1", "CreateComment a", "CreateLike p3"])
    await outbox.stop()
  }

  @Test func nothingIsSentWhileNobodyIsSignedIn() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.signIn(nil)
    #expect(await outbox.flush().pause == .signedOut)
    #expect(try await outbox.entries.isEmpty)
    #expect(outbox.state.waiting == 0 && outbox.state.pause == .signedOut)
    gateway.signIn(.me)
    #expect(await outbox.flush().sent == 1)
  }

  @Test func onlyTheWritesOfTheAccountAreSent() async throws {
    try await fixture.enqueue(fixture.like("p1"), identity: .other)
    let mine = try await fixture.enqueue(fixture.like("p2"))
    await outbox.flush()
    #expect(gateway.calls == ["CreateLike p2"])
    #expect(outbox.waiting(for: .other).count == 1)
    #expect(try await outbox.entries.isEmpty)
    let other = try #require(outbox.waiting(for: .other).first)
    await #expect(throws: APIError.self) { try await outbox.retry(other.id) }
    await #expect(throws: APIError.self) { try await outbox.edit(other.id, to: fixture.like("p3")) }
    #expect(mine.entry?.id != other.id)
    gateway.signIn(.other)
    await outbox.flush()
    #expect(gateway.calls == ["CreateLike p2", "CreateLike p1"])
  }

  /// A call is made as the identity with which it began, even if another user has signed in since.
  @Test(arguments: [403, 404]) func anAnswerAfterAnotherSignInIsForWhoeverHasCalled(_ status: Int) async throws {
    let gateway = gateway
    try await fixture.enqueue(fixture.comment("a"))
    try await fixture.enqueue(fixture.like("p2"))
    gateway.answer { _ in
      gateway.signIn(.other)
      throw APIError.status(status)
    }
    #expect(await outbox.flush().refused == 1)
    #expect(gateway.calls == ["CreateComment a"])
    #expect(fixture.waiting == ["CreateLike p2"])
    gateway.signIn(.me)
    gateway.succeed()
    #expect(await outbox.flush() == OutboxSummary(sent: 1, dead: 1))
  }

  // MARK: Waits

  @Test func attemptsAreApartAndEndless() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.fail(.status(500))
    outbox.start()
    var waits: [Duration] = []
    for _ in 0..<12 {
      await fixture.clock.waitForSleepers()
      let before = fixture.clock.elapsed
      fixture.clock.advanceToNextSleeper()
      waits.append(fixture.clock.elapsed - before)
    }
    // Half of 2 s, 4 s, … 5 min.
    #expect(waits.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(waits.last == .seconds(150))
    await fixture.clock.waitForSleepers()
    gateway.succeed()
    fixture.clock.advance(by: .seconds(300))
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(Set(gateway.keys).count == 1)
    await outbox.stop()
  }

  @Test func anAnswerEndsTheWaits() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.fail(.status(503))
    outbox.start()
    // The next attempt is more than a minute away.
    for _ in 0..<8 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advanceToNextSleeper()
    }
    await fixture.clock.waitForSleepers()
    gateway.succeed()
    fixture.clock.advance(by: .seconds(3))
    await outbox.accept(.me)
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(Set(gateway.keys).count == 1)
    await outbox.stop()
  }

  @Test func theGatewaysWaitIsForAllWrites() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    try await fixture.enqueue(fixture.comment("a", on: "p2"))
    gateway.fail(.status(429, headers: ["Retry-After": "40"]))
    outbox.start()
    await fixture.clock.waitForSleepers()
    #expect(outbox.state.pause == .rateLimited && gateway.calls == ["CreateLike p1"])
    gateway.succeed()
    fixture.clock.advance(by: .seconds(39))
    #expect(gateway.calls.count == 1)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(gateway.calls == ["CreateLike p1", "CreateLike p1", "CreateComment a"])
    await outbox.stop()
  }

  /// The outbox hears at its start that the gateway can be reached. Only a change to that ends waits.
  @Test func startingEndsNoWait() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.fail(.status(503, headers: ["Retry-After": "100"]))
    await outbox.flush()
    gateway.succeed()
    outbox.start()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(99))
    #expect(gateway.calls.count == 1)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(gateway.calls == ["CreateLike p1", "CreateLike p1"])
    await outbox.stop()
  }

  @Test func aWaitOutlivesTheProcess() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    gateway.fail(.status(503, headers: ["Retry-After": "100"]))
    await outbox.flush()
    await outbox.stop()
    // A clock of its own, because waits of the first process may not have left theirs yet.
    let later = try OutboxFixture(after: fixture, clock: ManualClock(unixTime: fixture.clock.unixTime + 60))
    later.outbox.start()
    await later.clock.waitForSleepers()
    #expect(later.gateway.calls.isEmpty)
    later.clock.advance(by: .seconds(40))
    _ = await later.waitForState { $0.waiting == 0 }
    #expect(later.gateway.calls == ["CreateLike p1"])
    await later.outbox.stop()
  }

  /// The clock of the next process is a year slow.
  @Test func aClockThatWasSetBackMakesNoWaitLonger() async throws {
    try await fixture.enqueue(fixture.unlike("p1"))
    gateway.fail(.status(503, headers: ["Retry-After": "100"]))
    await outbox.flush()
    await outbox.stop()
    let later = try OutboxFixture(after: fixture, clock: ManualClock(unixTime: fixture.clock.unixTime - 31_536_000))
    // The gateway may have seen the write.
    later.gateway.state.withLock { $0.read = { _ in CheckUserLikedResponse(liked: true) } }
    later.outbox.start()
    await later.clock.waitForSleepers()
    later.clock.advance(by: .seconds(100))
    _ = await later.waitForState { $0.waiting == 0 }
    #expect(later.gateway.keys == ["new-key-2"])
    await later.outbox.stop()
  }

  // MARK: Without a connection

  @Test func withoutAConnectionOneAttemptIsMade() async throws {
    for number in 0..<5 { try await fixture.enqueue(fixture.comment("\(number)", on: "p\(number)")) }
    gateway.fail(.unreachable)
    outbox.start()
    _ = await fixture.waitForState { $0.pause == .offline }
    #expect(gateway.calls.count == 1)
    let entry = try #require(try await outbox.entries.first)
    #expect(entry.firstAttemptAt == nil && entry.attempts == 1)
    gateway.succeed()
    // Another caller's call succeeded: no wait is left.
    fixture.connectivity.noteResponse()
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(gateway.calls.count == 6)
    await outbox.stop()
  }

  @Test func theConnectionIsProbedWhileWritesWait() async throws {
    let probes = Locked(0)
    fixture.connectivity.use {
      let number = probes.withLock { count in
        count += 1
        return count
      }
      if number < 3 { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
    }
    try await fixture.enqueue(fixture.like("p1"))
    gateway.fail(.unreachable)
    outbox.start()
    _ = await fixture.waitForState { $0.pause == .offline }
    gateway.succeed()
    for _ in 0..<3 {
      await fixture.clock.waitForSleepers()
      fixture.clock.advanceToNextSleeper()
    }
    _ = await fixture.waitForState { $0.waiting == 0 }
    #expect(probes.withLock { $0 } == 3)
    await outbox.stop()
  }
}

import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// What becomes of writes when their token was replaced.
@Suite(.hangLimit) struct OtherSignInTests {
  private let fixture: OutboxFixture
  private var gateway: FakeGateway { fixture.gateway }
  private var outbox: Outbox { fixture.outbox }

  private static let old = Identity.token("0a")
  private static let new = Identity.token("1b")
  private static let user = Identity.user("ada")
  private static let elsewhere = Identity.user("ada", at: "https://staging.nova.example")

  init() throws { fixture = try OutboxFixture() }

  @Test func writesOfAnOldTokenAreCountedAndShownButNotSent() async throws {
    try await fixture.enqueue(fixture.like("p1"), identity: Self.old)
    gateway.signIn(Self.new)
    try await fixture.enqueue(fixture.like("p2"), identity: Self.new)
    #expect(await outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.calls == ["CreateLike p2"])
    #expect(outbox.state.others == 1 && outbox.state.waiting == 0 && outbox.state.pause == nil)
    #expect(try await outbox.entries.isEmpty)
    #expect(try await outbox.otherEntries.map { OutboxFixture.name($0) } == ["CreateLike p1"])
    gateway.signIn(nil)
    let id = try #require(try await outbox.otherEntries.first).id
    #expect(await apiError { try await outbox.adopt(id) }?.code == .unauthorized)
    #expect(await apiError { try await outbox.discard(id, cascade: true) }?.code == .notFound)
    try await outbox.discard(id, includesOthers: true)
    #expect(try await outbox.otherEntries.isEmpty && outbox.state.others == 0)
  }

  @Test(arguments: [new, user]) func adoptedWritesAreSentInOrderWithTheirKeys(_ account: Identity) async throws {
    try await fixture.enqueue(fixture.comment("a"), identity: Self.old, key: "k1", newID: "local:1")
    try await fixture.enqueue(fixture.comment("b"), identity: Self.old, key: "k2", newID: "local:2")
    gateway.signIn(Self.old)
    gateway.answer { call in
      if call.name == "CreateComment b" { throw APIError.status(500) }
      return FakeGateway.success(call)
    }
    #expect(await outbox.flush().sent == 1)
    try await fixture.enqueue(fixture.update("local:2", to: "c"), identity: Self.old, key: "k3")
    gateway.succeed()
    gateway.signIn(account)
    await outbox.flush()
    #expect(gateway.calls.count == 2)
    let others = try await outbox.otherEntries
    try await outbox.adopt(try #require(others.last).id)
    #expect(try await outbox.entries.map(\.id) == others.map(\.id))
    #expect(await outbox.flush() == OutboxSummary(sent: 2))
    #expect(gateway.calls.suffix(2) == ["CreateComment b", "UpdateComment real-b=c"])
    #expect(gateway.keys.suffix(2) == ["k2", "k3"])
    #expect(gateway.state.withLock { $0.calls.suffix(2).allSatisfy { $0.identity == account } })
    #expect(outbox.realID("local:1", identity: account) == "real-a")
  }

  @Test func theWritesOfOthersCannotBeAdopted() async throws {
    try await fixture.enqueue(fixture.like("p1"), identity: Self.user)
    try await fixture.enqueue(fixture.like("p2"), identity: Self.old)
    let others = outbox.waiting(for: Self.user) + outbox.waiting(for: Self.old)
    gateway.signIn(.user("bob"))
    #expect(await apiError { try await outbox.adopt(others[0].id) }?.code == .failedPrecondition)
    gateway.signIn(Self.elsewhere)
    #expect(await apiError { try await outbox.adopt(others[1].id) }?.code == .failedPrecondition)
    #expect(await apiError { try await outbox.adopt(99) }?.code == .notFound)
    gateway.signIn(Self.user)
    #expect(await apiError { try await outbox.adopt(others[0].id) }?.code == .notFound)
    #expect(gateway.calls.isEmpty)
  }
}

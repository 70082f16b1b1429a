import NovaCore
import NovaOffline
import NovaSocial
import Testing

/// Writes that set the same relation, while they wait.
@Suite struct RelationCollapseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// Whether the earlier like would have changed something.
    var wouldChange: Bool?
    var attempted = false
    /// What waits after a like and an unlike.
    var left: [String]

    var testDescription: String { "\(String(describing: wouldChange)), attempted: \(attempted)" }
  }

  static let cases = [
    Case(wouldChange: true, left: []),
    Case(wouldChange: false, left: ["DeleteLike p1"]),
    Case(wouldChange: nil, left: ["DeleteLike p1"]),
    Case(wouldChange: true, attempted: true, left: ["CreateLike p1", "DeleteLike p1"]),
    Case(wouldChange: nil, attempted: true, left: ["CreateLike p1", "DeleteLike p1"]),
  ]

  @Test(arguments: cases) func oppositesMeet(_ test: Case) async throws {
    let fixture = try OutboxFixture()
    try await fixture.enqueue(fixture.like("p1"), attempted: test.attempted, wouldChange: test.wouldChange)
    let second = try await fixture.enqueue(fixture.unlike("p1"), wouldChange: test.wouldChange.map { !$0 })
    #expect(fixture.waiting == test.left)
    #expect((second.entry == nil) == test.left.isEmpty)
    // It is so on the disk, too.
    let later = try OutboxFixture(after: fixture)
    await later.outbox.load()
    #expect(later.waiting == test.left)
  }

  /// While the like waited, the store has learned that the post is liked, perhaps on another device, or no longer knows.
  @Test(arguments: [true, nil]) func whatWasLearnedInTheMeantimeCounts(wouldChange: Bool?) async throws {
    let fixture = try OutboxFixture()
    try await fixture.enqueue(fixture.like("p1"), wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p1"), wouldChange: wouldChange)
    #expect(fixture.waiting == ["DeleteLike p1"])
  }

  @Test func equalWritesJoin() async throws {
    let fixture = try OutboxFixture()
    let first = try await fixture.enqueue(fixture.like("p1"))
    let second = try await fixture.enqueue(fixture.like("p1"))
    #expect(first.entry?.id == second.entry?.id)
    guard case .joined = second else {
      Issue.record("it did not join: \(second)")
      return
    }
    #expect(fixture.waiting == ["CreateLike p1"])
  }

  /// Posts whose IDs differ only in how Unicode writes them are two: their likes neither join nor cancel out.
  @Test func likesOfTwoSpellingsAreTwo() async throws {
    let fixture = try OutboxFixture()
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try await fixture.enqueue(fixture.like(composed), wouldChange: true)
    try await fixture.enqueue(fixture.like(decomposed), wouldChange: true)
    try await fixture.enqueue(fixture.unlike(composed), wouldChange: false)
    #expect(fixture.waiting.haveSameBytes(as: ["CreateLike \(decomposed)"]), "\(fixture.waiting)")
  }

  @Test func likeUnlikeLikeLeavesOneLike() async throws {
    let fixture = try OutboxFixture()
    try await fixture.enqueue(fixture.like("p1"), wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p1"), wouldChange: false)
    try await fixture.enqueue(fixture.like("p1"), wouldChange: true)
    #expect(fixture.waiting == ["CreateLike p1"])
  }

  /// The like may be at the gateway; the unlike after it and the next like cancel out.
  @Test func oppositesAfterOneThatMayHaveLeftCancelOut() async throws {
    let fixture = try OutboxFixture()
    try await fixture.enqueue(fixture.like("p1"), attempted: true, wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p1"), wouldChange: false)
    try await fixture.enqueue(fixture.like("p1"), wouldChange: true)
    #expect(fixture.waiting == ["CreateLike p1"])
  }

  @Test func othersAreNoOpposites() async throws {
    let fixture = try OutboxFixture()
    try await fixture.enqueue(fixture.like("p1"), wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p2"), wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p1", user: "another"), wouldChange: true)
    try await fixture.enqueue(fixture.unlike("p1"), identity: .another, wouldChange: true)
    #expect(fixture.waiting == ["CreateLike p1", "DeleteLike p2", "DeleteLike p1"])
    #expect(fixture.outbox.waiting(for: .another).count == 1)
  }
}

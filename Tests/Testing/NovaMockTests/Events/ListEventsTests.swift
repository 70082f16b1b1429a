import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@Suite struct ListEventsTests {
  private let world = EventWorld()

  @Test func withoutAPositionThereIsOnlyThePositionNow() throws {
    try world.follow("ann", "bob")
    let page = try world.list(["user:ann"])
    #expect(page.events.isEmpty && !page.hasMore && page.isComplete)
    #expect(page.nextAfter == world.backend.eventPosition)
  }

  @Test func pagesAreOldestFirstAndLoseNothing() throws {
    let start = world.backend.eventPosition
    for number in 1...5 { try world.follow("ann", "user-\(number)") }
    for number in 1...3 { try world.follow("bob", "user-\(number)") }
    var (after, subjects) = (start, [String]())
    repeat {
      let page = try world.list(["user:ann"], after: after, limit: 2)
      #expect(page.isComplete && page.events.count <= 2)
      subjects += page.events.map(\.subjectId)
      after = page.nextAfter
      if !page.hasMore { break }
    } while true
    #expect(subjects == (1...5).map { "user-\($0)" })
    #expect(after == world.backend.eventPosition)
    #expect(try world.list(["user:ann", "user:user-1"], after: start).events.count == 6, "each event once")
  }

  @Test func missingEventsAreReported() throws {
    let start = world.backend.eventPosition
    world.backend.eventSettings.history = 3
    for number in 1...5 { try world.follow("ann", "user-\(number)") }
    let page = try world.list(["user:ann"], after: start)
    #expect(!page.isComplete && page.events.map(\.subjectId) == ["user-3", "user-4", "user-5"])
    #expect(try world.list(["user:ann"], after: page.events[0].id).isComplete)
    world.backend.beginEventEpoch()
    for position in [start, "nonsense", "\(world.backend.eventPosition)9", ":1", "a:b"] {
      let page = try world.list(["user:ann"], after: position)
      #expect(!page.isComplete && page.events.isEmpty, "\(position)")
    }
  }

  @Test(arguments: [
    ("me", 401), ("everything", 400), ("user:", 400), ("", 400), ("users:ann", 400), ("user:ann", nil),
  ])
  func topicsHaveOneOfTheForms(_ topic: String, _ status: Int?) throws {
    let refusal = try world.mock.refusal(EventRPC.listEvents, ListEventsRequest(topics: [topic]))
    #expect(refusal?.status == status)
  }

  @Test func thereAre1To100Topics() throws {
    for (count, isValid) in [(0, false), (1, true), (100, true), (101, false)] {
      let topics = (0..<count).map { "user:\($0)" }
      let refusal = try world.mock.refusal(EventRPC.listEvents, ListEventsRequest(topics: topics))
      #expect((refusal == nil) == isValid, "\(count)")
    }
  }
}

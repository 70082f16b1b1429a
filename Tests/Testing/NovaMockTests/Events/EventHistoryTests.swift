import NovaEvents
import NovaMock
import NovaTestSupport
import Testing

/// How much the backend stores of events.
@Suite struct EventHistoryTests {
  private static let long = String(repeating: "x", count: 200_000)

  private static let events = [
    Event(type: long), Event(type: "test.event", actorId: long), Event(type: "test.event", postId: long),
    Event(type: "test.event", uploadId: long), Event(type: "test.event", counts: [long: 1]),
    Event(type: "test.event", text: long),
  ]

  /// At most 32 MiB, whichever field has them.
  @Test(arguments: TestDepth.cases(events, sample: 2)) func theSizeOfAllFieldsIsLimited(_ event: Event) throws {
    let backend = MockBackend(dataSet: .empty)
    for _ in 1...400 { try backend.emit(event) }
    #expect((10...160).contains(backend.recentEvents.count), "\(backend.recentEvents.count)")
  }

  @Test func theSizeOfTopicsIsLimited() throws {
    let backend = MockBackend(dataSet: .empty)
    for number in 1...400 { try backend.emit(Event(type: "test.event"), topics: ["feed:\(number)" + Self.long]) }
    #expect((10...320).contains(backend.recentEvents.count), "\(backend.recentEvents.count)")
  }
}

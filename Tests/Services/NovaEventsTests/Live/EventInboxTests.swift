import NovaCore
import Testing

@testable import NovaEvents

@Suite struct EventInboxTests {
  @Test func `A reader that never catches up completely costs no more memory`() async {
    let inbox = EventInbox(topics: ["post:1"])
    inbox.beginLive(at: "1:0")
    for number in 1...2 { inbox.offer(Event(id: "1:\(number)"), .yes) }
    for number in 3...10_000 {
      inbox.offer(Event(id: "1:\(number)"), .yes)
      guard case .update(let waiting) = await inbox.next() else {
        Issue.record("nothing waits")
        return
      }
      #expect(waiting.position == "1:\(number - 2)")
    }
    #expect(inbox.heldCount <= 2 * EventInbox.capacity)
  }

  private static func name(_ next: EventInbox.Next) -> String {
    switch next {
    case .update(let waiting): waiting.position
    case .behind: "behind"
    case .rest: "rest"
    case .end: "end"
    }
  }

  /// Events that the connection delivered before a failure, while earlier events were still missing.
  @Test(arguments: [(true, ["rest", "1:2", "1:3", "end"]), (false, ["rest", "1:2", "end"])])
  func `A failure ends an inbox that joins after the rest`(isComplete: Bool, expected: [String]) async {
    let inbox = EventInbox(topics: ["post:1"])
    inbox.begin(at: "1:1")
    #expect(inbox.beginJoining())
    inbox.offer(Event(id: "1:3"), .yes)
    inbox.finish(.failure(APIError(.permissionDenied, "no")))
    #expect(inbox.hasFailed && !inbox.beginJoining())
    var found = [Self.name(await inbox.next())]
    inbox.add(ListEventsResponse(events: [Event(id: "1:2")], nextAfter: "1:2", isComplete: true), after: "1:1")
    inbox.endRest(isComplete)
    while found.last != "end", found.count < 9 { found.append(Self.name(await inbox.next())) }
    #expect(found == expected)
    #expect(inbox.position == (isComplete ? "1:3" : "1:2"))
  }

  @Test func `A live inbox joins nothing`() async {
    let inbox = EventInbox(topics: ["post:1"])
    inbox.beginLive(at: "1:1")
    #expect(!inbox.beginJoining())
    inbox.offer(Event(id: "1:2"), .yes)
    inbox.finish(.failure(APIError(.permissionDenied, "no")))
    #expect(Self.name(await inbox.next()) == "1:2")
    #expect(Self.name(await inbox.next()) == "end")
  }

  @Test func `An inbox that was ended on purpose delivers nothing more`() async {
    let inbox = EventInbox(topics: ["post:1"])
    inbox.begin(at: "1:1")
    #expect(inbox.beginJoining())
    inbox.offer(Event(id: "1:2"), .yes)
    inbox.finish(.success(()))
    #expect(Self.name(await inbox.next()) == "end")
  }
}

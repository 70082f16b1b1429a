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
}

import NovaCore
import NovaSupport
import Testing

@testable import NovaEvents

/// What each message of a connection changes, and what it requires.
@Suite struct ConnectionProgressTests {
  private func progress(at position: String = "1:1") -> ConnectionProgress {
    var progress = ConnectionProgress(user: "ada")
    progress.connected(to: ["post:1", "post:2"])
    progress.move(to: position)
    return progress
  }

  private static func name(_ action: ConnectionProgress.Action?) -> String {
    switch action {
    case .deliver(let event, let routing): "deliver \(event.id)\(routing.mayBringOthers ? " unsure" : "")"
    case .resync(let position): "resync at \(position)"
    case .fallBehind(let topics): "fall behind \(topics?.map(\.rawValue).joined(separator: ",") ?? "all")"
    case .startOver: "start over"
    case .added(let topics): "added \(topics.map(\.rawValue).sorted().joined(separator: ","))"
    case .changeRefused(let error): "refused \(error.code)"
    case .wait(let wait): "wait \(wait)"
    case .reconnectAtOnce: "reconnect at once"
    case nil: "nothing"
    }
  }

  static let messages: [(EventMessage, action: String, position: String?)] = [
    (.event(Event(id: "1:2")), "deliver 1:2", "1:2"), (.event(Event(id: "")), "deliver ", "1:1"),
    (.unreadable(position: "1:2"), "resync at 1:2", "1:2"), (.unreadable(position: ""), "resync at 1:1", "1:1"),
    (.reset(nil, position: "2:0"), "fall behind all", "2:0"),
    (.reset(["post:1"], position: ""), "fall behind post:1", "1:1"), (.tooLarge, "start over", nil),
    (.position("1:9"), "nothing", "1:9"), (.alive, "nothing", "1:1"), (.retry(.seconds(1)), "wait 1.0 seconds", "1:1"),
    (.end(.tokenExpired), "reconnect at once", "1:1"), (.end(.restart), "nothing", "1:1"),
    (.refused(APIError(.unavailable, "no")), "refused unavailable", "1:1"),
  ]

  @Test(arguments: messages)
  func `A message changes the position, and requires an action`(
    message: EventMessage, action: String, position: String?
  ) {
    var progress = progress()
    #expect(Self.name(progress.receive(message)) == action)
    #expect(progress.position == position)
  }

  @Test func `A repeated event requires nothing, unless the history was lost`() {
    var progress = progress()
    let event = EventMessage.event(Event(id: "1:2"))
    #expect(Self.name(progress.receive(event)) == "deliver 1:2")
    #expect(Self.name(progress.receive(event)) == "nothing")
    _ = progress.receive(.reset(nil, position: "2:0"))
    #expect(Self.name(progress.receive(event)) == "deliver 1:2")
  }

  @Test func `Events of removed topics may arrive until the gateway has confirmed a later change`() {
    var progress = progress()
    progress.remove(["post:2"])
    #expect(progress.topics == ["post:1"])
    #expect(Self.name(progress.receive(.event(Event(id: "1:2")))) == "deliver 1:2 unsure")
    #expect(Self.name(progress.receive(.subscribed(["post:3"], position: ""))) == "added post:3")
    #expect(progress.topics == ["post:1", "post:3"])
    #expect(Self.name(progress.receive(.event(Event(id: "1:3")))) == "deliver 1:3")
  }

  @Test func `A confirmed position counts only if it holds for all topics`() {
    var progress = progress()
    #expect(Self.name(progress.receive(.subscribed(["post:1"], position: "1:5"))) == "nothing")
    #expect(progress.position == "1:1")
    #expect(Self.name(progress.receive(.subscribed(["post:1", "post:2"], position: "1:5"))) == "nothing")
    #expect(progress.position == "1:5")
  }
}

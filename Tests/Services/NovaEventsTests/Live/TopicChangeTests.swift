import NovaCore
import NovaEvents
import NovaSupport
import NovaTesting
import Testing

/// Topics added to and removed from an open connection, as over WebSocket.
@Suite struct TopicChangeTests {
  @Test func `Topics are added to the open connection, and removed when no subscription needs them`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    #expect(await eventually { live.events.state == .live })
    for number in 2...150 {
      let other = live.events.subscribe(topics: [.post("\(number)")])
      try await other.begin()
      let id = live.gateway.emit("post:\(number)")
      connector.deliver()
      #expect(try await other.take(1) == [id])
      #expect(await eventually { connector.topics.contains(.post("\(number)")) })
      other.cancel()
      #expect(await eventually { connector.topics == [.post("1")] })
    }
    #expect(connector.connectionCount == 1)
    let id = live.gateway.emit("post:1")
    connector.deliver()
    #expect(try await first.take(1) == [id])
  }

  @Test func `A topic that is removed and added again at once stays`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    #expect(await eventually { live.events.state == .live })
    for _ in 0..<50 {
      let other = live.events.subscribe(topics: [.post("2")])
      try await other.begin()
      other.cancel()
    }
    let last = live.events.subscribe(topics: [.post("2")])
    try await last.begin()
    #expect(await eventually { connector.topics == [.post("1"), .post("2")] })
    let id = live.gateway.emit("post:2")
    connector.deliver()
    #expect(try await last.take(1) == [id])
    #expect(connector.connectionCount == 1)
  }

  @Test func `Topics that are refused for now are added later, on the same connection`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    #expect(await eventually { live.events.state == .live })
    connector.refusals = 2
    let second = live.events.subscribe(topics: [.post("2")])
    try await second.begin()
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(1))
        return connector.topics == [.post("1"), .post("2")]
      })
    #expect(connector.connectionCount == 1)
    let id = live.gateway.emit("post:2")
    connector.deliver()
    #expect(try await second.take(1) == [id])
  }

  @Test func `If topics are never confirmed, another connection is opened`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    #expect(await eventually { live.events.state == .live })
    connector.isMute = true
    let second = live.events.subscribe(topics: [.post("2")])
    try await second.begin()
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(10))
        connector.keepAlive()
        return connector.connectionCount == 2
      })
    #expect(await eventually { connector.topics == [.post("1"), .post("2")] })
  }

  @Test func `An event of a removed topic is not delivered`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let first = live.events.subscribe(topics: [.post("1")])
    try await first.begin()
    let other = live.events.subscribe(topics: [.post("2")])
    try await other.begin()
    #expect(await eventually { connector.topics.count == 2 })
    other.cancel()
    #expect(await eventually { connector.topics == [.post("1")] })
    // The event was sent before the gateway removed the topic.
    connector.send(Event(id: "1:1", type: "like.created", postId: "2"))
    connector.send(Event(id: "1:2", type: "like.created", postId: "1"))
    #expect(try await first.take(1) == ["1:2"])
  }

  @Test func `A quiet topic keeps its place`() async throws {
    let live = Live()
    let connector = OpenConnector(live)
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    live.gateway.emit("post:2")
    connector.report(at: live.gateway.now)
    // The gateway no longer has the events before that position.
    live.gateway.state.withLock { $0.forgotten = $0.events.count }
    connector.endConnection()
    #expect(await eventually { connector.connectionCount == 2 })
    #expect(connector.position == "1:1")
  }
}

/// Opens connections with topics that can change, and delivers the gateway's events over them.
private final class OpenConnector: EventConnector {
  fileprivate struct State {
    var connectionCount = 0
    var topics: Set<EventTopic> = []
    /// The number of changes that are refused for now.
    var refusals = 0
    /// Whether changes get no response.
    var isMute = false
    var delivered = 0
    /// The position after which the last connection began.
    var position = ""
    var messages: AsyncStream<EventMessage>.Continuation?
  }

  private let live: Live
  fileprivate let state = Locked(State())

  init(_ live: Live) {
    self.live = live
    live.client.openEventConnections { _ in self }
  }

  var connectionCount: Int { state.withLock { $0.connectionCount } }
  var topics: Set<EventTopic> { state.withLock { $0.topics } }
  var refusals: Int {
    get { state.withLock { $0.refusals } }
    set { state.withLock { $0.refusals = newValue } }
  }
  var position: String { state.withLock { $0.position } }
  var isMute: Bool {
    get { state.withLock { $0.isMute } }
    set { state.withLock { $0.isMute = newValue } }
  }

  func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection {
    let (messages, continuation) = AsyncStream.makeStream(of: EventMessage.self)
    let count = live.gateway.state.withLock { $0.events.count }
    state.withLock { state in
      state.connectionCount += 1
      (state.topics, state.isMute, state.delivered) = (Set(topics), false, count)
      (state.messages, state.position) = (continuation, position)
    }
    continuation.yield(.subscribed(topics, position: ""))
    return OpenConnection(self, messages)
  }

  /// Delivers the new events of the connection's topics.
  func deliver() {
    let events = live.gateway.state.withLock { $0.events }
    state.withLock { state in
      for (topics, event) in events[state.delivered...]
      where !topics.isDisjoint(with: state.topics.map(\.rawValue)) {
        state.messages?.yield(.event(event))
      }
      state.delivered = events.count
    }
  }

  /// Reports that everything before a position was delivered.
  func report(at position: String) {
    state.withLock { _ = $0.messages?.yield(.subscribed(Array($0.topics), position: position)) }
  }

  func endConnection() { state.withLock { $0.messages?.finish() } }

  func send(_ event: Event) { _ = state.withLock { $0.messages?.yield(.event(event)) } }

  func keepAlive() { _ = state.withLock { $0.messages?.yield(.alive) } }
}

private final class OpenConnection: EventConnection {
  private let connector: OpenConnector
  private let messages: AsyncStream<EventMessage>

  init(_ connector: OpenConnector, _ messages: AsyncStream<EventMessage>) {
    (self.connector, self.messages) = (connector, messages)
  }

  var changesTopics: Bool { true }

  func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
    for await message in messages { try await receive(message) }
    try Task.checkCancellation()
  }

  func subscribe(to topics: [EventTopic], after position: String) async throws {
    connector.state.withLock { state in
      if state.isMute { return }
      if state.refusals > 0 {
        state.refusals -= 1
        state.messages?.yield(.refused(APIError(.unavailable, "not now")))
      } else {
        state.topics.formUnion(topics)
        state.messages?.yield(.subscribed(topics, position: position))
      }
    }
  }

  func unsubscribe(from topics: [EventTopic]) async throws {
    connector.state.withLock { $0.topics.subtract(topics) }
  }
}

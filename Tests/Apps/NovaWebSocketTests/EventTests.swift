import NovaAuth
import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer
@testable import NovaWebSocket

/// Live events over WebSocket from the server of `nova serve`.
@Suite(.hangLimit) struct EventTests {
  private func withServer(
    requiresTokens: Bool = false, heartbeat: Duration? = nil,
    _ body: (MockBackend, MockServer, EventService) async throws -> Void
  ) async throws {
    // Without heartbeats, only the test's actions wake the server.
    let backend = MockBackend(
      dataSet: .empty, requiresTokens: requiresTokens, events: MockEventSettings(heartbeat: heartbeat))
    let server = try await MockServer(host: "127.0.0.1", port: 0, backend: backend)
    let client = try APIClient.test(CurlTransport(), baseURL: server.url, token: nil, clock: ContinuousClock())
    let events = EventService(client: client)
    events.useWebSocket()
    do { try await body(backend, server, events) } catch {
      await events.disconnect()
      await server.stop()
      throw error
    }
    await events.disconnect()
    await server.stop()
  }

  private func connector(_ service: EventService) -> WebSocketEventConnector {
    WebSocketEventConnector(service: service, limits: quiet)
  }

  private func emit(_ text: String, on topic: String, of backend: MockBackend) throws {
    try backend.emit(Event(type: "test.\(text)", actorId: "ada", text: text), topics: [topic])
  }

  @Test func eventsArriveInOrder() async throws {
    try await withServer { backend, _, events in
      let updates = events.subscribe(topics: [.post("1")])
      try await updates.begin()
      for number in 0..<50 { try emit("\(number)", on: "post:1", of: backend) }
      var texts: [String] = []
      for try await update in updates {
        if case .event(let event) = update { texts.append(event.text ?? "") }
        if texts.count == 50 { break }
      }
      #expect(texts == (0..<50).map(String.init))
    }
  }

  @Test func topicsChangeOnTheOpenConnection() async throws {
    try await withServer { backend, server, events in
      let start = backend.eventPosition
      let connection = try await connector(events).connect(to: [.post("1")], after: start)
      #expect(connection.changesTopics)
      try await connection.subscribe(to: [.post("2")], after: start)
      try await connection.ping()
      let seen = Seen<String>()
      let reading = Task {
        try await connection.read { message in
          switch message {
          case .subscribed(let topics, _): seen.add("subscribed \(topics)")
          case .event(let event): seen.add(event.text ?? "")
          case .alive: seen.add("alive")
          default: seen.add("\(message)")
          }
        }
      }
      try await waitUntil { seen.all.count == 3 }
      #expect(seen.all == ["subscribed [post:1]", "subscribed [post:2]", "alive"])
      try emit("a", on: "post:2", of: backend)
      try await waitUntil { seen.all.count == 4 }
      try await connection.unsubscribe(from: [.post("2")])
      try await connection.ping()
      try await waitUntil { seen.all.count == 5 }
      try emit("b", on: "post:2", of: backend)
      try emit("c", on: "post:1", of: backend)
      try await waitUntil { seen.all.count == 6 }
      #expect(seen.all.suffix(3) == ["a", "alive", "c"])
      #expect(server.url.isEmpty == false)
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
    }
  }

  @Test func missedEventsArriveLater() async throws {
    try await withServer { backend, _, events in
      let start = backend.eventPosition
      for text in ["a", "b"] { try emit(text, on: "post:1", of: backend) }
      let connection = try await connector(events).connect(to: [.post("1")], after: start)
      let seen = Seen<String>()
      let reading = Task {
        try await connection.read { if case .event(let event) = $0 { seen.add(event.text ?? "") } }
      }
      try await waitUntil { seen.all == ["a", "b"] }
      reading.cancel()
      _ = try? await reading.value
    }
  }

  @Test func eachUserHasAConnectionOfTheirOwn() async throws {
    try await withServer(requiresTokens: true) { backend, _, events in
      var followed: [(user: String, subscription: EventSubscription)] = []
      for name in ["ada", "bob"] {
        let account = try await AuthService(client: events.client).register(
          RegisterRequest(email: "\(name)@example.com", username: name, password: "a good password"))
        let token = try AccessToken(account.token)
        let subscription = events.with { $0.token = token }.subscribe(topics: [.me])
        try await subscription.begin()
        followed.append((account.userId, subscription))
      }
      for (user, _) in followed {
        try backend.emit(Event(type: "bookmark.created", actorId: user, text: user), topics: ["me"])
      }
      for (user, subscription) in followed {
        for try await update in subscription {
          guard case .event(let event) = update else { continue }
          #expect(event.text == user)
          break
        }
      }
    }
  }

  @Test func refusalsAreErrors() async throws {
    try await withServer { _, _, events in
      let unknown = await apiError { try await connector(events).connect(to: ["nonsense"], after: "1:1") }
      #expect(unknown?.code == .invalidArgument, "\(String(describing: unknown))")
      let mine = await apiError { try await connector(events).connect(to: [.me], after: "1:1") }
      #expect(mine?.code == .unauthorized, "\(String(describing: mine))")
    }
    try await withServer(requiresTokens: true) { _, _, events in
      let error = await apiError { try await connector(events).connect(to: [.post("1")], after: "1:1") }
      #expect(error?.code == .unauthorized && error?.httpStatus == 401, "\(String(describing: error))")
    }
  }

  @Test func lostPositionsAreReset() async throws {
    try await withServer { backend, _, events in
      let connection = try await connector(events).connect(to: [.post("1")], after: "gone:7")
      let seen = Seen<String>()
      let reading = Task {
        try await connection.read { if case .reset(_, let position) = $0 { seen.add(position) } }
      }
      try await waitUntil { seen.all == [backend.eventPosition] }
      reading.cancel()
      _ = try? await reading.value
    }
  }

  private static let ends: [(MockEventEnd, EventEnd)] = [
    (.tokenExpired, .tokenExpired), (.tooSlow, .tooSlow), (.restart, .restart),
  ]

  @Test(arguments: ends) func endsHaveReasons(_ end: MockEventEnd, _ expected: EventEnd) async throws {
    try await withServer { backend, _, events in
      let connection = try await connector(events).connect(to: [.post("1")], after: backend.eventPosition)
      let seen = Seen<EventEnd>()
      let reading = Task { try await connection.read { if case .end(let reason) = $0 { seen.add(reason) } } }
      backend.endEventStreams(end)
      try await reading.value
      #expect(seen.all == [expected])
    }
  }

  @Test(
    arguments: [
      "", "{", "[]", #"{"subscribe":7}"#, #"{"subscribe":[1]}"#, #"{"hello":1}"#, #"{"subscribe":["me"],"after":7}"#,
      #"{"subscribe":["post:1"],"ping":1}"#,
    ].map(WebSocketMessage.text) + [.binary(Array(#"{"ping":1}"#.utf8))])
  func badMessagesCloseTheConnection(_ message: WebSocketMessage) async throws {
    try await withServer { _, server, _ in
      let socket = try await WebSocketConnection.connect(
        to: HTTPURL(parsing: server.url + "/api/v1/events/ws"), subprotocols: ["nova.events.v1"], limits: quiet)
      #expect(socket.subprotocol == "nova.events.v1")
      try await socket.send(message)
      #expect(try await socket.receive() == nil)
      #expect(socket.closure?.code.rawValue == 4400 && socket.closure?.reason.isEmpty == false)
    }
  }

  /// A message to a client that has sent a close frame, or is about to, must not end the connection early.
  @Test func eventsDoNotDisturbAClose() async throws {
    try await withServer { backend, server, _ in
      let port = try #require(Int(server.url.split(separator: ":").last ?? ""))
      let client = try EventSocket(port: port)
      try await client.send(RawFrame(text: #"{"subscribe":["post:1"]}"#))
      #expect(await client.next()?.opcode == RawFrame.text)
      try await client.send(RawFrame(text: "nonsense"))
      #expect(await client.next()?.closeCode == 4400)
      for text in ["a", "b"] { try emit(text, on: "post:1", of: backend) }
      try await Task.sleep(for: .milliseconds(300))
      #expect(server.openConnections == 1, "the server waits for the answer to its close")
      try await client.send(RawFrame(close: 4400))
      #expect(await client.next() == nil)
    }
  }

  @Test func quietTopicsKeepTheirPlace() async throws {
    try await withServer(heartbeat: .milliseconds(50)) { backend, server, _ in
      let socket = try await WebSocketConnection.connect(
        to: HTTPURL(parsing: server.url + "/api/v1/events/ws"), subprotocols: ["nova.events.v1"], limits: quiet)
      try await socket.send(#"{"subscribe":["post:1"]}"#)
      try await socket.send(#"{"subscribe":["feed:ann"]}"#)
      try emit("a", on: "post:9", of: backend)
      var places: [JSONValue] = []
      while places.last?["subscribed"]?.elements?.count != 2
        || places.last?["position"]?.stringValue != backend.eventPosition
      {
        guard case .text(let text) = try await socket.receive() else { break }
        places.append(try JSONValue(jsonUTF8: Array(text.utf8)))
      }
      #expect(places.last?["subscribed"] == .array([.string("post:1"), .string("feed:ann")]), "\(places)")
      await socket.close()
    }
  }

  @Test func withoutTopicsThereIsNoPlace() async throws {
    try await withServer(heartbeat: .milliseconds(1)) { _, server, _ in
      let socket = try await WebSocketConnection.connect(
        to: HTTPURL(parsing: server.url + "/api/v1/events/ws"), subprotocols: ["nova.events.v1"], limits: quiet)
      for _ in 1...3 {
        try await Task.sleep(for: .milliseconds(20))
        try await socket.send(#"{"ping":1}"#)
        #expect(try await socket.receive() == .text(#"{"pong":1}"#))
      }
      await socket.close()
    }
  }

  @Test func mockModeNeedsNoNetwork() async throws {
    var overrides = ConfigurationOverrides()
    overrides.usesMockData = true
    let backend = MockBackend(dataSet: .empty)
    let client = try APIClient.test(MockTransport(backend), overrides: overrides, token: nil, clock: ContinuousClock())
    let events = EventService(client: client)
    events.useWebSocket()
    let updates = events.subscribe(topics: [.post("1")])
    try await updates.begin()
    try emit("a", on: "post:1", of: backend)
    for try await update in updates {
      if case .event(let event) = update { #expect(event.text == "a") }
      break
    }
    await events.disconnect()
  }
}

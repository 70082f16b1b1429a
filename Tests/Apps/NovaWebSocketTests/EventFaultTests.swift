import NovaCore
import NovaEvents
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer
@testable import NovaWebSocket

/// The faults of StreamEvents, for events over WebSocket.
@Suite(.hangLimit) struct EventFaultTests {
  private func withServer(_ body: (MockBackend, MockServer) async throws -> Void) async throws {
    let backend = MockBackend(dataSet: .empty)
    let server = try await MockServer(host: "127.0.0.1", port: 0, backend: backend)
    do { try await body(backend, server) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func connect(to server: MockServer, fault: String = "") async throws -> WebSocketConnection {
    try await .connect(
      to: HTTPURL(parsing: server.url + "/api/v1/events/ws"), headers: fault.isEmpty ? [:] : ["Nova-Fault": fault],
      subprotocols: ["nova.events.v1"], limits: quiet, clock: ContinuousClock())
  }

  /// Subscribes, emits two events, and returns the texts that arrive until `end` has arrived `times` times, or the
  /// connection ends.
  private func texts(
    _ socket: WebSocketConnection, _ backend: MockBackend, end: String, times: Int = 1
  ) async throws -> [String] {
    try await socket.send(#"{"subscribe":["post:1"]}"#)
    var texts: [String] = []
    while let message = try await socket.receive() {
      guard case .text(let text) = message else { continue }
      let json = try JSONValue(jsonUTF8: Array(text.utf8))
      texts.append(json["event"]?["text"]?.stringValue ?? json.firstName)
      if texts.count == 1 {
        for text in ["one", "two"] { try backend.emit(Event(type: "test.event", text: text), topics: ["post:1"]) }
      }
      if texts.count(where: { $0 == end }) == times { break }
    }
    return texts
  }

  @Test(arguments: [("503", 503), ("429 retry-after 3", 429), ("401", 401), ("503x", 400)])
  func handshakesAreRefused(fault: String, status: Int) async throws {
    try await withServer { _, server in
      let refusal = await #expect(throws: WebSocketRefusal.self) { try await connect(to: server, fault: fault) }
      #expect(refusal?.response.status == status)
      #expect(refusal?.response.headers["Retry-After"] == (status == 429 ? "3" : nil))
    }
  }

  @Test(arguments: ["drop", "drop after"]) func handshakesAreDropped(fault: String) async throws {
    try await withServer { _, server in
      _ = await transportFailure { try await connect(to: server, fault: fault) }
    }
  }

  /// The log names the fault that determined the response.
  @Test(arguments: [("", 101), ("duplicate", 101), ("503", 503), ("503x", 400), ("drop", nil), ("new epoch", 101)])
  func handshakesAreInTheRequestLog(fault: String, status: Int?) async throws {
    try await withServer { backend, server in
      let socket = try? await connect(to: server, fault: fault)
      #expect((socket != nil) == (status == 101))
      let request = try #require(backend.recentRequests().last)
      #expect(backend.recentRequests().count == 1)
      #expect(request.path == "/api/v1/events/ws" && request.status == status, "\(request)")
      #expect(request.fault == (["", "503x"].contains(fault) ? nil : fault))
      await socket?.close()
    }
  }

  @Test func eventsAreRepeated() async throws {
    try await withServer { backend, server in
      let socket = try await connect(to: server, fault: "duplicate")
      #expect(try await texts(socket, backend, end: "two", times: 2) == ["subscribed", "one", "one", "two", "two"])
      await socket.close()
    }
  }

  /// The response has about 40 bytes, and each event has more than 100.
  @Test(arguments: [(0, []), (60, ["subscribed"])]) func connectionsEndWithoutACloseFrame(limit: Int, seen: [String])
    async throws
  {
    try await withServer { backend, server in
      let socket = try await connect(to: server, fault: "cut \(limit)")
      var taken: [String] = []
      _ = await transportFailure {
        try await socket.send(#"{"subscribe":["post:1"]}"#)
        while let message = try await socket.receive() {
          guard case .text(let text) = message else { continue }
          taken.append(try JSONValue(jsonUTF8: Array(text.utf8)).firstName)
          try backend.emit(Event(type: "test.event", text: "one"), topics: ["post:1"])
        }
      }
      #expect(taken == seen)
    }
  }

  /// The server answers neither messages nor pings, and the connection stays open until the client closes it.
  @Test func theServerFallsSilent() async throws {
    try await withServer { backend, server in
      let socket = try await connect(to: server, fault: "half-open 60")
      #expect(try await texts(socket, backend, end: "subscribed") == ["subscribed"])
      try backend.emit(Event(type: "test.event", text: "more"), topics: ["post:1"])
      try await socket.send(#"{"ping":1}"#)
      let messages = Seen<WebSocketMessage>()
      let reading = Task { while let message = try await socket.receive() { messages.add(message) } }
      let pong = Task { try await socket.ping() }
      try await waitUntil { server.openConnections == 1 }
      pong.cancel()
      #expect(await (try? pong.value) == nil)
      reading.cancel()
      #expect(messages.all.isEmpty)
      try await waitUntil { server.openConnections == 0 }
    }
  }

  @Test func aStalledConnectionContinues() async throws {
    try await withServer { backend, server in
      let socket = try await connect(to: server, fault: "stall 1s")
      #expect(try await texts(socket, backend, end: "two") == ["subscribed", "one", "two"])
      await socket.close()
    }
  }

  /// With faults by the backend's rules, every event arrives once at the client.
  @Test(arguments: ["503x2", "dropx2", "cut 60x2", "duplicatex2", "latency 20ms"])
  func subscriptionsSurvive(fault: String) async throws {
    try await withServer { backend, server in
      backend.faults = try Faults(["event.StreamEvents=\(fault)"])
      let client = try APIClient.test(CurlTransport(), baseURL: server.url, token: nil, clock: ContinuousClock())
      let events = EventService(client: client)
      events.useWebSocket()
      backend.eventSettings.retry = .zero
      let updates = events.subscribe(topics: [.post("1")])
      try await updates.begin()
      for number in 0..<5 { try backend.emit(Event(type: "test.event", text: "\(number)"), topics: ["post:1"]) }
      var seen: [String] = []
      for try await update in updates {
        if case .event(let event) = update { seen.append(event.text ?? "") } else { seen.append("resync") }
        if seen.count == 5 { break }
      }
      #expect(seen == ["0", "1", "2", "3", "4"])
      await events.disconnect()
    }
  }

  @Test func aNewEpochForgetsAll() async throws {
    try await withServer { backend, server in
      try backend.emit(Event(type: "test.event", text: "old"), topics: ["post:1"])
      let position = backend.eventPosition
      let socket = try await connect(to: server, fault: "new epoch")
      try await socket.send(#"{"subscribe":["post:1"],"after":"\#(position)"}"#)
      #expect(try await socket.receive().map { "\($0)".contains("subscribed") } == true)
      #expect(try await socket.receive().map { "\($0)".contains("reset") } == true)
      await socket.close()
    }
  }
}

extension JSONValue {
  /// The name of the first member, which is the kind of message.
  fileprivate var firstName: String { if case .object(let members) = self { members.first?.name ?? "" } else { "" } }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaEvents

/// How a subscription interprets the content of a stream: no event is lost or invented, and no failure is ignored.
@Suite(.hangLimit) struct StreamedEventTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// The delivered messages. The last one may be the failure.
    let expected: [String]

    var testDescription: String { text }

    init(_ text: String, _ expected: String...) { (self.text, self.expected) = (text, expected) }
  }

  private static let rest = "data: {\"id\":\"e9\",\"type\":\"z\"}\n\n"

  static let events: [Case] = [
    Case("id: e1\ndata: {\"id\":\"e1\",\"type\":\"a\"}\n\n", "event e1 a"),
    Case("data: {\"id\":\"e1\",\"type\":\"a\"}\n\n", "event e1 a"),
    Case("id: 7\ndata: {\"type\":\"a\"}\n\n", "event 7 a"),
    // An event counts as repeated only if it has its own ID.
    Case("data: {\"type\":\"a\"}\n\ndata: {\"type\":\"a\"}\n\n", "event  a", "event  a"),
    Case("id: 7\ndata: {\"type\":\"a\"}\n\ndata: {\"type\":\"b\"}\n\n", "event 7 a", "event  b"),
    Case("id: 7\ndata: {\"type\":\"a\"}\n\nid: 7\ndata: {\"type\":\"a\"}\n\n", "event 7 a", "event 7 a"),
    Case("event: like.created\ndata: {\"post_id\":\"p\"}\n\n", "event  like.created"),
    Case("event: like.created\ndata: {\"postId\":\"p\",\"type\":\"x\"}\n\n", "event  x"),
    Case("data: {\"result\":{\"id\":\"e1\",\"type\":\"a\"}}\n\n", "event e1 a"),
    Case("id: 7\ndata: {\"result\":{\"type\":\"a\"}}\n\n", "event 7 a"),
    Case("id: 7\ndata: {\"created_at\":\"never\"}\n\n", "unreadable 7"),
    Case("id: 7\ndata: {\"id\":\n\n", "unreadable 7"),
    Case("id: 7\ndata: text\n\n", "unreadable 7"),
    Case("data: {\"created_at\":\"never\"}\n\n", "unreadable "),
    // The status belongs to the upload, not to the stream.
    Case("id: 7\ndata: {\"type\":\"upload.failed\",\"status\":\"failed\"}\n\n", "event 7 upload.failed"),
  ]

  static let heartbeats: [Case] = [
    Case("event: ping\ndata: 2026-01-01T00:00:00Z\n\n", "alive"), Case("event: ping\ndata: ping\n\n", "alive"),
    Case("event: PING\ndata: {}\n\n", "alive"), Case("event: heartbeat\ndata: {\"ts\":1}\n\n", "alive"),
    Case("id: 7\nevent: keepalive\ndata: {}\n\n", "position 7"), Case("event: keep-alive\ndata\n\n", "alive"),
    Case("data: ping\n\n", "alive"), Case("data:\n\n", "alive"), Case("data\n\n", "alive"),
    Case("data: [DONE]\n\n", "alive"), Case("data: 17\n\n", "alive"), Case("data: null\n\n", "alive"),
    Case("data: {}\n\n", "alive"), Case("id: 7\ndata: {}\n\n", "position 7"), Case("data: {\"ts\":1}\n\n", "alive"),
    Case("event: noop\ndata: {}\n\n", "alive"), Case("data: {\"message\":\"connected\"}\n\n", "alive"),
    Case("data: {\"result\":{}}\n\n", "alive"), Case("data: {\"error\":null}\n\n", "alive"),
    Case("data: {\"status\":\"ok\",\"detail\":\"connected\"}\n\n", "alive"), Case("data: {\"errors\":[]}\n\n", "alive"),
  ]

  static let failures: [Case] = [
    Case("data: {\"error\":{\"code\":7,\"message\":\"denied\"}}\n\n", "permissionDenied"),
    Case("id: 7\ndata: {\"error\":{\"code\":\"PERMISSION_DENIED\",\"message\":\"x\"}}\n\n", "permissionDenied"),
    Case("event: error\ndata: {\"code\":16,\"message\":\"expired\"}\n\n", "unauthorized"),
    Case("event: error\ndata: {\"error\":{\"code\":\"NOT_FOUND\",\"message\":\"x\"}}\n\n", "notFound"),
    Case("data: {\"code\":\"UNAVAILABLE\",\"message\":\"x\"}\n\n", "unavailable"),
    Case("data: {\"code\":14,\"message\":\"x\",\"details\":[]}\n\n", "unavailable"),
    Case("data: {\"result\":{\"error\":{\"code\":5,\"message\":\"x\"}}}\n\n", "notFound"),
    Case("event: error\ndata: upstream timeout\n\n", "serverError"), Case("event: error\ndata:\n\n", "serverError"),
    Case("event: error\ndata: {\"message\":\"oops\"}\n\n", "serverError"),
    Case("id: 7\ndata: {\"detail\":\"Not authenticated\"}\n\n", "not a Nova gateway"),
    Case("data: {\"errors\":[{\"message\":\"x\"}]}\n\n", "not a Nova gateway"),
    Case("data: {\"type\":\"about:blank\",\"title\":\"x\",\"status\":503}\n\n", "not a Nova gateway"),
    // Responses of portals, firewalls, and cloud functions.
    Case("data: {\"errorMessage\":\"died\",\"errorType\":\"E\"}\n\n", "not a Nova gateway"),
    Case("data: {\"fault\":{\"faultstring\":\"no\"}}\n\n", "not a Nova gateway"),
    Case("data: {\"status\":\"error\"}\n\n", "not a Nova gateway"),
    Case("data: {\"statusCode\":403,\"message\":\"x\"}\n\n", "not a Nova gateway"),
    Case("data: {\"ok\":false}\n\n", "not a Nova gateway"),
    Case("data: {\"type\":\"x\",\"stackTrace\":\"at y\"}\n\n", "not a Nova gateway"),
  ]

  @Test(arguments: events + heartbeats + failures) func serverSentEvents(_ item: Case) async throws {
    let isFailure = Self.failures.contains { $0.text == item.text }
    let found = try await read("text/event-stream", item.text + Self.rest)
    #expect(found == item.expected + (isFailure ? [] : ["event e9 z"]))
  }

  @Test(arguments: [
    Case("<html><body>Sign in</body></html>", "not a Nova gateway"),
    Case("\n  <!doctype html>\n\n", "not a Nova gateway"),
    Case("{\"detail\":\"x\"}", "not a Nova gateway"), Case("[]", "not a Nova gateway"),
    // Connections that are lost early.
    Case(""), Case("\n"), Case("data: {\"id\":"), Case("retr"),
  ])
  func otherBodiesThatAreLabelledAsEvents(_ item: Case) async throws {
    #expect(try await read("text/event-stream", item.text) == item.expected)
  }

  @Test(arguments: [
    Case(#"[{"id":"e1","type":"a"},{"type":"b"},{"type":"b"}]"#, "event e1 a", "event  b", "event  b"),
    Case(#"{"result":{"id":"e1","type":"a"}}{"result":{}}"#, "event e1 a", "alive"),
    Case(#"{"result":{}}{"result":{"id":"e1","type":"a"}}"#, "alive", "event e1 a"),
    Case(#"[{"id":"e1","type":"a"},{}]"#, "event e1 a", "alive"),
    Case(#"{"id":"e1","type":"a"}{"code":7,"message":"denied"}"#, "event e1 a", "permissionDenied"),
    Case(#"{"id":"e1","type":"a"}{"error":{"code":"UNAUTHENTICATED","message":"x"}}"#, "event e1 a", "unauthorized"),
    Case(#"{"code":7,"message":"denied"}"#, "permissionDenied"),
    Case(#"{"detail":"x"}"#, "not a Nova gateway"), Case("[{}]", "not a Nova gateway"),
    Case(#"{"status":"ok"}"#, "not a Nova gateway"), Case("<html></html>", "not a Nova gateway"),
    Case("upstream connect error", "not a Nova gateway"), Case(#"["x"]"#, "not a Nova gateway"),
    Case(#"{"id":"e1","created_at":"never"}"#, "tooLarge"),
    // Lost connections.
    Case(""), Case("[]"), Case(#"{"id":"e1","ty"#), Case(#"[{"id":"e1","type":"a"},{"id"#, "event e1 a"),
  ])
  func streamsOfJSON(_ item: Case) async throws {
    #expect(try await read("application/json", item.text) == item.expected)
  }

  /// The delivered messages, and the failure.
  private func read(_ type: String, _ text: String) async throws -> [String] {
    let gateway = ScriptedEvents { _ in ScriptedEvents.events(text, type: type) }
    let connector = ServerSentEventConnector(client: try .test(gateway), options: CallOptions())
    let connection = try await connector.connect(to: ["post:1"], after: "1:1")
    let shown = Locked<[String]>([])
    do {
      try await connection.read { message in shown.withLock { $0.append(Self.shown(message)) } }
    } catch let error as APIError {
      shown.withLock { $0.append(error.isFromAnotherServer ? "not a Nova gateway" : "\(error.code)") }
    }
    return shown.withLock { $0 }
  }

  private static func shown(_ message: EventMessage) -> String {
    switch message {
    case .event(let event): "event \(event.id) \(event.type)"
    case .alive: "alive"
    case .position(let position): "position \(position)"
    case .unreadable(let position): "unreadable \(position)"
    case .tooLarge: "tooLarge"
    default: "\(message)"
    }
  }

  // MARK: Subscriptions

  @Test func eventsWithoutIDsAreDelivered() async throws {
    let text =
      "id: 1:1\ndata: {\"id\":\"1:1\",\"type\":\"a\"}\n\n"
      + "data: {\"type\":\"b\"}\n\ndata: {\"type\":\"b\"}\n\nid: 1:1\ndata: {\"type\":\"a\"}\n\ndata: {\"type\":\"c\"}\n\n"
    let events = EventService(client: try .test(ScriptedEvents { _ in ScriptedEvents.events(text, isOpen: true) }))
    var types: [String] = []
    for try await update in events.subscribe(topics: [.post("1")]) {
      if case .event(let event) = update { types.append(event.type) }
      if types.last == "c" { break }
    }
    #expect(types == ["a", "b", "b", "c"])
  }

  /// Failures have the status of the gateway's response.
  @Test(arguments: [
    "data: {\"error\":{\"reason\":\"x\"}}\n\n", "data: {\"error\":{\"code\":7,\"message\":\"denied\"}}\n\n",
    "data: {\"error\":\"x\"}\n\n", "event: error\ndata: x\n\n", "data: {\"result\":{\"error\":{\"code\":5}}}\n\n",
  ])
  func failuresHaveTheStatusOfTheResponse(_ text: String) async throws {
    for status in [200, 206] {
      let gateway = ScriptedEvents { _ in
        var response = ScriptedEvents.events(text)
        response.status = status
        return response
      }
      let connector = ServerSentEventConnector(client: try .test(gateway), options: CallOptions())
      let error = await apiError { try await connector.connect(to: ["post:1"], after: "1:1").read { _ in } }
      #expect(error?.httpStatus == status, "\(text): \(String(describing: error))")
    }
  }

  @Test func aFailureOnTheStreamEndsASubscription() async throws {
    let text = "id: 7\ndata: {\"error\":{\"code\":7,\"message\":\"denied\"}}\n\n"
    let events = EventService(client: try .test(ScriptedEvents { _ in ScriptedEvents.events(text, isOpen: true) }))
    let error = await apiError { for try await _ in events.subscribe(topics: [.post("1")]) {} }
    #expect(error?.code == .permissionDenied && error?.server?.message == "denied")
  }

  /// Quotes from the gateway are masked, because they can contain parts of the request.
  @Test(arguments: [
    "text/{}", "text/a-long-name-of-a-media-type-{}", "text/event-stream\nevent: error\ndata: {}",
    "application/json\n{\"code\":7,\"message\":\"{}\"}",
    "text/event-stream\ndata: {\"error\":{\"code\":7,\"message\":\"no {}\"}}",
  ])
  func errorsDoNotContainTheToken(_ answer: String) async throws {
    let token = "sEcr3t.T0k3n-abcdefghijklmnop"
    let parts = answer.replacing("{}", with: token).split(separator: "\n", maxSplits: 1).map(String.init)
    let gateway = ScriptedEvents { _ in
      ScriptedEvents.events((parts.count > 1 ? parts[1] : "") + "\n\n", type: parts[0])
    }
    let client = try APIClient.test(gateway, token: token)
    let error = await apiError {
      let connector = ServerSentEventConnector(client: client, options: CallOptions())
      try await connector.connect(to: ["me"], after: "1:1").read { _ in }
    }
    let shown = try #require(error.map { "\($0) \($0.message) \($0.server?.message ?? "")" })
    #expect(!shown.contains(token), "\(shown)")
  }
}

/// Silent streams, and how they are reported.
@Suite(.hangLimit) struct SilentStreamTests {
  /// The reasons of the pauses, and the number of requested streams, in 400 s.
  private func watch(_ answer: @escaping @Sendable () -> HTTPResponse) async throws -> (reasons: [String], streams: Int)
  {
    let gateway = ScriptedEvents { _ in answer() }
    let clock = ManualClock()
    let events = EventService(client: try .test(gateway, clock: clock, random: { 0 }))
    let subscription = events.subscribe(topics: [.post("1")])
    let reading = Task { for try await _ in subscription {} }
    var reasons: [String] = []
    for _ in 0..<200 {
      clock.advance(by: .seconds(2))
      for _ in 0..<5 { await Task.yield() }
      try await ContinuousClock().sleep(for: .milliseconds(3))
      if let reason = events.pause?.reason, reasons.last != reason { reasons.append(reason) }
    }
    subscription.cancel()
    reading.cancel()
    return (reasons, gateway.streams.withLock { $0 })
  }

  /// Streams of JSON have no heartbeats.
  @Test(arguments: ["", "["]) func aQuietStreamOfJSONIsRenewedWithoutAReport(_ text: String) async throws {
    let found = try await watch { ScriptedEvents.events(text, isOpen: true, type: "application/json") }
    #expect(found.reasons == [])
    #expect((3...11).contains(found.streams), "\(found.streams)")
  }

  @Test func aSilentStreamIsExplainedOnce() async throws {
    let found = try await watch { ScriptedEvents.events("", isOpen: true) }
    #expect(found.reasons.count == 1 && found.reasons.first?.contains("buffering") == true, "\(found.reasons)")
    #expect((3...11).contains(found.streams), "\(found.streams)")
  }
}

/// Redirects that are refused.
@Suite(.hangLimit) struct RefusedRedirectTests {
  private struct Redirecting: HTTPTransport {
    let gateway: ScriptedEvents
    let wasThere: Bool
    let count = Locked(0)

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      if request.url.path.hasSuffix("/list") { return try await gateway.send(request) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if wasThere, number == 1 { return try await gateway.send(request) }
      throw TransportError(.redirectRefused, "it redirects to where the request must not go", requestMayHaveLeft: true)
    }

    func shutdown() async {}
  }

  private static let event = "id: 1:1\ndata: {\"id\":\"1:1\",\"type\":\"x\"}\n\n"

  @Test func aSubscriptionEnds() async throws {
    let transport = Redirecting(gateway: ScriptedEvents { _ in ScriptedEvents.events(Self.event) }, wasThere: false)
    let events = EventService(client: try .test(transport, clock: ManualClock()))
    let error = await apiError { for try await _ in events.subscribe(topics: [.post("1")]) {} }
    #expect(error?.code == .invalidResponse && error?.message.contains("not a Nova gateway") == true)
    #expect(transport.count.withLock { $0 } == 1)
  }

  @Test func aGatewayThatWasThereIsWaitedFor() async throws {
    let transport = Redirecting(gateway: ScriptedEvents { _ in ScriptedEvents.events(Self.event) }, wasThere: true)
    let clock = ManualClock()
    let events = EventService(client: try .test(transport, clock: clock, random: { 0 }))
    let subscription = events.subscribe(topics: [.post("1")])
    let reading = Task { for try await _ in subscription {} }
    #expect(
      await eventually {
        clock.advance(by: .milliseconds(100))
        return events.pause?.reason.contains("not a Nova gateway") == true
      })
    subscription.cancel()
    reading.cancel()
  }
}

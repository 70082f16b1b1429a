import NovaAnalytics
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// What happens to events when the gateway refuses them or fails.
@Suite(.hangLimit) struct SendingTests {
  private let scene: TrackerScene

  init() throws { scene = try TrackerScene() }

  private func has(_ number: Int, _ request: RecordEventsRequest) -> Bool {
    request.events.contains { $0.properties["number"] == "\(number)" }
  }

  @Test(arguments: [500, 503, 429, 401, 403, 404, 501, 502])
  func eventsStayUntilTheGatewayAcceptsThem(_ status: Int) async throws {
    let (tracker, client) = try scene.connected()
    scene.gateway.answer { number, _ in number == 0 ? .refusal(status) : nil }
    tracker.track(0..<3)
    await tracker.flush()
    let failed = await tracker.status
    #expect(failed.waitingCount == 3 && failed.lastError?.contains("HTTP \(status)") == true)
    await tracker.flush()
    #expect(scene.gateway.events.count == 3)
    let status = await tracker.status
    #expect(status.waitingCount == 0 && status.sentCount == 3 && status.lastError == nil)
    withExtendedLifetime(client) {}
  }

  /// The gateway has recorded the events, but the response is lost.
  @Test func eventsThatAreSentAgainCountOnce() async throws {
    let (tracker, client) = try scene.connected()
    let gateway = scene.gateway
    gateway.answer { number, request in
      guard number == 0 else { return nil }
      _ = gateway.backend.respond(
        to: HTTPRequest(
          method: .post, url: HTTPURL(received: "/api/v1/analytics/record"), body: try request.jsonUTF8()))
      throw TransportError(.connectionLost, "lost", requestMayHaveLeft: true)
    }
    tracker.track(0..<3)
    await tracker.flush()
    #expect(await tracker.status.waitingCount == 3 && gateway.events.count == 3)
    tracker.track(3..<4)
    await tracker.flush()
    #expect(gateway.requests.count == 2 && gateway.events.count == 4)
    #expect(await tracker.status.sentCount == 4)
    withExtendedLifetime(client) {}
  }

  @Test func failuresAreFollowedByLongerWaits() async throws {
    let (tracker, client) = try scene.connected { $0.batchCount = 1 }
    scene.gateway.answer { number, _ in number < 3 ? .refusal(503) : nil }
    tracker.track(0..<1)
    for (number, seconds) in [5, 10, 20].enumerated() {
      try await scene.wait("request \(number)") { scene.gateway.requests.count == number + 1 }
      await scene.clock.waitForSleepers(1)
      // A new event changes nothing.
      tracker.track(1..<2)
      await tracker.waitUntilWritten()
      scene.clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(scene.gateway.requests.count == number + 1)
      scene.clock.advance(by: .milliseconds(1))
    }
    try await scene.wait("the end") { scene.gateway.events.count == 4 }
    withExtendedLifetime(client) {}
  }

  @Test func rejectedEventsAreCountedByReason() async throws {
    let (tracker, client) = try scene.connected()
    scene.gateway.answer { _, request in
      var response = RecordEventsResponse(acceptedCount: 2)
      response.rejected = request.events.prefix(3).map { RejectedEvent(id: $0.id, reason: "too odd") }
      response.rejected[2].reason = "too new"
      // A rejection of an event that was not sent, and one event rejected twice.
      response.rejected += [RejectedEvent(id: "other", reason: "unknown"), response.rejected[0]]
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: try response.jsonUTF8())
    }
    tracker.track(0..<5)
    await tracker.flush()
    let status = await tracker.status
    #expect(status.rejected == ["too odd": 2, "too new": 1] && status.sentCount == 2 && status.waitingCount == 0)
    withExtendedLifetime(client) {}
  }

  /// Events that a response does not count were not recorded, unless they were sent at an earlier attempt.
  @Test(arguments: [0, 2, 4]) func eventsThatTheAnswerDoesNotCountStay(_ count: Int) async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    tracker.use(client)
    let answer = try RecordEventsResponse(acceptedCount: count).jsonUTF8()
    scene.gateway.answer { _, _ in
      HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: answer)
    }
    tracker.track(0..<5)
    let first = await tracker.sendAll()
    #expect(first?.error?.code == .invalidResponse && first?.sentCount == 0)
    #expect(first?.error?.message.contains("confirmed \(count) of 5 events") == true)
    #expect(await tracker.status.waitingCount == 5)
    // From now on, the events may have been recorded at the first attempt; a later program cannot exclude that.
    let later = scene.tracker()
    later.use(client)
    let second = await later.sendAll()
    #expect(second?.error == nil && second?.sentCount == 5 && second?.uncountedCount == 5 - count)
    #expect(await later.status.waitingCount == 0)
  }

  /// Pages of other servers, refusals before the events were read, and failed refreshes of a session are not about the
  /// events.
  @Test(arguments: [400, 405, 411, 415, 421, 422, 425, 426, 431, 451])
  func eventsStayIfAnotherServerAnswers(_ status: Int) async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    tracker.use(client)
    let isProcessed = status != 421 && status != 425
    scene.gateway.answer { number, _ in
      guard number < 9 else { return nil }
      return HTTPResponse(
        status: status, headers: ["Content-Type": isProcessed ? "text/html" : "application/json"],
        body: Array((isProcessed ? "<html>no</html>" : "{}").utf8))
    }
    tracker.track(0..<5)
    #expect(await tracker.sendAll()?.error != nil)
    let state = await tracker.status
    #expect(state.waitingCount == 5 && state.rejectedCount == 0 && scene.gateway.requests.count == 1)
  }

  /// Only the service itself can reject an event. For a proxy that accepts only small requests, requests become
  /// smaller.
  @Test(arguments: [
    (413, "text/html", "<html><h1>413 Request Entity Too Large</h1></html>", false), (413, "text/plain", "", false),
    (400, "text/plain", "bad request", false), (400, "text/plain", "", false), (400, "application/json", "{}", false),
    (422, "application/json", #"{"message":"no"}"#, false),
    (400, "application/json", #"{"code":400,"message":"m"}"#, false),
    (400, "application/json", #"{"error":"no"}"#, false),
    (400, "application/json", #"{"error":{"code":"BAD","message":"no"}}"#, true),
    (422, "application/json", #"{"detail":[{"loc":["body","events"],"msg":"bad","type":"x"}]}"#, true),
    (400, "application/json", #"{"error":"no","code":3,"message":"no"}"#, true),
    (413, "application/json", #"{"error":{"code":"TOO_LARGE","message":"no"}}"#, true),
  ])
  func onlyTheServiceDropsEvents(_ status: Int, type: String, body: String, isDropped: Bool) async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    tracker.use(client)
    let mode = Locked(true)
    scene.gateway.answer { _, _ in
      mode.withLock { $0 } ? HTTPResponse(status: status, headers: ["Content-Type": type], body: Array(body.utf8)) : nil
    }
    tracker.track(0..<2)
    _ = await tracker.sendAll()
    let state = await tracker.status
    #expect(state.waitingCount == (isDropped ? 0 : 2) && state.rejectedCount == (isDropped ? 2 : 0), "\(state)")
    // The kept events arrive later.
    mode.withLock { $0 = false }
    _ = await tracker.sendAll()
    #expect(scene.gateway.events.count == (isDropped ? 0 : 2))
  }

  /// nginx refuses large requests, and returns a page that says so.
  @Test func aProxysLimitMakesRequestsSmaller() async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    tracker.use(client)
    scene.gateway.answer { _, request in
      guard request.events.count > 3 else { return nil }
      return HTTPResponse(
        status: 413, headers: ["Content-Type": "text/html"], body: Array("<html><h1>413</h1></html>".utf8))
    }
    tracker.track(0..<10)
    #expect(await tracker.sendAll()?.error == nil)
    let state = await tracker.status
    #expect(scene.gateway.events.count == 10 && state.waitingCount == 0 && state.rejectedCount == 0)
  }

  @Test(arguments: [400, 404, 413, 422]) func eventsStayIfTheSessionIsNotRefreshed(_ status: Int) async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    tracker.use(client)
    scene.gateway.answer { _, _ in
      var error = APIError(HTTPResponse(status: status))
      error.isOfRefresh = true
      throw error
    }
    tracker.track(0..<5)
    #expect(await tracker.sendAll()?.error != nil)
    let state = await tracker.status
    #expect(state.waitingCount == 5 && state.rejectedCount == 0)
  }

  @Test(arguments: [0, 1, 6, 9]) func aRefusedEventIsFound(_ bad: Int) async throws {
    let (tracker, client) = (scene.tracker(), try scene.client())
    // The tracker starts no rounds itself, because they could send a part of the events.
    tracker.use(client)
    scene.gateway.answer { [self] _, request in has(bad, request) ? .refusal(400) : nil }
    tracker.track(0..<10)
    await tracker.flush()
    #expect(
      scene.gateway.events.compactMap { $0.properties["number"] } == (0..<10).filter { $0 != bad }.map { "\($0)" })
    let status = await tracker.status
    #expect(status.rejectedCount == 1 && status.sentCount == 9 && status.waitingCount == 0)
    // Later requests are as large as before.
    scene.gateway.answer { _, _ in nil }
    tracker.track(10..<110)
    await tracker.flush()
    tracker.track(110..<210)
    await tracker.flush()
    #expect(scene.gateway.requests.map(\.events.count).max() == 100)
    withExtendedLifetime(client) {}
  }

  @Test func largeBatchesAreMadeSmaller() async throws {
    let (tracker, client) = try scene.connected { $0.flushInterval = .seconds(3600) }
    scene.gateway.answer { _, request in try request.jsonUTF8().count > 5000 ? .refusal(413) : nil }
    for number in 0..<20 { tracker.track("event", properties: ["source": String(repeating: "x ", count: number * 20)]) }
    tracker.track("event", properties: ["source": String(repeating: "é ", count: 500), "screen": "a"])
    for _ in 0..<3 {
      tracker.track("event", properties: ["source": String(repeating: "👩‍👩‍👧", count: 900)])
    }
    await tracker.flush()
    await tracker.flush()
    #expect(scene.gateway.events.count == 21)
    let status = await tracker.status
    #expect(status.rejected == ["the event is too large for the gateway": 3] && status.waitingCount == 0)
    withExtendedLifetime(client) {}
  }

  /// The refusal is probably not about the events.
  @Test func aGatewayThatRefusesEverythingCostsFewEvents() async throws {
    let (tracker, client) = try scene.connected { $0.flushInterval = .seconds(3600) }
    scene.gateway.answer { _, _ in .refusal(400) }
    tracker.track(0..<50)
    await tracker.flush()
    let status = await tracker.status
    #expect(status.rejectedCount == 3 && status.waitingCount == 47)
    #expect(scene.gateway.requests.count < 20)
    withExtendedLifetime(client) {}
  }

  @Test func oneTrackerSendsAtATime() async throws {
    let (first, client) = try scene.connected()
    let second = scene.tracker()
    second.begin(with: client)
    let (begun, release) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    scene.gateway.answer { number, _ in
      guard number == 0 else { return nil }
      begun.continuation.finish()
      for await _ in release.stream {}
      return nil
    }
    first.track(0..<3)
    await first.waitUntilWritten()
    async let outcome = first.sendAll()
    for await _ in begun.stream {}
    #expect(await second.sendAll()?.isBusy == true)
    release.continuation.finish()
    #expect(await outcome?.sentCount == 3)
    second.track(3..<5)
    #expect(await second.sendAll()?.sentCount == 2)
    #expect(scene.gateway.requests.count == 2 && scene.gateway.events.count == 5)
  }

  /// A released client sends nothing, and another client can take over.
  @Test func theTrackerKeepsNoClient() async throws {
    let tracker = scene.tracker()
    weak var weakClient: APIClient?
    do {
      let client = try scene.client()
      weakClient = client
      tracker.begin(with: client)
    }
    try await scene.wait("its end") { weakClient == nil }
    tracker.track(0..<1)
    await tracker.flush()
    #expect(scene.gateway.requests.isEmpty)
    let client = try scene.client()
    tracker.begin(with: client)
    await tracker.flush()
    #expect(scene.gateway.events.count == 1)
  }
}

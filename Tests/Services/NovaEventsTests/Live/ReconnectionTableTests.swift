import NovaCore
import NovaEvents
import NovaHTTP
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// A gateway whose list and stream respond as a test specifies. By default, the list is empty.
final class ScriptedEvents: HTTPTransport {
  let streams = Locked(0)
  let lists = Locked(0)
  /// Whether requests for streams get no response.
  let hangsBeforeHead = Locked(false)
  private let list: @Sendable (_ number: Int, ListEventsRequest) throws -> HTTPResponse
  private let stream: @Sendable (_ number: Int) -> HTTPResponse

  init(
    list: @escaping @Sendable (_ number: Int, ListEventsRequest) throws -> HTTPResponse = { _, _ in
      ScriptedEvents.page(#"{"next_after":"1:0","is_complete":true}"#)
    }, stream: @escaping @Sendable (_ number: Int) -> HTTPResponse
  ) { (self.list, self.stream) = (list, stream) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    func next(_ count: Locked<Int>) -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
    guard request.url.path.hasSuffix("/list") else {
      let answer = stream(next(streams))
      while hangsBeforeHead.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
      return answer
    }
    return try list(next(lists), ListEventsRequest(jsonUTF8: request.body.bytes ?? []))
  }

  func shutdown() async {}

  static func page(_ json: String) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(json.utf8))
  }

  /// - Parameter isOpen: whether the stream stays open after the text.
  static func events(_ text: String, isOpen: Bool = false, type: String = "text/event-stream") -> HTTPResponse {
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    if !text.isEmpty { continuation.yield(Array(text.utf8)) }
    if !isOpen { continuation.finish() }
    let body = KeptOpen(chunks: chunks, continuation: continuation)
    return HTTPResponse(
      status: 200, headers: ["Content-Type": type], body: .stream(HTTPBodyStream(body)))
  }

  private struct KeptOpen: AsyncSequence, Sendable {
    let chunks: AsyncThrowingStream<[UInt8], any Error>
    let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation

    func makeAsyncIterator() -> AsyncThrowingStream<[UInt8], any Error>.AsyncIterator { chunks.makeAsyncIterator() }
  }
}

/// Reconnections, by the status of the response, its `Retry-After`, and whether the gateway sent events before. The
/// client always waits before it tries again, but never longer than the settings allow.
@Suite(.hangLimit) struct ReconnectionTableTests {
  static let statuses = [408, 409, 425, 429, 500, 502, 503, 504]
  static let waits: [(header: String?, requested: Duration?)] = [
    (nil, nil), ("0", .zero), ("-5", nil), ("soon", nil), ("", nil), ("1", .seconds(1)), ("7", .seconds(7)),
    ("86400", .seconds(300)), ("99999999999999999999", .seconds(300)), ("Fri, 01 Jan 2010 00:00:00 GMT", .zero),
    ("Fri, 01 Jan 2100 00:00:00 GMT", .seconds(300)),
  ]

  private static let event = "id: 1:1\ndata: {\"id\":\"1:1\",\"type\":\"x\"}\n\n"

  private func client(_ gateway: ScriptedEvents, _ clock: any CallClock) throws -> APIClient {
    try .test(gateway, clock: clock, random: { 0 })
  }

  /// The first pauses.
  private func pauses(_ count: Int, of gateway: ScriptedEvents) async throws -> [ReconnectionPause] {
    let clock = ManualClock()
    let events = EventService(client: try client(gateway, clock))
    let subscription = events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    let reading = Task { for try await _ in subscription {} }
    var pauses: [ReconnectionPause] = []
    while pauses.count < count {
      let last = pauses.last
      try #require(await eventually { events.pause.map { $0 != last } ?? false })
      guard let pause = events.pause, pause != last else { continue }
      pauses.append(pause)
      // The client does not connect before the end of the pause.
      let streams = gateway.streams.withLock { $0 }
      clock.advance(by: pause.duration - .nanoseconds(1))
      #expect(gateway.streams.withLock { $0 } == streams)
      clock.advance(by: .nanoseconds(1))
    }
    subscription.cancel()
    reading.cancel()
    return pauses
  }

  private static let floors: [Duration] = [250, 500, 1000, 2000, 4000, 7500, 7500, 7500].map { .milliseconds($0) }

  @Test(arguments: statuses, [false, true])
  func aWaitHasAFloorAndACeiling(_ status: Int, _ wasLive: Bool) async throws {
    for wait in Self.waits {
      let gateway = ScriptedEvents { number in
        if wasLive, number == 1 { return ScriptedEvents.events(Self.event) }
        var response = HTTPResponse(status: status, headers: [:], body: [])
        response.headers["Retry-After"] = wait.header
        return response
      }
      let pauses = try await pauses(8, of: gateway)
      let start = wasLive ? 1 : 0
      for (index, pause) in pauses.enumerated().dropFirst(start) {
        let expected = max(Self.floors[index], wait.requested ?? .zero)
        #expect(pause.duration == expected, "\(status), Retry-After \(wait.header ?? "-"), wait \(index)")
        #expect((pause.requested != nil) == (wait.requested != nil) && !pause.reason.isEmpty)
      }
    }
  }

  /// Streams that end at once, with waits that they request.
  @Test(arguments: [
    "retry: 0\n\n", "retry: 10\n\n", ": hello\n\n", "", "event: end\ndata: {\"reason\":\"restart\"}\n\n",
  ])
  func aStreamThatEndsAtOnceIsNotAskedAtOnce(_ text: String) async throws {
    let pauses = try await pauses(7, of: ScriptedEvents { _ in ScriptedEvents.events(text) })
    #expect(pauses.map(\.duration) == Array(Self.floors.prefix(7)))
  }

  @Test func aLongRetryOfAStreamIsBounded() async throws {
    let gateway = ScriptedEvents { _ in ScriptedEvents.events("retry: 86400000\n\n") }
    #expect(try await pauses(3, of: gateway).map(\.duration) == Array(repeating: .seconds(300), count: 3))
  }

  @Test func theSettingsBoundTheCeiling() async throws {
    let gateway = ScriptedEvents { _ in HTTPResponse(status: 429, headers: ["Retry-After": "3600"], body: []) }
    let clock = ManualClock()
    let client = try APIClient.test(
      gateway, overrides: ConfigurationOverrides(maximumRetryWait: .seconds(20)), clock: clock, random: { 0 })
    let events = EventService(client: client)
    let subscription = events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { events.pause?.duration == .seconds(20) })
    #expect(events.pause?.code == .rateLimited)
    subscription.cancel()
    #expect(await eventually { events.pause == nil })
  }

  /// Responses of other servers end a subscription.
  @Test(arguments: ["text/html", "application/json", "text/plain", "application/octet-stream", nil])
  func anotherServerEndsASubscription(_ type: String?) async throws {
    let gateway = ScriptedEvents { _ in
      var response = HTTPResponse(status: 200, headers: [:], body: Array("<html>{}".utf8))
      response.headers["Content-Type"] = type
      return response
    }
    let events = EventService(client: try client(gateway, ManualClock()))
    let error = await apiError { for try await _ in events.subscribe(topics: [.post("1")]) {} }
    #expect(error?.code == .invalidResponse && error?.isFromAnotherServer == true)
    #expect(error?.message.contains("not a Nova gateway") == true)
    #expect(gateway.streams.withLock { $0 } == 1)
  }

  /// Once the gateway has been reached, another server may respond in its place for a while.
  @Test func anotherServerInItsPlaceIsWaitedForAndNamed() async throws {
    let gateway = ScriptedEvents { number in
      number == 1
        ? ScriptedEvents.events(Self.event)
        : HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8))
    }
    let pauses = try await pauses(4, of: gateway)
    #expect(pauses.dropFirst().allSatisfy { $0.reason.contains("not a Nova gateway") })
  }

  @Test(arguments: [400, 401, 403, 404, 405, 410, 412, 501])
  func refusalsEndASubscription(_ status: Int) async throws {
    let gateway = ScriptedEvents { _ in HTTPResponse(status: status, headers: ["Retry-After": "0"], body: []) }
    let events = EventService(client: try client(gateway, ManualClock()))
    let error = await apiError { for try await _ in events.subscribe(topics: [.post("1")]) {} }
    #expect(error?.httpStatus == status)
    #expect(gateway.streams.withLock { $0 } == 1)
  }
}

/// A gateway that keeps reporting that events are gone.
@Suite(.hangLimit) struct ResyncFloorTests {
  /// The numbers of resyncs, lists, and streams in 40 s.
  private func counts(_ gateway: ScriptedEvents) async throws -> (resyncs: Int, lists: Int, streams: Int) {
    let clock = ManualClock()
    let events = EventService(client: try .test(gateway, clock: clock, random: { 0 }))
    let subscription = events.subscribe(topics: [.post("1")], after: "0:0")
    let resyncs = Locked(0)
    let reading = Task { for try await _ in subscription { resyncs.withLock { $0 += 1 } } }
    for _ in 0..<160 {
      // Everything waits, and does so until time passes. A pause that has ended is still there until its task has its turn.
      try #require(await eventually { events.pause.map { $0.end > clock.now } ?? false })
      clock.advance(by: .milliseconds(250))
    }
    subscription.cancel()
    reading.cancel()
    return (resyncs.withLock { $0 }, gateway.lists.withLock { $0 }, gateway.streams.withLock { $0 })
  }

  @Test func aResetWithIncompleteListsIsNotALoop() async throws {
    let gateway = ScriptedEvents { number, _ in
      ScriptedEvents.page(#"{"next_after":"1:\#(number)","is_complete":false}"#)
    } stream: { number in
      ScriptedEvents.events("event: reset\ndata: {\"id\":\"1:\(number)\"}\n\n", isOpen: true)
    }
    let counts = try await counts(gateway)
    #expect(counts.resyncs < 20 && counts.lists < 40 && counts.streams < 20, "\(counts)")
    #expect(counts.resyncs > 1, "the reader gets resyncs")
  }

  /// A gateway with a short history and a busy topic: each list has events, and begins after a gap.
  @Test(arguments: [true, false]) func listsWithGapsAndEventsAreNotALoop(hasMore: Bool) async throws {
    let gateway = ScriptedEvents { number, _ in
      ScriptedEvents.page(
        #"{"events":[{"id":"1:\#(number)","type":"x"}],"next_after":"1:\#(number)","has_more":\#(hasMore),"is_complete":false}"#
      )
    } stream: { number in
      ScriptedEvents.events("event: reset\ndata: {\"id\":\"1:\(number)\"}\n\n")
    }
    let counts = try await counts(gateway)
    #expect(counts.lists < 60 && counts.streams < 30, "\(counts)")
  }

  @Test func eventsThatCannotBeReadAreNotALoop() async throws {
    let text = (1...5000).map { "id: 1:\($0)\ndata: {\"created_at\":\"never\"}\n\n" }.joined()
    let gateway = ScriptedEvents { number, _ in
      ScriptedEvents.page(#"{"next_after":"1:\#(number)","is_complete":true}"#)
    } stream: { _ in
      ScriptedEvents.events(text)
    }
    let counts = try await counts(gateway)
    #expect(counts.resyncs < 30 && counts.lists < 60 && counts.streams < 20, "\(counts)")
  }

  @Test func aListThatRepeatsItselfIsNotALoop() async throws {
    let gateway = ScriptedEvents { number, _ in
      ScriptedEvents.page(
        #"{"events":[{"id":"1:1","type":"x"}],"next_after":"1:\#(number % 2)","has_more":true,"is_complete":true}"#)
    } stream: { _ in
      HTTPResponse(status: 503, headers: ["Retry-After": "0"], body: [])
    }
    let counts = try await counts(gateway)
    #expect(counts.lists < 60 && counts.streams < 20, "\(counts)")
  }
}

/// A stream that a proxy buffers.
@Suite(.hangLimit) struct BufferedStreamTests {
  @Test func aStreamOnWhichNothingIsHeardIsExplainedAndEventsAreListed() async throws {
    let plan = EventGateway.Plan(greeting: "")
    let live = Live(EventGateway(plans: Array(repeating: plan, count: 20)), waitsBriefly: false)
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    let read = Locked<[String]>([])
    let reading = Task {
      for try await update in subscription {
        if case .event(let event) = update { read.withLock { $0.append(event.id) } }
      }
    }
    #expect(await eventually { live.events.state == .live })
    // Everything that the gateway sends from now on stays in the buffer.
    live.gateway.state.withLock { $0.streams = [:] }
    let id = live.gateway.emit("post:1")
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(1))
        return live.events.pause?.reason.contains("buffering") == true
      })
    #expect(
      await eventually {
        live.clock.advance(by: .milliseconds(100))
        return read.withLock { $0 } == [id]
      })
    subscription.cancel()
    reading.cancel()
  }

  /// An nginx configured with only `proxy_pass` holds back even the head of the response.
  @Test func aStreamThatIsNotAnsweredIsExplainedAndEventsAreListed() async throws {
    let gateway = ScriptedEvents { number, request in
      request.after == "1:0" && number > 3
        ? ScriptedEvents.page(#"{"events":[{"id":"1:1","type":"x"}],"next_after":"1:1","is_complete":true}"#)
        : ScriptedEvents.page(
          #"{"next_after":"\#(request.after.isEmpty ? "1:0" : request.after)","is_complete":true}"#)
    } stream: { _ in
      ScriptedEvents.events("", isOpen: true)
    }
    gateway.hangsBeforeHead.withLock { $0 = true }
    let clock = ManualClock()
    let events = EventService(client: try .test(gateway, clock: clock, random: { 0 }))
    let subscription = events.subscribe(topics: [.post("1")])
    let reading = Task {
      for try await update in subscription {
        if case .event(let event) = update { return event.id }
      }
      return ""
    }
    #expect(
      await eventually {
        clock.advance(by: .seconds(1))
        return events.pause?.reason.contains("buffering") == true
      })
    let hasEnded = Locked(false)
    let watching = Task {
      let id = try await reading.value
      hasEnded.withLock { $0 = true }
      return id
    }
    #expect(
      await eventually {
        clock.advance(by: .seconds(1))
        return hasEnded.withLock { $0 }
      })
    #expect(try await watching.value == "1:1")
    subscription.cancel()
  }

  @Test func aStreamWithHeartbeatsIsNotSuspected() async throws {
    let live = Live(waitsBriefly: false)
    let subscription = live.events.subscribe(topics: [.post("1")])
    try await subscription.begin()
    #expect(await eventually { live.events.state == .live })
    live.gateway.state.withLock { $0.streams = [:] }
    #expect(
      await eventually {
        live.clock.advance(by: .seconds(1))
        return live.events.pause != nil
      })
    #expect(live.events.pause?.reason == "no sign of life for 40 s")
    subscription.cancel()
  }
}

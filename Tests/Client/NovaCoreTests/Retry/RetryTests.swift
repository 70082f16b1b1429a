import NovaCore
import NovaEvents
import NovaGraph
import NovaMedia
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// What is tried again and what is not, and when, on a clock that goes by itself.
@Suite struct RetryTests {
  private let clock = ManualClock(autoAdvances: true)

  private func client(
    _ transport: any HTTPTransport, resilience: Resilience = Resilience(),
    overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) throws -> APIClient {
    try .test(transport, overrides: overrides, resilience: resilience, clock: clock)
  }

  /// Calls an RPC of this effect.
  private func call(
    _ client: APIClient, _ effect: RPCEffect, options: CallOptions = CallOptions()
  ) async throws {
    switch effect {
    case .noSideEffects:
      _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: options)
    case .idempotent:
      _ = try await client.call(
        GraphRPC.createFollow, CreateFollowRequest(followerId: "a", followeeId: "b"), options: options)
    case .notIdempotent:
      _ = try await client.call(
        SocialRPC.createShare, CreateShareRequest(userId: "a", postId: "b", shareType: "dm"), options: options)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var failure: Result<HTTPResponse, TransportError>
    var isTransient: Bool
    var testDescription: String

    static func status(_ status: Int, _ body: String = "", transient: Bool) -> Case {
      Case(
        failure: .success(HTTPResponse(status: status, body: Array(body.utf8))), isTransient: transient,
        testDescription: "\(status) \(body)")
    }

    static func network(_ kind: TransportError.Kind, left: Bool = true, transient: Bool) -> Case {
      Case(
        failure: .failure(TransportError(kind, "test", requestMayHaveLeft: left)), isTransient: transient,
        testDescription: "\(kind) \(left ? "" : "(nothing left)")")
    }

    var mayHaveLeft: Bool {
      switch failure {
      case .failure(let error): error.requestMayHaveLeft
      // The server has not processed these.
      case .success(let response): ![421, 425, 530].contains(response.status)
      }
    }
  }

  static let cases: [Case] =
    [408, 421, 425, 429, 500, 502, 503, 504, 520, 522, 524, 530].map { .status($0, transient: true) }
    + [400, 401, 403, 404, 405, 409, 412, 413, 422, 499, 501, 505].map { .status($0, transient: false) }
    + [
      .status(400, #"{"code":14,"message":"m"}"#, transient: true),
      .status(400, #"{"code":8,"message":"m"}"#, transient: true),
      .status(409, #"{"code":10,"message":"m"}"#, transient: true),
      .status(409, #"{"code":6,"message":"m"}"#, transient: false),
      .status(200, "<html>", transient: false),
    ]
    + [.connectionRefused, .connectionFailed, .nameResolution, .connectTimeout].map {
      .network($0, left: false, transient: true)
    }
    + [.connectionLost, .idleTimeout, .totalTimeout].map { .network($0, transient: true) }
    + [.tls, .invalidURL, .invalidHeader, .malformedResponse, .responseTooLarge, .redirectRefused, .shutDown].map {
      .network($0, left: false, transient: false)
    }

  @Test(arguments: cases)
  func onlyWhatMayPassAndCannotDoHarmIsTriedAgain(_ test: Case) async throws {
    for effect in [RPCEffect.noSideEffects, .idempotent, .notIdempotent] {
      for keys in [false, true] {
        let transport = RecordingTransport { _, _ in try test.failure.get() }
        let client = try client(
          transport, resilience: Resilience(breaker: nil),
          overrides: ConfigurationOverrides(recognizesIdempotencyKeys: keys))
        let error = await apiError { try await call(client, effect) }
        let retries = test.isTransient && (effect != .notIdempotent || keys || !test.mayHaveLeft)
        #expect(transport.requests.count == (retries ? 3 : 1), "\(effect), keys: \(keys)")
        #expect(error?.attempts.count == transport.requests.count)
        let isStopped = if case .stop = error?.attempts.last?.consequence { true } else { false }
        #expect(isStopped)
      }
    }
  }

  @Test func theSameCallGoesOutAgainWithLessTime() async throws {
    let transport = RecordingTransport { number, _ in
      HTTPResponse(status: number < 2 ? 503 : 200, body: Array(#"{"success":true}"#.utf8))
    }
    try await call(try client(transport), .idempotent, options: CallOptions(timeout: .seconds(20)))
    let requests = transport.requests
    #expect(requests.map { $0.headers["X-Request-ID"] } == Array(repeating: "test-request", count: 3))
    #expect(requests.map { $0.headers["Idempotency-Key"] } == Array(repeating: "test-request", count: 3))
    #expect(requests.map(\.body) == Array(repeating: requests[0].body, count: 3))
    // Half of 2 s, then half of 4 s.
    #expect(requests.map { $0.headers["Grpc-Timeout"] } == ["20000m", "19000m", "17000m"])
    #expect(requests.map(\.limits.totalTimeout) == [.seconds(20), .seconds(19), .seconds(17)])
  }

  @Test(arguments: [
    ("0", 0), ("7", 7), ("Mon, 01 Dec 2025 10:00:05 GMT", 5), ("Monday, 01-Dec-25 10:00:05 GMT", 5),
    ("Mon Dec  1 10:00:05 2025", 5), ("Mon, 01 Dec 2025 09:00:00 GMT", 0), ("soon", 1), ("-5", 1), ("1.5", 1),
    ("", 1),
  ])
  func theServerDecidesHowLongToWait(_ text: String, seconds: Int) async throws {
    let transport = RecordingTransport { number, _ in
      HTTPResponse(
        status: number == 0 ? 429 : 200, headers: ["Retry-After": text], body: Array(#"{"is_muted":true}"#.utf8))
    }
    try await call(try client(transport), .noSideEffects)
    // Not at once, whatever the server says.
    #expect(clock.elapsed == .seconds(seconds) || seconds == 0 && clock.elapsed > .milliseconds(70))
  }

  @Test func aDateIsMeasuredByTheServersOwnClock() async throws {
    let transport = RecordingTransport { number, _ in
      HTTPResponse(
        status: number == 0 ? 503 : 200,
        headers: ["Retry-After": "Fri, 01 Jan 2027 00:00:09 GMT", "Date": "Fri, 01 Jan 2027 00:00:00 GMT"],
        body: Array("{}".utf8))
    }
    try await call(try client(transport), .noSideEffects)
    #expect(clock.elapsed == .seconds(9))
  }

  @Test(arguments: ["3600", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func nobodyWaitsLongerThanTheCallMayTake(_ retryAfter: String) async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 503, headers: ["Retry-After": retryAfter]) }
    let client = try client(transport)
    let error = await apiError { try await call(client, .noSideEffects) }
    #expect(error?.code == .unavailable && clock.elapsed == .zero && transport.requests.count == 1)
    guard case .stop(let reason) = error?.attempts.first?.consequence else {
      Issue.record("\(String(describing: error?.attempts))")
      return
    }
    #expect(reason.description.contains("after the call's deadline"))
  }

  @Test func theDeadlineEndsTheCallWhateverIsLeftToTry() async throws {
    let transport = RecordingTransport { [clock] _, request in
      // A server that hangs until the attempt's time is up.
      try await clock.sleep(for: request.limits.totalTimeout)
      throw TransportError(.totalTimeout, "test", requestMayHaveLeft: true)
    }
    var policy = RetryPolicy.standard(attempts: 10, delay: .seconds(1))
    policy.attemptTimeout = .seconds(4)
    let client = try client(transport)
    let deadline = clock.now.advanced(by: .seconds(10))
    let error = await apiError {
      try await call(client, .noSideEffects, options: CallOptions(deadline: deadline, retry: policy))
    }
    #expect(error?.code == .timeout && clock.now <= deadline)
    // 4 s, 0.5 s, 4 s, 1 s, and half a second for the last.
    #expect(transport.requests.map(\.limits.totalTimeout) == [.seconds(4), .seconds(4), .milliseconds(500)])
    #expect(error?.duration == .seconds(10))
  }

  @Test func theTimeOfAnAttemptDoesNotBoundAStream() async throws {
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"])
    }
    // A clock that goes by itself would reach the time for acceptance at once.
    let client = try APIClient.test(transport, clock: ManualClock())
    let policy = RetryPolicy(rules: [], attemptTimeout: .seconds(4))
    _ = try await client.stream(
      EventRPC.streamEvents, StreamEventsRequest(topics: ["me"]), options: CallOptions(retry: policy))
    #expect(transport.requests.map(\.limits.totalTimeout).allSatisfy { $0 > .seconds(1_000_000) })
    #expect(transport.requests.count == 1)
  }

  @Test func theTimeOfAnAttemptBoundsTheWaitForAStream() async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { number, _ in
      // The first attempt is never accepted.
      if number == 0 { try await Task.sleep(for: .seconds(3600)) }
      return HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"])
    }
    let client = try APIClient.test(transport, clock: clock)
    let policy = RetryPolicy(rules: [.attempts(2)], backoff: Backoff(base: .zero), attemptTimeout: .seconds(4))
    let opened = Task {
      try await client.stream(
        EventRPC.streamEvents, StreamEventsRequest(topics: ["me"]), options: CallOptions(retry: policy))
    }
    // One sleeper is the time for acceptance by any attempt, the other that of the attempt.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(4))
    _ = try await opened.value
    #expect(transport.requests.count == 2)
  }

  @Test func aDeadlineThatHasPassedSendsNothing() async throws {
    let transport = RecordingTransport("{}")
    let client = try client(transport)
    let options = CallOptions(deadline: clock.now.advanced(by: .seconds(-1)))
    let error = await apiError { try await call(client, .noSideEffects, options: options) }
    #expect(error?.code == .timeout && transport.requests.isEmpty)
  }

  @Test func aFailureInsideASuccessfulAnswerIsTriedAgain() async throws {
    let transport = RecordingTransport { number, _ in
      let body = number == 0 ? #"{"error":{"code":"UNAVAILABLE","message":"m"}}"# : #"{"videos":[]}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let client = try client(transport)
    let response = try await client.respond(MediaRPC.getUserVideos, GetUserVideosRequest(userId: "u"))
    #expect(response.attempts.count == 2 && response.attempts.first?.grpcStatus == .unavailable)
  }

  @Test func cancellationEndsTheWaitAndIsNotTriedAgain() async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 503) }
    let client = try APIClient.test(transport, resilience: Resilience(), clock: clock)
    let task = Task { await apiError { try await call(client, .noSideEffects) } }
    await clock.waitForSleepers(1)
    task.cancel()
    let error = await task.value
    #expect(error?.code == .cancelled && transport.requests.count == 1 && clock.sleeperCount == 0)
    #expect(error?.attempts.last?.consequence == .stop(reason: .cancelled))
  }

  @Test func aCancelledAttemptIsTheLast() async throws {
    let transport = RecordingTransport { _, _ in throw CancellationError() }
    let client = try client(transport)
    let error = await apiError { try await call(client, .noSideEffects) }
    #expect(error?.code == .cancelled && transport.requests.count == 1)
  }

  @Test func rulesOfOnesOwnCanObject() async throws {
    struct OnlyRefusals: RetryRule {
      func objection(to failure: FailedAttempt) -> StopReason? {
        failure.error.transport?.kind == .connectionRefused ? nil : .custom("not refused")
      }
    }
    let transport = RecordingTransport { number, _ in
      throw TransportError(number < 3 ? .connectionRefused : .connectionLost, "test", requestMayHaveLeft: false)
    }
    let policy = RetryPolicy.standard(attempts: 10).adding(OnlyRefusals())
    let client = try client(transport)
    let error = await apiError { try await call(client, .noSideEffects, options: CallOptions(retry: policy)) }
    #expect(transport.requests.count == 4)
    #expect(error?.attempts.last?.consequence == .stop(reason: .custom("not refused")))
  }

  @Test func elapsedTimeCanBeTheLimit() async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 503) }
    let policy = RetryPolicy(
      rules: [.transientOnly, .elapsed(.seconds(5))], backoff: Backoff(base: .seconds(2), factor: 1))
    let client = try client(transport)
    _ = await apiError { try await call(client, .noSideEffects, options: CallOptions(retry: policy)) }
    #expect(transport.requests.count == 6)
  }
}

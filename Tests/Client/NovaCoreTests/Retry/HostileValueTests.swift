import NovaGraph
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// Numbers that nobody should give, and answers that nobody should send: a call ends with an answer or an error, in its
/// time, and the program continues.
@Suite struct HostileValueTests {
  private let clock = ManualClock(autoAdvances: true)
  private let request = IsMutedRequest(muterId: "a", muteeId: "b")

  private static let forEver = Duration.seconds(Int64.max)

  private func answering(_ status: Int, _ body: String = "{}") -> RecordingTransport {
    RecordingTransport { _, _ in
      HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
  }

  @Test(arguments: [Duration.zero, .nanoseconds(-1), .seconds(-5), .seconds(Int64.min)])
  func withoutTimeNothingIsSent(timeout: Duration) async throws {
    let transport = answering(200)
    let client = try APIClient.test(transport, resilience: Resilience(), clock: clock)
    let deadline = clock.now.advanced(by: timeout)
    for options in [CallOptions(timeout: timeout), CallOptions(deadline: deadline)] {
      let error = await apiError { try await client.call(GraphRPC.isMuted, request, options: options) }
      #expect(error?.code == .timeout && transport.requests.isEmpty)
    }
  }

  @Test func noCallHasMoreThanTheLimitOfTime() async throws {
    let transport = answering(200)
    let client = try APIClient.test(transport, resilience: Resilience(), clock: clock)
    for options in [
      CallOptions(timeout: Self.forEver), CallOptions(timeout: Self.forEver, deadline: clock.now + Self.forEver),
    ] {
      _ = try await client.call(GraphRPC.isMuted, request, options: options)
    }
    #expect(transport.requests.map(\.limits.totalTimeout) == [.seconds(300), .seconds(300)])
  }

  @Test(arguments: [0.0, -1, 2, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func anyBackoffGivesAWaitThatClocksCanTake(factor: Double) {
    for base in [.zero, .seconds(-1), .nanoseconds(1), .seconds(1), Self.forEver] {
      for maximum in [.zero, .seconds(-1), .seconds(1), Self.forEver] {
        var backoff = Backoff(base: base, factor: factor, maximum: maximum)
        for _ in 0..<2 {
          for attempt in [.min, 0, 1, 2, 70, 10_000] {
            let wait = backoff.wait(after: attempt, random: 0.999)
            #expect(wait >= .zero && wait <= max(.zero, maximum), "\(backoff) after \(attempt)")
          }
          // Once more, past what the initializer put right.
          (backoff.base, backoff.factor, backoff.maximum) = (base, factor, maximum)
        }
      }
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 2])
  func anyBudgetIsOne(ratio: Double) {
    for reserve in [Int.min, -1, 0, 1, .max] {
      let budget = RetryBudget(ratio: ratio, reserve: reserve)
      for _ in 0..<3 { budget.earn() }
      #expect(reserve > 0 || !budget.spend())
    }
  }

  @Test func aPolicyWithoutLimitsDoesNotSpin() async throws {
    let transport = RecordingTransport { _, _ in
      throw TransportError(.connectionRefused, "test", requestMayHaveLeft: false)
    }
    let client = try APIClient.test(transport, resilience: Resilience(budget: nil), clock: clock)
    let error = await apiError {
      try await client.call(
        GraphRPC.isMuted, request,
        options: CallOptions(
          timeout: .seconds(10), retry: RetryPolicy(rules: [], backoff: Backoff(base: .zero), attemptTimeout: .zero)))
    }
    #expect(error?.code == .unavailable || error?.code == .networkError, "\(String(describing: error))")
    // Ten at once, then ten a second.
    #expect((100...111).contains(error?.attempts.count ?? 0))
    #expect(clock.elapsed <= .seconds(10))
  }

  @Test func anAttemptHasAtLeastAMillisecond() async throws {
    for time in [Duration.zero, .seconds(-1), Self.forEver] {
      let transport = answering(200)
      let client = try APIClient.test(transport, clock: clock)
      let policy = RetryPolicy(rules: [], attemptTimeout: time)
      _ = try await client.call(
        GraphRPC.isMuted, request, options: CallOptions(timeout: .seconds(10), retry: policy))
      #expect(transport.requests.map(\.limits.totalTimeout) == [time == Self.forEver ? .seconds(10) : .milliseconds(1)])
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1])
  func thereIsAlwaysOneAttempt(attempts: Int) async throws {
    let transport = answering(503)
    let client = try APIClient.test(
      transport, resilience: Resilience(retry: .standard(attempts: attempts)), clock: clock)
    #expect(await apiError { try await client.call(GraphRPC.isMuted, request) }?.code == .unavailable)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [Int.min, -1, 0, 99, 100, 199, 300, 399, 600, 999, .max])
  func aStatusThatIsNoneIsAnError(status: Int) async throws {
    let transport = answering(status)
    let client = try APIClient.test(transport, resilience: Resilience(), clock: clock)
    let error = await apiError { try await client.call(GraphRPC.isMuted, request) }
    #expect(error?.httpStatus == status && error?.report?.description.isEmpty == false)
    #expect(transport.requests.count == 1)
  }

  @Test func aClientCanWaitForEverAtItsEnd() async throws {
    let (arrived, release) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let transport = RecordingTransport { _, _ in
      arrived.continuation.yield()
      for await _ in release.stream {}
      return HTTPResponse(status: 200, body: Array("{}".utf8))
    }
    let client = try APIClient.test(transport, clock: ContinuousClock())
    let call = Task { try await client.call(GraphRPC.isMuted, request) }
    var arrivals = arrived.stream.makeAsyncIterator()
    await arrivals.next()
    async let first: Void = client.shutdown(grace: Self.forEver)
    async let second: Void = client.shutdown(grace: Self.forEver)
    release.continuation.finish()
    _ = await (first, second)
    _ = try await call.value
  }

  @Test func whatIsNotKnownMayHaveBeenSent() async throws {
    struct Odd: Error {}
    struct AfterSending: Middleware {
      func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
        _ = try await next(request)
        throw APIError(.invalidResponse, "signature does not match")
      }
    }
    let policy = RetryPolicy(rules: [.effectAware, .attempts(3)])
    let share = CreateShareRequest(userId: "a", postId: "b", shareType: "dm")
    let odd = RecordingTransport { _, _ in throw Odd() }
    let client = try APIClient.test(odd, resilience: Resilience(retry: policy), clock: clock)
    #expect(await apiError { try await client.call(SocialRPC.createShare, share) }?.code == .networkError)
    #expect(odd.requests.count == 1)
    let fine = answering(200)
    let strict = try APIClient.test(
      fine, middlewares: [AfterSending()], resilience: Resilience(retry: policy), clock: clock)
    #expect(await apiError { try await strict.call(SocialRPC.createShare, share) }?.code == .invalidResponse)
    #expect(fine.requests.count == 1)
  }
}

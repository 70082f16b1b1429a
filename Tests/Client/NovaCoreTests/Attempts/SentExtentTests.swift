import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// An error claims that nothing was sent only if no server saw a byte of the call. Real sockets, one table.
@Suite(.hangLimit) struct SentExtentTests {
  /// What a server does with the first request; what becomes of the call then.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The steps of the server; nil for a port that refuses.
    var steps: [FaultServer.Step]? = []
    var options = CallOptions()
    var breaker: CircuitBreaker?
    var tokens: Tokens?
    var middlewares: [any Middleware] = []
    var code: APIError.Code
    /// Whether the error is to claim that nothing, or nothing more, was sent.
    var claims = true
  }

  /// A token that is refused, in whose place none ever comes; or none that ever comes.
  struct Tokens: TokenProvider {
    var hangsAtOnce = false

    func accessToken() async throws -> AccessToken? {
      if hangsAtOnce { try await Task.sleep(for: .seconds(3600)) }
      return try AccessToken(Canary.access(1))
    }

    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
  }

  /// Spoils the second attempt's headers.
  private struct LateSpoiler: Middleware {
    func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
      var request = request
      if context.attempt > 1 { request.headers["X-Bad"] = "a\r\nb" }
      return try await next(request)
    }
  }

  static let cases = [
    Case(testDescription: "no time at all", options: CallOptions(timeout: .zero), code: .timeout),
    Case(
      testDescription: "time is up while a token is waited for", options: CallOptions(timeout: .milliseconds(30)),
      tokens: Tokens(hangsAtOnce: true), code: .timeout),
    Case(
      testDescription: "time is up while a token is replaced", steps: [.fault(.unauthorized)],
      options: CallOptions(timeout: .milliseconds(500)), tokens: Tokens(), code: .timeout),
    Case(testDescription: "bad header", options: CallOptions(headers: ["X-Bad": "a\r\nb"]), code: .invalidArgument),
    Case(
      testDescription: "bad header in the second attempt", steps: [.fault(.serviceUnavailable)],
      middlewares: [LateSpoiler()], code: .invalidArgument),
    Case(
      testDescription: "the breaker opens after the first attempt", steps: [.fault(.resetBeforeHeaders)],
      breaker: CircuitBreaker(failureLimit: 1, pause: .seconds(3600)), code: .unavailable),
    Case(testDescription: "refused", steps: nil, code: .networkError, claims: false),
    Case(
      testDescription: "cut", steps: [.fault(.resetBeforeHeaders), .fault(.resetBeforeHeaders)], code: .networkError,
      claims: false),
    Case(
      testDescription: "silence", steps: [.fault(.hangBeforeHeaders)],
      options: CallOptions(timeout: .milliseconds(300)),
      code: .timeout, claims: false),
  ]

  private static let nothing = ["nothing was sent", "nothing of the call was sent"]
  private static let noMore = [
    "nothing more was sent", "nothing more of the call was sent", "before it was sent again",
  ]

  @Test(arguments: cases) func isTrue(of test: Case) async throws {
    let closed = try ClosedPort()
    let server = try FaultServer(test.steps ?? [], then: .lastRepeats)
    defer { server.stop() }
    let transport = CurlTransport()
    let client = try APIClient.test(
      transport, baseURL: test.steps == nil ? closed.url : server.url, tokens: test.tokens,
      middlewares: test.middlewares,
      resilience: Resilience(
        retry: .standard(attempts: 2, delay: .milliseconds(1)), budget: nil, breaker: test.breaker),
      clock: ContinuousClock())
    let error = await apiError {
      try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: test.options)
    }
    await transport.shutdown()
    withExtendedLifetime(closed) {}
    let message = try #require(error?.message)
    let wasSent = server.requestCount > 0
    #expect(error?.code == test.code, "\(message)")
    let claimsNothing = Self.nothing.contains { message.contains($0) } || message.hasSuffix("before it was sent")
    let claimsNoMore = Self.noMore.contains { message.contains($0) }
    #expect(error?.sent == (claimsNothing ? .nothing : claimsNoMore ? .nothingMore : .maybe), "\(message)")
    #expect(error?.transport.map { $0.message == message } ?? true, "\(message)")
    #expect((claimsNothing || claimsNoMore) == test.claims, "\(message)")
    #expect(!(claimsNothing && wasSent), "\(message), but the server saw \(server.requestCount) requests")
    #expect(!(claimsNoMore && !wasSent), "\(message)")
    if wasSent { #expect(error?.transport?.requestMayHaveLeft != false, "\(message)") }
  }

  @Test func theLastAttemptDoesNotSpeakForTheFirst() async throws {
    let transport = RecordingTransport { number, _ in
      throw TransportError(number == 0 ? .connectionLost : .connectionRefused, "x", requestMayHaveLeft: number == 0)
    }
    let client = try APIClient.test(transport, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.transport?.kind == .connectionRefused && error?.transport?.requestMayHaveLeft == true)
  }
}

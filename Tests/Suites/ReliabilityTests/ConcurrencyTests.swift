@testable import NovaCore
import NovaAuth
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

/// Ten thousand calls at once, while tokens expire, servers fail, callers give up and the client is shut down.
@Suite(.hangLimit) struct ConcurrencyTests {
  /// Fewer under the thread sanitizer, where ten thousand take so long that tests beside them run out of time.
  static let count = Sanitizer.watchesThreads ? 2000 : 10_000

  // MARK: Over real connections

  /// Mostly well, with a fault here and there.
  private static func steps(using random: inout SeededGenerator) -> [FaultServer.Step] {
    let faults: [Fault] = [
      .serviceUnavailable, .resetBeforeHeaders, .closeBeforeHeaders, .resetMidBody, .truncatedBody, .badGateway,
      .rateLimitedZero, .resetOnConnect,
    ]
    return (0..<count + count / 2).map { _ in
      guard random.one(in: 40), let fault = faults.randomElement(using: &random) else { return .healthy }
      return .fault(fault)
    }
  }

  @Test func aStormOverRealConnections() async throws {
    var random = SeededGenerator(seed: 20_251)
    let gateway = ConcurrencyGateway(uses: [80, 24, 2, 2].map { $0 * Self.count / 100 })
    let server = try FaultServer(Self.steps(using: &random), handler: gateway.answer)
    defer { server.stop() }
    // The second refresh is done, and its answer is lost.
    let authServer = try FaultServer([.healthy, .fault(.resetBeforeHeaders)], handler: gateway.answer)
    defer { authServer.stop() }
    let transport = CurlTransport()
    let sessions = try SessionManager.signedIn(
      at: gateway, .test(transport, baseURL: authServer.url, clock: ContinuousClock()))
    let counter = CallCounter()
    let calls = ConcurrencyCalls(
      client: try Self.client(
        of: server.url, over: transport, sessions: sessions, counter: counter,
        breaker: CircuitBreaker(pause: .milliseconds(10))))

    var plans = (0..<Self.count).map { _ in ConcurrencyCalls.Plan(using: &random) }
    let failures = await Self.make(plans, calls, atOnce: plans.count)
    #expect(gateway.counts.expiries == 1 && gateway.counts.refreshes == 1)
    #expect(!failures.contains { $0.code == .unauthorized })

    // As many at once as there are connections: a token that is sent is then a fresh one.
    plans = (0..<Self.count / 5).map { _ in ConcurrencyCalls.Plan(using: &random) }
    for error in await Self.make(plans, calls, atOnce: 64) where error.code == .unauthorized {
      #expect(error.attempts.filter { $0.httpStatus == 401 }.count == 2, "\(error)")
    }
    try await Self.expectHealth(of: server.url, over: transport, sessions: sessions)
    #expect(gateway.counts.expiries >= 3 && gateway.counts.refreshes == gateway.counts.expiries)
    #expect(gateway.counts.needless == 0 && gateway.counts.reused == 0)
    #expect(authServer.duplicateExecutions.isEmpty)

    try await Self.expectShutdown(of: calls, plans.prefix(300))
    #expect(!server.duplicateExecutions.contains { $0.path.hasSuffix("/share") })
    #expect(counter.begun == counter.ended)
  }

  @Test func aHostThatComesBackIsCalledAgain() async throws {
    var random = SeededGenerator(seed: 20_254)
    let gateway = ConcurrencyGateway()
    let dead = Array(repeating: FaultServer.Step.fault(.serviceUnavailable), count: 100)
    let server = try FaultServer(dead, handler: gateway.answer)
    defer { server.stop() }
    let transport = CurlTransport()
    let sessions = try SessionManager.signedIn(at: gateway, .test(transport, baseURL: server.url))
    let breaker = CircuitBreaker(pause: .milliseconds(1))
    let calls = ConcurrencyCalls(
      client: try Self.client(
        of: server.url, over: transport, sessions: sessions, counter: CallCounter(), breaker: breaker))

    let plans = (0..<Self.count / 10).map { _ in ConcurrencyCalls.Plan(using: &random) }
    let failures = await Self.make(plans, calls, atOnce: 64)
    #expect(failures.contains { $0.transport?.kind == .circuitOpen })
    try await Self.expectHealth(of: server.url, over: transport, sessions: sessions)
    // Whatever came last: when the pause is over, a request is let through.
    let later = ContinuousClock().moment.advanced(by: breaker.pause)
    let admission = breaker.admit(server.url, at: later)
    if case .refused = admission { Issue.record("shut for good") }
    breaker.ended(server.url, admission, at: ContinuousClock().moment)
    _ = try await calls.make(.read)
    try await Self.expectShutdown(of: calls, plans.prefix(100))
    #expect(!server.duplicateExecutions.contains { $0.path.hasSuffix("/share") })
  }

  private static func client(
    of url: String, over transport: any HTTPTransport, sessions: SessionManager, counter: CallCounter,
    breaker: CircuitBreaker
  ) throws -> APIClient {
    let longest = Duration.seconds(300)
    return try .test(
      transport, baseURL: url,
      overrides: ConfigurationOverrides(
        timeout: longest, limits: TransferLimits(connectTimeout: longest, idleTimeout: longest, totalTimeout: longest)),
      tokens: sessions, observer: counter,
      resilience: Resilience(retry: .standard(attempts: 3, delay: .milliseconds(1)), breaker: breaker),
      clock: ContinuousClock())
  }

  /// Makes all calls, some at a time; the errors of those that failed.
  private static func make(
    _ plans: [ConcurrencyCalls.Plan], _ calls: ConcurrencyCalls, atOnce limit: Int
  ) async -> [APIError] {
    await withTaskGroup(of: APIError?.self) { group in
      var failures: [APIError] = []
      for (index, plan) in plans.enumerated() {
        if index >= limit, let failure = await group.next() ?? nil { failures.append(failure) }
        group.addTask { await calls.outcome(of: plan) }
      }
      for await case let failure? in group { failures.append(failure) }
      return failures
    }
  }

  /// Once the server's last faults are over, calls succeed, with a token that is good.
  private static func expectHealth(
    of url: String, over transport: CurlTransport, sessions: SessionManager
  ) async throws {
    let calls = ConcurrencyCalls(client: try .test(transport, baseURL: url, tokens: sessions, clock: ContinuousClock()))
    for _ in 0..<count {
      do { return try await calls.make(.read) } catch is APIError {}
    }
    Issue.record("no call succeeds")
  }

  private static func expectShutdown(
    of calls: ConcurrencyCalls, _ plans: ArraySlice<ConcurrencyCalls.Plan>
  ) async throws {
    await withTaskGroup(of: Void.self) { group in
      for plan in plans {
        group.addTask {
          do { try await calls.make(plan.kind) } catch {
            #expect((error as? APIError)?.report != nil, "\(error)")
          }
        }
      }
      // An hour: it returns when the last call has left, or the test never ends.
      group.addTask { await calls.client.shutdown(grace: .seconds(3600)) }
    }
    let error = await apiError { try await calls.make(.read) }
    #expect(error?.transport?.kind == .shutDown && error?.report != nil)
  }
}

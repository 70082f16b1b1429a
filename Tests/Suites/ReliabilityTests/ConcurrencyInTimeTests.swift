import NovaAuth
import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

/// Ten thousand callers in memory, while half an hour passes and tokens live for a minute.
extension ConcurrencyTests {
  @Test func aStormWhileHoursPass() async throws {
    var random = SeededGenerator(seed: 20_252)
    let clock = ManualClock()
    let gateway = ConcurrencyGateway(uses: Array(repeating: Self.count / 14, count: 10), lifetime: 60, clock: clock)
    let faults = Locked(SeededGenerator(seed: 20_253))
    let transport = RecordingTransport { _, request in
      await Task.yield()
      let isCalm = request.url.text.hasSuffix("refresh") || request.url.text.hasSuffix("is-blocked")
      if !isCalm, faults.withLock({ $0.one(in: 40) }) { return HTTPResponse(status: 503) }
      return gateway.answer(request)
    }
    let sessions = try SessionManager.signedIn(at: gateway, .test(transport, clock: clock), clock: clock)
    let counter = CallCounter()
    let calls = ConcurrencyCalls(
      client: try .test(
        transport, tokens: sessions, observer: counter,
        resilience: Resilience(retry: .standard(attempts: 3, delay: .seconds(2))), clock: clock))
    // Who calls while no time passes must succeed, whatever the others do.
    let calm = try APIClient.test(transport, tokens: sessions, clock: clock)

    let waves = 40
    var certain = 0
    let isDone = Locked(false)
    let failures = try await withThrowingTaskGroup(of: APIError?.self) { group in
      for wave in 1...waves {
        for _ in 0..<(Self.count / waves) {
          let plan = ConcurrencyCalls.Plan(using: &random)
          group.addTask { await calls.outcome(of: plan) }
        }
        _ = try await calm.call(GraphRPC.isBlocked, IsBlockedRequest(blockerId: "a", blockedId: "b"))
        let pause = Int.random(in: 5...90, using: &random)
        if pause >= 60, wave < waves { certain += 1 }
        clock.advance(by: .seconds(pause))
      }
      // Lets those continue who wait to try again.
      let driver = Task {
        while true {
          await clock.waitForSleepers()
          if isDone.withLock({ $0 }) { return }
          clock.advance(by: .seconds(1))
          await Task.yield()
        }
      }
      let failures = try await group.reduce(into: [APIError]()) { if let error = $1 { $0.append(error) } }
      isDone.withLock { $0 = true }
      let last = Task { try? await clock.sleep(until: clock.now.advanced(by: .seconds(3600))) }
      await driver.value
      last.cancel()
      await last.value
      return failures
    }
    let expected: Set<APIError.Code> = [.cancelled, .unauthorized, .unavailable, .timeout]
    for error in failures { #expect(expected.contains(error.code), "\(error)") }
    for error in failures where error.code == .unauthorized {
      #expect(error.attempts.filter { $0.httpStatus == 401 }.count == 2, "\(error)")
    }
    await sessions.waitForRefresh()
    let counts = gateway.counts
    #expect(counts.needless == 0 && counts.reused == 0 && counts.refreshes >= certain, "\(counts)")
    #expect(counter.begun == Self.count && counter.ended == Self.count)
    await calls.client.shutdown(grace: .seconds(1))
    #expect(clock.sleeperCount == 0)
  }
}

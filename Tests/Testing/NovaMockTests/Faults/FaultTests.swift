import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct FaultTests {
  private static let like = CreateLikeRequest(userId: "u", postId: "post-1")

  /// What happens to each of so many requests: the status, or the failure's kind, and the time it took.
  private func outcomes(_ rules: [String], seed: UInt64 = 1, count: Int) async throws -> [String] {
    let clock = ManualClock(autoAdvances: true)
    let backend = MockBackend(dataSet: .empty, faults: try Faults(rules, seed: seed), now: { 0 })
    var outcomes: [String] = []
    for _ in 0..<count {
      let before = clock.elapsed
      let request = HTTPRequest(
        method: .post, url: "/api/v1/graph/is-muted", body: Array(#"{"muter_id":"a","mutee_id":"b"}"#.utf8))
      var outcome: String
      do {
        outcome = String(try await backend.answer(request, clock: clock).status)
      } catch let error as TransportError {
        outcome = error.kind.rawValue
      }
      if clock.elapsed > before { outcome += " after \(clock.elapsed - before)" }
      outcomes.append(outcome)
    }
    return outcomes
  }

  @Test(arguments: [
    (["503x2"], ["503", "503", "200", "200"]), (["503,502,200,500"], ["503", "502", "200", "500", "200"]),
    (["graph=404x1", "503x1"], ["404", "503", "200"]), (["social=503"], ["200"]),
    (["graph.IsMuted=drop"], ["connectionLost"]),
    (["hang"], ["idleTimeout after 30.0 seconds"]), (["latency 50ms"], ["200 after 0.05 seconds"]),
    (["latency 1s", "latency 2s", "503"], ["503 after 3.0 seconds"]), (["503@0"], ["200", "200"]),
    (["throttle 2/h"], ["200", "200", "429", "429"]), (["drop afterx1"], ["connectionLost", "200"]),
  ])
  func rulesDoWhatTheySay(_ rules: [String], _ expected: [String]) async throws {
    #expect(try await outcomes(rules, count: expected.count) == expected)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func theSameSeedGivesTheSameFaults(_ seed: UInt64) async throws {
    let rules = ["latency 50ms±20@0.5", "latency 10ms~5", "503@0.3", "drop@0.2", "503,429x2,200"]
    let first = try await outcomes(rules, seed: seed, count: 60)
    #expect(try await outcomes(rules, seed: seed, count: 60) == first)
    #expect(try await outcomes(rules, seed: seed + 100, count: 60) != first)
  }

  @Test func errorRatesMatchTheirProbability() async throws {
    let failures = try await outcomes(["503@0.1"], count: 2000).count { $0 == "503" }
    #expect((150...250).contains(failures))
  }

  @Test func retriesGetPastFaultsAndActOnce() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = MockBackend(
      dataSet: .empty, faults: try Faults(["social.CreateComment=drop after,503,429 retry-after 3,200"]))
    _ = backend.respond(
      to: HTTPRequest(
        method: .post, url: "/api/v1/content/post/create", body: Array(#"{"creator_id":"u","content":"x"}"#.utf8)))
    let client = try APIClient.test(
      MockTransport(backend, clock: clock), token: nil, resilience: Resilience(), clock: clock)
    let social = SocialService(client: client)
    let request = CreateCommentRequest(postId: "post-1", userId: "u", content: "hello")
    _ = try? await social.client.call(SocialRPC.createComment, request)
    #expect(backend.counts.comments == 1)
  }

  @Test func cancellingEndsAHangAtOnce() async throws {
    let clock = ManualClock()
    let backend = MockBackend(dataSet: .empty, faults: try Faults(["hang"]))
    let task = Task {
      try await MockTransport(backend, clock: clock).send(HTTPRequest(method: .post, url: "/api/v1/graph/is-muted"))
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(backend.recentRequests().first?.fault == "hang")
  }

  @Test func aRequestCanBringItsOwnFault() async throws {
    let backend = MockBackend(dataSet: .empty, faults: try Faults(["500x1"]))
    var request = HTTPRequest(method: .post, url: "/nowhere", headers: ["Nova-Fault": "429 retry-after 7"])
    let answer = try await backend.answer(request)
    #expect(answer.status == 429 && answer.headers["Retry-After"] == "7")
    request.headers["Nova-Fault"] = "503x2"
    #expect(try await backend.answer(request).status == 400)
    #expect(backend.faults.progress.first?.remaining == 1)
  }
}

import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMock

/// Scenarios that run on a backend, by a clock that the test moves.
@Suite struct ScenarioRunTests {
  private let clock = ManualClock()
  private let backend = MockBackend(dataSet: .guide, clock: .running(from: 1_735_689_600)) { 1_735_689_600 }

  private func run(_ steps: MockScenario.Step..., seed: UInt64? = nil) throws {
    backend.run(try MockScenario(seed: seed, steps: steps), clock: clock)
  }

  private func status(
    _ path: String = "social/likes/count", body: String = #"{"post_id":"post-1"}"#, token: String? = nil
  ) async throws -> Int {
    var headers: HTTPHeaders = [:]
    headers["Authorization"] = token.map { "Bearer \($0)" }
    return try await backend.answer(
      HTTPRequest(method: .post, url: HTTPURL(received: "/api/v1/\(path)"), headers: headers, body: Array(body.utf8)),
      clock: clock
    ).status
  }

  @Test func faultsApplyForTheirTime() async throws {
    try run(
      .faults(["social.*=503"], from: .seconds(120), to: .seconds(240)), .faults(["500"], from: .seconds(600)))
    #expect(try await status() == 200)
    clock.advance(by: .seconds(120))
    #expect(try await status() == 503)
    #expect(try await status("graph/is-muted", body: #"{"muter_id":"a","mutee_id":"b"}"#) == 200)
    clock.advance(by: .seconds(120))
    #expect(try await status() == 200)
    clock.advance(by: .seconds(3600))
    #expect(try await status() == 500)
    let progress = try #require(backend.scenarioProgress)
    #expect(progress.elapsed == .seconds(3840) && progress.steps.map(\.state) == [.done, .running])
    #expect(progress.steps.flatMap(\.faults).map(\.hits) == [1, 1] && !progress.isFinished)
    backend.reset()
    #expect(try await status() == 200)
    #expect(backend.scenarioProgress == nil)
    #expect(backend.restartScenario() && backend.scenarioProgress?.elapsed == .zero)
  }

  @Test func actionsHappenOnceAndInOrder() async throws {
    let position = backend.eventPosition
    try run(.action(.newEpoch, at: .seconds(60)), .action(.setClock(1_700_000_000), at: .seconds(30)))
    #expect(try await status() == 200)
    #expect(backend.eventPosition == position)
    clock.advance(by: .seconds(45))
    #expect(try await status() == 200)
    #expect(backend.currentTime == 1_700_000_000 && backend.eventPosition == position)
    // The jump has not moved the scenario itself.
    #expect(backend.scenarioProgress?.elapsed == .seconds(45))
    clock.advance(by: .seconds(15))
    #expect(backend.scenarioProgress?.isFinished == true)
    let epoch = backend.eventPosition
    #expect(epoch != position)
    clock.advance(by: .seconds(600))
    #expect(try await status() == 200)
    #expect(backend.eventPosition == epoch)
  }

  @Test func itFollowsTheBackendsClock() async throws {
    try run(.faults(["503"], from: .seconds(100), to: .seconds(200)))
    backend.advanceClock(by: .seconds(100))
    #expect(try await status() == 503)
    backend.freezeClock()
    clock.advance(by: .seconds(1000))
    #expect(try await status() == 503)
    backend.advanceClock(by: .seconds(99))
    #expect(try await status() == 503)
    backend.advanceClock(by: .seconds(-3600))
    #expect(backend.scenarioProgress?.elapsed == .seconds(199))
    backend.resumeClock()
    clock.advance(by: .seconds(1))
    #expect(try await status() == 200)
  }

  @Test func everyoneIsSignedOut() async throws {
    let body = #"{"email":"bruce@nova.social","password":"mock-password"}"#
    func logIn() async throws -> LoginResponse {
      let response = try await backend.answer(
        HTTPRequest(method: .post, url: "/api/v1/auth/login", body: Array(body.utf8)), clock: clock)
      return try HTTPTranscoder.response(
        LoginResponse.self, from: response.body.inMemory, AuthRPC.login.descriptor.http)
    }
    let session = try await logIn()
    try run(.action(.signOutAll, at: .seconds(10)))
    #expect(try await status(token: session.token) == 200)
    clock.advance(by: .seconds(10))
    #expect(try await status(token: session.token) == 401)
    let refresh = #"{"refresh_token":"\#(session.refreshToken)"}"#
    #expect(try await status("auth/refresh", body: refresh) == 401)
    #expect(try await status(token: try await logIn().token) == 200)
  }

  @Test func aRateLimitIsOneOfItsFaults() async throws {
    try run(.faults(["throttle 2/m"], from: .zero))
    #expect(try await [status(), status(), status()] == [200, 200, 429])
    clock.advance(by: .seconds(30))
    #expect(try await [status(), status()] == [200, 429])
  }

  // MARK: Chance

  /// The statuses of requests for each post, in the order of the posts, whatever the order of the requests is.
  private func statuses(_ order: [Int], seed: UInt64) async throws -> [[Int]] {
    try run(.faults(["503@30%", "latency 10ms±5"], from: .zero), seed: seed)
    var statuses: [Int: [Int]] = [:]
    for post in order {
      async let answer = status(body: #"{"post_id":"post-\#(post)"}"#)
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(20))
      statuses[post, default: []].append(try await answer)
    }
    return statuses.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test(arguments: [1, 7, 42] as [UInt64]) func chanceDoesNotDependOnTheOrder(_ seed: UInt64) async throws {
    let order = (0..<120).map { $0 % 40 }
    let first = try await statuses(order, seed: seed)
    #expect(try await statuses(order, seed: seed) == first)
    #expect(try await statuses(order.reversed(), seed: seed) == first)
    var generator = SeededGenerator(seed: seed)
    #expect(try await statuses(generator.permutation(120).map { $0 % 40 }, seed: seed) == first)
    #expect(try await statuses(order, seed: seed + 1) != first)
    let failures = first.joined().count { $0 == 503 }
    #expect((15...60).contains(failures), "\(failures) of 120")
  }

  @Test func usersHaveChancesOfTheirOwnButTheirSessionsDoNot() {
    func key(_ user: String, session: Int) -> UInt64 {
      let claims = AccessTokenClaims(
        session: SessionID(user: user, number: session), id: "token-\(session)", email: "", username: user, issuedAt: 1)
      let token = (try? claims.token(SigningKey(seed: 1))) ?? ""
      let request = HTTPRequest(
        method: .post, url: "/api/v1/graph/is-muted", headers: ["Authorization": "Bearer \(token)"], body: [1, 2])
      return RequestKey(IncomingCall(request, clock: clock)).hash
    }
    #expect(key("ann", session: 1) == key("ann", session: 2))
    #expect(key("ann", session: 1) != key("bob", session: 1))
  }

  // MARK: The admin API

  private func send(_ method: HTTPMethod, _ path: String, body: String = "") async -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: path), body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  @Test func theAdminAPIStartsShowsAndStopsIt() async throws {
    let path = "/_nova/scenario"
    #expect(await send(.get, path).json?["scenario"] == .null)
    #expect(await send(.post, path).status == 404)
    let file = #"{"name":"n","steps":[{"from":0,"faults":"social=503"},{"at":"1h","do":"sign out","note":"x"}]}"#
    let started = await send(.put, path, body: file)
    #expect(started.status == 200, "\(started)")
    #expect(try await status() == 503)
    let scenario = await send(.get, path).json?["scenario"]
    #expect(scenario?["name"] == .string("n") && scenario?["finished"] == .bool(false))
    let steps = scenario?["steps"]?.elements ?? []
    #expect(steps.map { $0["state"]?.stringValue } == ["running", "waiting"])
    #expect(steps.first?["faults"]?.elements?.first?["hits"]?.integerValue == 1)
    #expect(steps.last?["at"] == .string("1h") && steps.last?["do"] == ["sign out"])
    #expect(await send(.put, path, body: #"{"steps":[{"at":1}]}"#).status == 400)
    #expect(await send(.delete, path).json?["scenario"] == .null)
    #expect(try await status() == 200)
    #expect(await send(.post, path).status == 200)
    #expect(try await status() == 503)
    #expect(await send(.post, "/_nova/reset").status == 200)
    #expect(try await status() == 200)
  }

  @Test func everyoneCanBeSignedOutOverTheAdminAPI() async {
    #expect(await send(.delete, "/_nova/sessions").status == 200)
  }
}

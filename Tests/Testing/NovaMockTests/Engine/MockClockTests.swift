import NovaAuth
import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMock

@Suite struct MockClockTests {
  private static let start: Int64 = 1_735_689_600
  private let source = Locked<Int64>(1_764_583_200)

  private func backend(_ clock: MockClockStart = .system, dataSet: MockDataSet = .empty) -> MockBackend {
    let source = source
    return MockBackend(dataSet: dataSet, clock: clock) { source.withLock { $0 } }
  }

  private func pass(_ seconds: Int64) { source.withLock { $0 += seconds } }

  @Test func itStartsWhereItIsToldTo() {
    for (start, first, later) in [
      (MockClockStart.system, 1_764_583_200, 1_764_583_210), (.frozen(at: Self.start), Self.start, Self.start),
      (.running(from: Self.start), Self.start, Self.start + 10),
      (MockClockStart(isFrozen: true), 1_764_583_200, 1_764_583_200),
      (.frozen(at: -5), 0, 0),
    ] as [(MockClockStart, Int64, Int64)] {
      source.withLock { $0 = 1_764_583_200 }
      let backend = backend(start)
      #expect(backend.currentTime == first, "\(start)")
      pass(10)
      #expect(backend.currentTime == later, "\(start)")
      backend.advanceClock(by: .seconds(3600))
      backend.reset()
      #expect(backend.currentTime == (start.isFrozen || start.time != nil ? first : later), "\(start)")
    }
  }

  @Test func itIsSetFrozenResumedAndMovedBack() {
    let backend = backend()
    backend.setClock(to: Self.start)
    pass(5)
    #expect(backend.currentTime == Self.start + 5)
    backend.freezeClock()
    pass(100)
    #expect(backend.currentTime == Self.start + 5 && backend.isClockFrozen)
    backend.advanceClock(by: .seconds(60))
    #expect(backend.currentTime == Self.start + 65)
    backend.advanceClock(by: .seconds(-65))
    #expect(backend.currentTime == Self.start)
    backend.resumeClock()
    pass(3)
    #expect(backend.currentTime == Self.start + 3 && !backend.isClockFrozen)
    backend.advanceClock(by: .seconds(Int64.max))
    #expect(backend.currentTime == MockClock.times.upperBound)
    backend.setClock(to: .min)
    #expect(backend.currentTime == 0)
  }

  @Test func aSnapshotHasItsClock() {
    let backend = backend(.frozen(at: Self.start))
    let snapshot = backend.snapshot()
    backend.resumeClock()
    pass(50)
    backend.restore(snapshot)
    pass(50)
    #expect(backend.currentTime == Self.start && backend.isClockFrozen)
  }

  // MARK: Tokens

  private func logIn(_ backend: MockBackend) async throws -> LoginResponse {
    let body = #"{"email":"bruce@nova.social","password":"mock-password"}"#
    let response = try await backend.answer(
      HTTPRequest(method: .post, url: "/api/v1/auth/login", body: Array(body.utf8)))
    return try HTTPTranscoder.response(
      LoginResponse.self, from: response.body.inMemory, AuthRPC.login.descriptor.http)
  }

  private func refusal(_ token: String, _ backend: MockBackend) async throws -> String? {
    let request = HTTPRequest(
      method: .post, url: "/api/v1/graph/is-muted", headers: ["Authorization": "Bearer \(token)"],
      body: Array(#"{"muter_id":"a","mutee_id":"b"}"#.utf8))
    let response = try await backend.answer(request)
    return response.status == 200
      ? nil : "\(response.status) \(String(decoding: response.body.inMemory, as: UTF8.self))"
  }

  @Test func tokensFollowIt() async throws {
    let backend = backend(.frozen(at: Self.start), dataSet: .guide)
    let session = try await logIn(backend)
    pass(1_000_000)
    #expect(try await refusal(session.token, backend) == nil)
    backend.advanceClock(by: .seconds(3600))
    #expect(try await refusal(session.token, backend)?.contains("expired") == true)
    let later = try await logIn(backend)
    backend.setClock(to: Self.start + 3599)
    #expect(try await refusal(session.token, backend) == nil)
    // Of a second ago, as of a machine whose clock was corrected.
    #expect(try await refusal(later.token, backend) == nil)
    backend.setClock(to: Self.start)
    let early = try await refusal(later.token, backend)
    #expect(early?.hasPrefix("401 ") == true && early?.contains("not valid yet") == true, "\(early ?? "nil")")
    let body = Array(#"{"refresh_token":"\#(later.refreshToken)"}"#.utf8)
    let refreshed = try await backend.answer(HTTPRequest(method: .post, url: "/api/v1/auth/refresh", body: body))
    #expect(refreshed.status == 200)
  }

  // MARK: Rate limits

  @Test func rateLimitsStandStillAndMoveAlong() async throws {
    let clock = ManualClock()
    let backend = MockBackend(
      dataSet: .empty, faults: try Faults(["throttle 1/m"]), clock: .frozen(at: Self.start))
    func status() async throws -> Int {
      try await backend.answer(
        HTTPRequest(
          method: .post, url: "/api/v1/graph/is-muted", body: Array(#"{"muter_id":"a","mutee_id":"b"}"#.utf8)),
        clock: clock
      ).status
    }
    #expect(try await status() == 200)
    clock.advance(by: .seconds(300))
    #expect(try await status() == 429)
    backend.advanceClock(by: .seconds(60))
    #expect(try await status() == 200)
    #expect(try await status() == 429)
    backend.resumeClock()
    clock.advance(by: .seconds(30))
    #expect(try await status() == 429)
    backend.setClock(to: 0)
    clock.advance(by: .seconds(60))
    #expect(try await status() == 200)
  }

  // MARK: The journal and the log

  @Test func theJournalHasIt() throws {
    let backend = backend()
    let line = #"{"t":1764583200,"clock":{"offset":-28893600,"frozen_at":1735689600}}"#
    try backend.replay(Array(line.utf8))
    #expect(backend.currentTime == Self.start && backend.isClockFrozen)
    let invalid = [
      #"{"t":1,"clock":{}}"#, #"{"t":1,"clock":{"offset":0,"frozen_at":-1}}"#, #"{"t":1,"clock":{"offset":1e15}}"#,
      #"{"t":1,"clock":{"offset":0,"frozen_at":"x"}}"#,
    ]
    for line in invalid { #expect(throws: MockJournalError.self, "\(line)") { try backend.replay(Array(line.utf8)) } }
  }

  @Test func loggedRequestsHaveItsTime() async throws {
    let backend = backend(.frozen(at: Self.start))
    _ = try await refusal("x", backend)
    #expect(backend.recentRequests().map(\.unixTime) == [Double(Self.start)])
  }

  // MARK: The admin API

  private func post(_ body: String, _ backend: MockBackend) async -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: "/_nova/clock"), body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  @Test(arguments: [
    (#"{"now":"2025-01-01T00:00:00Z"}"#, Self.start, false), (#"{"now":"2025-01-01"}"#, Self.start, false),
    (#"{"now":1735689600,"frozen":true}"#, Self.start, true), (#"{"frozen":true}"#, 1_764_583_200, true),
    (#"{"now":"2025-01-01T01:00:00+01:00","advance_seconds":-60}"#, Self.start - 60, false),
    (#"{"advance_seconds":3600}"#, 1_764_586_800, false), (#"{"frozen":false}"#, 1_764_583_200, false),
  ])
  func theAdminAPIChangesIt(_ body: String, _ time: Int64, _ isFrozen: Bool) async {
    let backend = backend()
    let answer = await post(body, backend)
    #expect(answer.status == 200 && answer.json?["now"]?.integerValue == Int(time), "\(answer)")
    #expect(answer.json?["clock_frozen"] == .bool(isFrozen))
    #expect(backend.currentTime == time)
  }

  @Test(arguments: [
    (#"{"advance_seconds":-3600}"#, "not valid yet"), (#"{"advance_seconds":3600}"#, "have expired: 401"),
    (#"{"advance_seconds":2592000}"#, "sign in again"),
  ])
  func theAdminAPISaysWhatItMeans(_ body: String, _ note: String) async {
    let notes = await post(body, backend()).json?["notes"]?.elements?.compactMap(\.stringValue) ?? []
    #expect(notes.contains { $0.contains(note) }, "\(notes)")
  }

  @Test func itStaysWithinItsYears() async {
    let backend = backend()
    #expect(await post(#"{"advance_seconds":32503679999}"#, backend).status == 400)
    #expect(backend.currentTime == 1_764_583_200)
  }
}

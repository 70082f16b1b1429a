import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

@Suite struct CircuitBreakerTests {
  private let clock = ManualClock()
  private let isUp = Locked(false)

  private func transport(_ failure: HTTPResponse? = nil) -> RecordingTransport {
    RecordingTransport { [isUp] _, _ in
      if isUp.withLock({ $0 }) { return HTTPResponse(status: 200, body: Array("{}".utf8)) }
      if let failure { return failure }
      throw TransportError(.connectionRefused, "test", requestMayHaveLeft: false)
    }
  }

  private func client(_ transport: any HTTPTransport) throws -> APIClient {
    try .test(
      transport,
      resilience: Resilience(
        retry: .never, budget: nil, breaker: CircuitBreaker(failureLimit: 3, pause: .seconds(5))),
      clock: clock)
  }

  private func outcome(_ client: APIClient, service: String = "graph") async -> String {
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    return error?.transport?.kind.rawValue ?? error?.httpStatus.map(String.init) ?? "ok"
  }

  @Test func aHostThatFailsIsLeftAloneAndThenTriedOnce() async throws {
    let transport = transport()
    let client = try client(transport)
    var outcomes: [String] = []
    for _ in 0..<5 { outcomes.append(await outcome(client)) }
    #expect(outcomes == Array(repeating: "connectionRefused", count: 3) + ["circuitOpen", "circuitOpen"])
    clock.advance(by: .milliseconds(4999))
    #expect(await outcome(client) == "circuitOpen")
    clock.advance(by: .milliseconds(1))
    #expect(await outcome(client) == "connectionRefused")
    #expect(await outcome(client) == "circuitOpen")
    clock.advance(by: .seconds(5))
    isUp.withLock { $0 = true }
    #expect(await outcome(client) == "ok")
    #expect(await outcome(client) == "ok")
    #expect(transport.requests.count == 6)
  }

  @Test(arguments: [(502, true), (503, true), (504, true), (500, false), (429, false), (404, false), (401, false)])
  func onlyAbsenceCounts(status: Int, opens: Bool) async throws {
    let client = try client(transport(HTTPResponse(status: status)))
    for _ in 0..<3 { _ = await outcome(client) }
    #expect(await outcome(client) == (opens ? "circuitOpen" : "\(status)"))
  }

  @Test func oneOfManyIsLetThrough() {
    let breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(5))
    let now = clock.moment
    breaker.failed("h", .passed, at: now)
    let later = now.advanced(by: .seconds(5))
    #expect(breaker.admit("h", at: later) == .probing)
    #expect(breaker.admit("h", at: later) == .refused(wait: .seconds(5), failures: 1))
    // Failures of those that were on their way before do not count twice.
    breaker.failed("h", .passed, at: later)
    breaker.ended("h", .probing, at: later)
    #expect(breaker.admit("h", at: later) == .probing)
    breaker.succeeded("h")
    #expect(breaker.admit("h", at: later) == .passed)
    #expect(breaker.admit("other", at: later) == .passed)
  }

  @Test func connectionsThatAreCutTogetherAreOneFailure() {
    let breaker = CircuitBreaker(failureLimit: 3, pause: .seconds(5))
    let began = clock.moment
    let cut = began.advanced(by: .milliseconds(20))
    for _ in 0..<64 { breaker.failed("h", .passed, at: cut, lossBegan: began) }
    #expect(breaker.admit("h", at: cut) == .passed)
    // A host that cuts each new connection, too, is gone.
    for round in 1...2 {
      let start = cut.advanced(by: .milliseconds(10 * round))
      breaker.failed("h", .passed, at: start.advanced(by: .milliseconds(1)), lossBegan: start)
    }
    #expect(breaker.admit("h", at: cut.advanced(by: .seconds(1))) != .passed)
  }

  @Test func theErrorSaysWhatToExpect() async throws {
    let client = try client(transport())
    for _ in 0..<3 { _ = await outcome(client) }
    clock.advance(by: .seconds(2))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .unavailable)
    #expect(
      error?.message
        == "http://localhost:8080 has failed 3 times in a row and is left alone for another 3 s; nothing was sent")
  }

  /// Whatever order admissions and outcomes come in, the circuit never stays shut for good.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func anyHistoryEndsInAnAdmission(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let breaker = CircuitBreaker(failureLimit: 3, pause: .seconds(5))
    var now = clock.moment
    var underWay: [CircuitBreaker.Admission] = []
    for _ in 0..<500 {
      now = now.advanced(by: .milliseconds(Int.random(in: 0...2000, using: &generator)))
      let admission = breaker.admit("h", at: now)
      if case .refused = admission {} else { underWay.append(admission) }
      guard let index = underWay.indices.randomElement(using: &generator) else { continue }
      switch Int.random(in: 0...3, using: &generator) {
      case 0: breaker.succeeded("h"); underWay.remove(at: index)
      case 1: breaker.failed("h", underWay.remove(at: index), at: now)
      case 2: breaker.ended("h", underWay.remove(at: index), at: now)
      default: break
      }
    }
    for admission in underWay { breaker.ended("h", admission, at: now) }
    if case .refused = breaker.admit("h", at: now.advanced(by: .seconds(5))) { Issue.record("shut for good") }
  }
}

import NovaContract
import NovaCore
import NovaMock
import NovaRegistry
import NovaTesting
import Testing

/// Limits, connections, and what a check sends.
@Suite struct SurveyRunTests {
  /// Counts requests and may answer in the mock's place.
  private struct Watching: HTTPTransport {
    let base: any HTTPTransport
    let requests = Locked<[HTTPRequest]>([])
    var answer: @Sendable (Int, HTTPRequest) throws -> HTTPResponse? = { _, _ in nil }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let number = requests.withLock { requests in
        requests.append(request)
        return requests.count
      }
      if let answer = try answer(number, request) { return answer }
      return try await base.send(request)
    }
  }

  private func check(
    _ change: (inout ContractCheck.Options) -> Void = { _ in },
    answer: @escaping @Sendable (Int, HTTPRequest) throws -> HTTPResponse? = { _, _ in nil }
  ) async -> (report: ContractReport, requests: [HTTPRequest]) {
    let watching = Locked<Watching?>(nil)
    let report = await ContractCheck.ofMock(
      change,
      transport: { mock in
        let transport = Watching(base: mock, answer: answer)
        watching.withLock { $0 = transport }
        return transport
      }
    ).run()
    return (report, watching.withLock { $0 }?.requests.withLock { $0 } ?? [])
  }

  private func check(
    answering answer: @escaping @Sendable (Int, HTTPRequest) throws -> HTTPResponse?
  ) async -> (report: ContractReport, requests: [HTTPRequest]) { await check({ _ in }, answer: answer) }

  @Test func progressNamesEachRequestAsTheReportDoes() async {
    let told = Locked<[String: [String]]>([:])
    let report = await ContractCheck.ofMock().run { progress in
      told.withLock { $0[progress.rpc, default: []].append(progress.request) }
    }
    #expect(told.withLock { $0 } == Dictionary(uniqueKeysWithValues: report.results.map { ($0.rpc, $0.requests) }))
  }

  @Test func readOnlyCallsNothingThatWrites() async {
    let (report, requests) = await check { $0.isReadOnly = true }
    #expect(report.isPassed)
    #expect(requests.allSatisfy { $0.headers["Idempotency-Key"] == nil })
    #expect(requests.allSatisfy { $0.method != .delete && $0.method != .patch })
    #expect(!requests.contains { $0.url.text.hasSuffix("/like") || $0.url.text.hasSuffix("/post/create") })
  }

  @Test func invalidRequestsCanBeLeftOut() async {
    let (report, requests) = await check { $0.sendsInvalidRequests = false }
    #expect(report.isPassed)
    #expect(report.checkedCount == RPCRegistry.nova.rpcs.count)
    #expect(!requests.contains { $0.body.bytes == Array("[]".utf8) })
  }

  @Test func createdContentIsDeletedAfterAnEarlyEnd() async {
    for count in [120, 170, 220, 300, 600, 650, 700, 800, 900] {
      let (report, requests) = await check {
        $0.maximumRequests = count
        $0.checksPrivacy = true
      }
      #expect(report.stop == .maximumRequests(count))
      #expect(report.notCleanedUp.isEmpty)
      #expect(requests.count >= count)
    }
  }

  @Test func rateIsLimited() async {
    let clock = ManualClock(autoAdvances: true)
    var options = ContractCheck.Options()
    options.maximumRequests = 50
    options.requestsPerSecond = 5
    let check = ContractCheck(transport: MockTransport(), target: "the mock", options: options, clock: clock) { _ in
      "http://localhost"
    }
    _ = await check.run()
    #expect(clock.elapsed >= .milliseconds(9_700))
    #expect(clock.elapsed <= .milliseconds(10_300))
  }

  @Test func durationIsLimited() async {
    let (report, requests) = await check {
      $0.maximumTime = .seconds(3)
      $0.requestsPerSecond = 10
    }
    #expect(report.stop == .maximumTime(.seconds(3)))
    #expect(requests.count < 40)
    // A server that never responds does not hold up the end.
    #expect(requests.allSatisfy { $0.limits.totalTimeout <= .seconds(3) && $0.limits.connectTimeout <= .seconds(3) })
    #expect(requests.last.map { $0.limits.totalTimeout < .seconds(1) } == true)
  }

  @Test func refusedConnectionsStopTheCheck() async {
    let (report, requests) = await check(answering: { _, _ in
      throw TransportError(.connectionRefused, "nothing listens there", requestMayHaveLeft: false)
    })
    #expect(report.stop == .noConnection("nothing listens there"))
    #expect(requests.count == 1)
    #expect(report.checkedCount == 0)
  }

  @Test func expiredSessionsStopTheCheck() async {
    struct Over: TokenProvider {
      func accessToken() async throws(APIError) -> AccessToken? {
        throw APIError(.unauthorized, "sign in again")
      }
    }
    var options = ContractCheck.Options()
    options.isReadOnly = true
    let report = await ContractCheck(
      transport: MockTransport(), target: "the mock", tokens: Over(), options: options
    ) { _ in "https://localhost" }.run()
    #expect(report.stop == .noToken("sign in again"))
    #expect(report.stop?.description == "no token: sign in again")
  }

  @Test func oneLostConnectionIsBreakingAndThreeStopTheCheck() async {
    let lost = TransportError(.connectionLost, "the connection ended", requestMayHaveLeft: true)
    let once = await check(answering: { number, _ in
      if number == 20 { throw lost }
      return nil
    })
    #expect(once.report.stop == nil)
    #expect(once.report.differences.map(\.kind) == [.noAnswer])
    let always = await check(answering: { number, _ in
      if number >= 20 { throw lost }
      return nil
    })
    if case .noConnection = always.report.stop {} else { Issue.record("\(String(describing: always.report.stop))") }
  }

  @Test func overloadedGatewaysAreRetried() async {
    let (report, requests) = await check(answering: { number, _ in
      number == 5 ? HTTPResponse(status: 429, headers: ["Retry-After": "7"]) : nil
    })
    #expect(report.isPassed, "\(report.differences)")
    #expect(requests[4].url == requests[5].url)
  }

  @Test func refusedChecksDoNotPass() async {
    let (report, _) = await check { options in
      options.isReadOnly = true
    } answer: { _, request in
      request.url.text.contains("/graph/")
        ? HTTPResponse(
          status: 401, headers: ["Content-Type": "application/json"], body: Array(#"{"code":16,"message":"no"}"#.utf8))
        : nil
    }
    #expect(report.differences.isEmpty, "\(report.differences)")
    #expect(report.refused.count == 6)
    #expect(!report.isPassed)
  }

  @Test func cancellationReturnsTheReportSoFar() async {
    let check = ContractCheck.ofMock()
    let task = Task { await check.run() }
    task.cancel()
    let report = await task.value
    #expect(report.stop == .interrupted || report.stop == nil)
  }
}

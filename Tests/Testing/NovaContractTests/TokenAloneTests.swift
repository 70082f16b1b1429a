import NovaAuth
import NovaContract
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// A gateway without registration, checked with a token.
@Suite struct TokenAloneTests {
  private func check(
    _ url: String, token: String = SomethingsBackend.token, names: JSONNameStyle? = nil, isReadOnly: Bool = false
  ) async throws -> ContractReport {
    var options = ContractCheck.Options()
    options.isReadOnly = isReadOnly
    options.requestsPerSecond = nil
    options.requestNames = names.map { ["capture": $0] } ?? [:]
    let transport = CurlTransport()
    let tokens = StoredToken(try AccessToken(token))
    let base = try HTTPURL(parsing: url)
    let report = await ContractCheck(transport: transport, target: url, tokens: tokens, options: options) { _ in base }
      .run()
    await transport.shutdown()
    return report
  }

  private func breaking(_ report: ContractReport) -> [String] {
    report.differences.filter { $0.grade == .breaking }.map(\.line)
  }

  @Test func whatIsThereIsChecked() async throws {
    try await SomethingsBackend.run { url, backend in
      let report = try await check(url, names: .proto)
      #expect(report.stop == nil)
      #expect(breaking(report) == [])
      #expect(report.refused == [])
      let checked = report.results.filter { $0.unchecked == nil }.map(\.rpc)
      #expect(
        checked == [
          "capture.CreateSomething", "capture.ListSomethings", "capture.GetSomething", "capture.UpdateMeaning",
          "capture.DeleteSomething",
        ])
      let register = report.results.first { $0.rpc == "auth.Register" }
      #expect(register?.unchecked == "the gateway does not have the auth service: none of its paths exist")
      #expect(report.results.allSatisfy { $0.unchecked?.isEmpty != true })
      #expect(report.differences.contains { $0.kind == .unknownField && $0.path == "suggestedCircles" })
      #expect(backend.count == 0, "everything was deleted again")
      #expect(report.leftBehind == [] && report.notCleanedUp == [])
    }
  }

  @Test func lostFieldsAreBreaking() async throws {
    try await SomethingsBackend.run { url, backend in
      let report = try await check(url)
      let lost = report.differences.filter { $0.kind == .lost }
      #expect(
        lost.map(\.line) == [
          #"breaking lost capture.CreateSomething [an image] contentType: expected "image", as it was sent, found "text" ×1"#,
          #"breaking lost capture.CreateSomething [an image] mediaUrl: expected "#
            + #""https://example.com/nova-contract.png", as it was sent, found nothing ×1"#,
        ])
      #expect(backend.count == 0)
    }
  }

  @Test func readOnlyLooksAtWhatIsThere() async throws {
    try await SomethingsBackend.run { url, _ in
      let report = try await check(url, isReadOnly: true)
      #expect(breaking(report) == [])
      #expect(report.results.first { $0.rpc == "capture.ListSomethings" }?.unchecked == nil)
      #expect(report.checkedCount > 0)
    }
  }

  @Test func aTokenThatIsNotTakenIsSaid() async throws {
    try await SomethingsBackend.run { url, _ in
      let report = try await check(url, token: "another")
      #expect(report.refused.contains("capture.ListSomethings"))
      #expect(!report.isPassed)
    }
  }

  @Test func whereNothingIsThereTheGatewayIsWrong() async throws {
    try await withRawServer({
      try $0.respondToAll("404 Not Found", headers: ["Content-Type: application/json"], body: Array("{}".utf8))
    }) { server in
      let report = try await check(server.url(""))
      #expect(report.stop == .notAGateway("all 10 requested paths return status 404 with application/json"))
    }
  }

  /// A gateway with everything but registration: the check uses the token's user.
  @Test(arguments: [401, 403, 404, 405, 501])
  func closedRegistrationIsSkipped(_ status: Int) async throws {
    let mock = MockTransport(MockBackend())
    let client = try APIClient.test(mock, token: nil)
    let session = try await client.call(
      AuthRPC.login, LoginRequest(email: "bruce@nova.social", password: "mock-password"))
    var options = ContractCheck.Options()
    options.isReadOnly = false
    let closed = WrongGateway(base: mock, path: "/api/v1/auth/register") { _, _ in HTTPResponse(status: status) }
    let report = await ContractCheck(
      transport: closed, target: "closed", tokens: StoredToken(try AccessToken(session.token)), options: options,
      clock: ManualClock(autoAdvances: true)
    ) { _ in "http://localhost:8080" }.run()
    #expect(breaking(report) == [])
    #expect(
      report.results.first { $0.rpc == "auth.Register" }?.unchecked == "registration is closed (\(status))")
    for rpc in ["capture.CreateSomething", "user.GetUserProfile", "graph.GetFollowers", "content.GetPostsByAuthor"] {
      #expect(report.results.first { $0.rpc == rpc }?.unchecked == nil, "\(rpc)")
    }
    #expect(report.results.first { $0.rpc == "content.CreatePost" }?.unchecked == "no account could be registered")
  }
}

/// A session whose refresh was cancelled.
private struct CancelledTokens: TokenProvider {
  func accessToken() async throws -> AccessToken? { throw APIError(.cancelled, "the call was cancelled") }
}

extension TokenAloneTests {
  @Test func aCancelledRefreshInterruptsTheCheck() async {
    var options = ContractCheck.Options()
    options.requestsPerSecond = nil
    let check = ContractCheck(
      transport: MockTransport(), target: "mock", tokens: CancelledTokens(), options: options
    ) { _ in "http://localhost:8080" }
    #expect(await check.run().stop == .interrupted)
  }
}

import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaContract

/// What a check finds that may not write.
@Suite struct ReadOnlyPrivacyTests {
  private func check(
    _ change: (inout ContractCheck.Options) -> Void = { _ in },
    transport: (MockTransport) -> any HTTPTransport = { $0 }
  ) async throws -> ContractReport {
    let backend = MockBackend { 1_764_583_200 }
    let client = try APIClient.test(MockTransport(backend), token: nil)
    let session = try await client.call(
      AuthRPC.login, LoginRequest(email: "bruce@nova.social", password: "mock-password"))
    return await ContractCheck.ofMockWithPrivacy(
      {
        $0.isReadOnly = true
        change(&$0)
      }, backend: backend, tokens: StoredToken(try AccessToken(session.token)), transport: transport
    ).run()
  }

  @Test func recordsOfOthersAreNoticedInEveryAnswer() async throws {
    let report = try await check(transport: { mock in
      WrongGateway(
        base: mock, path: "/api/v1/users/search",
        change: WrongGateway.member("is_verified") { value in
          [.init(name: "is_verified", value: value), .init(name: "email", value: .string("somebody@example.com"))]
        })
    })
    let leaks = report.leaks
    #expect(leaks.map(\.rpc) == ["user.SearchUsers"])
    #expect(leaks.map(\.path) == ["profiles[].email"])
    #expect(
      leaks.map(\.found) == [
        "leak: SearchUsers shows the e-mail address of another user to the token's user; answer without it"
      ])
    // The data are of real people.
    #expect(leaks.allSatisfy { $0.evidence?.body == "(not shown: data of another user)" })
    #expect(!report.inEveryFormat.contains("somebody@example.com"))
  }

  @Test(arguments: [
    ("user.GetUserSettings", "the settings of another user"),
    ("content.GetUserBookmarks", "the bookmarks of another user"),
  ]) func listsOfOthersAreNoticed(_ rpc: String, _ what: String) async throws {
    let answer =
      rpc == "user.GetUserSettings"
      ? #"{"settings":{"user_id":"someone-else","language":"en"}}"# : #"{"posts":[],"total":3,"has_more":false}"#
    let path = rpc == "user.GetUserSettings" ? "/api/v1/users/settings" : "/api/v1/content/bookmarks"
    let report = try await check {
      $0.rpcs = [rpc]
    } transport: { mock in
      WrongGateway(base: mock, path: path) { _, _ in .json(200, answer) }
    }
    #expect(report.leaks.contains { $0.found.contains("shows \(what) to the token's user") }, "\(report.leaks)")
  }

  @Test func withoutATokenNothingIsKnown() async {
    let report = await ContractCheck.ofMockWithPrivacy { $0.isReadOnly = true }.run()
    #expect(
      report.skippedProbes.map(\.reason) == ["the check has no token, and calls without one may see everything"])
    #expect(report.leaks == [])
  }

  /// Depends on a mock that keeps the contract's rules.
  @Test func theMockShowsNothingOfOthers() async throws {
    let report = try await check()
    #expect(report.leaks.map(\.line) == [])
    #expect(report.probeCount >= 2)
  }
}

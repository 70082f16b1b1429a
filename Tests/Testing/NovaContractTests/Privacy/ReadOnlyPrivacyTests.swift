import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaUsers
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

  /// What the mock hides from strangers is what the check looks for.
  @Test func everyPrivateFieldIsLookedFor() throws {
    let mock = MockCaller()
    func register(_ name: String) throws -> RegisterResponse {
      let request = RegisterRequest(email: "\(name)@nova.example", username: name, password: "a-password")
      return try mock.call(AuthRPC.register, request)
    }
    let (owner, stranger) = (try register("owner"), try register("stranger"))
    let update = ExampleMessage(.nova, names: .proto).response(UpdateUserProfileRequest.descriptor)
    var request = try UpdateUserProfileRequest(jsonUTF8: update.jsonUTF8)
    (request.userId, request.isPrivate) = (owner.userId, true)
    _ = try mock.call(UserRPC.updateUserProfile, request)
    func fields(seenBy account: RegisterResponse) throws -> [String] {
      let profile = try mock.call(UserRPC.getUserProfile, .init(userId: owner.userId), token: account.token).profile
      return try JSONValue(jsonUTF8: #require(profile).jsonUTF8(.request)).memberList?.map(\.name) ?? []
    }
    // Addresses have a check of their own, and times say little.
    let hidden = Set(try fields(seenBy: owner)).subtracting(try fields(seenBy: stranger))
      .subtracting(["email", "created_at", "updated_at"])
    let difference = ListDifference(of: SurveyRun.privateFields, from: hidden)
    #expect(difference.isEmpty, "\(difference): change `privateFields` in PrivacyOfOthers.swift")
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

import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaTestingTraits
import Testing

/// Each case follows the same user in a backend without earlier follows.
@Suite(.freshBackend(seed: 7, dataSet: .empty)) struct FreshBackendTests {
  @Test(arguments: 0..<4) func everyCaseHasItsOwn(_ number: Int) async throws {
    let client = try APIClient.test(MockTransport(try .current), token: nil)
    let graph = GraphService(client: client)
    #expect(try await graph.getFollowers(GetFollowersRequest(userId: "star")).totalCount == 0)
    _ = try await graph.createFollow(CreateFollowRequest(followerId: "fan-\(number)", followeeId: "star"))
    #expect(try await graph.getFollowers(GetFollowersRequest(userId: "star")).userIds == ["fan-\(number)"])
  }

  @Test func tasksOfATestShareItsBackend() async throws {
    let backend = try MockBackend.current
    async let inChild = try MockBackend.current
    let inTask = Task { try MockBackend.current }
    #expect(try await inChild === backend)
    #expect(try await inTask.value === backend)
  }

  @Test(.freshBackend { MockBackend.seeded(1) }) func testTraitsTakePrecedenceOverSuiteTraits() async throws {
    let graph = GraphService(client: try APIClient.test(MockTransport(try .current), token: nil))
    #expect(try await graph.getFollowers(GetFollowersRequest(userId: "mock-user-id")).totalCount == 3021)
  }
}

@Suite struct SeededBackendTests {
  @Test func testsWithoutTheTraitHaveNoBackend() async throws {
    let error = #expect(throws: NoCurrentBackend.self) { try MockBackend.current }
    #expect(error?.description.contains(".freshBackend") == true)
    let backend = MockBackend.seeded(1, dataSet: .empty)
    let current = try await MockBackend.withCurrent(backend) { try MockBackend.current }
    #expect(current === backend)
  }

  @Test func repeatsExactly() async throws {
    func story() async throws -> [UInt8] {
      let recorder = Recorder(clock: ManualClock())
      _ = try await SignInScenario.run(MockTransport(.seeded(7)), [recorder])
      return recorder.cassette.har
    }
    #expect(try await story() == story())
  }

  @Test func itsTimeIsTheClocks() async throws {
    let clock = ManualClock()
    let client = try APIClient.test(MockTransport(.seeded(1, clock: clock)), token: nil)
    let auth = AuthService(client: client)
    let login = try await auth.login(LoginRequest(email: "bruce@nova.social", password: "mock-password"))
    let verify = VerifyTokenRequest(token: login.token)
    #expect(try await auth.verifyToken(verify).isValid)
    clock.advance(by: .seconds(3_601))
    #expect(try await auth.verifyToken(verify).isValid == false)
  }
}

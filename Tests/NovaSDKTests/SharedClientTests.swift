import NovaSDK
import Testing

/// Serialized, because what is shared is one for the whole process.
@Suite(.serialized) struct SharedClientTests {
  @Test func theFlagSwitchesTheSharedClient() async throws {
    let before = APIFeatureFlags.enableMockData
    defer { APIFeatureFlags.enableMockData = before }
    APIFeatureFlags.enableMockData = true
    let page = try await GraphService().getFollowers(userId: "mock-user-id", limit: 3)
    #expect(page.userIds == ["user-1492", "user-0952", "user-2032"])
    #expect(page.totalCount == 3021)
    let same = try await NovaClient.shared.graph.getFollowers(userId: "mock-user-id", limit: 3)
    #expect(same == page)
  }

  @Test func theSharedMockKeepsItsState() async throws {
    let before = APIFeatureFlags.enableMockData
    defer { APIFeatureFlags.enableMockData = before }
    APIFeatureFlags.enableMockData = true
    try await GraphService().followUser(followerId: "ada", followeeId: "bea")
    APIFeatureFlags.enableMockData = false
    APIFeatureFlags.enableMockData = true
    #expect(try await GraphService().isFollowing(followerId: "ada", followeeId: "bea"))
    try await GraphService().unfollowUser(followerId: "ada", followeeId: "bea")
  }

  @Test func tokensAreChecked() throws {
    #expect(throws: ConfigurationError.self) { try APIClient.shared.setAuthToken("two words") }
    try APIClient.shared.setAuthToken("token")
    APIClient.shared.setAuthToken(nil)
  }
}

@Suite struct NovaClientTests {
  @Test func mocksShareNothing() async throws {
    let (one, other) = (NovaClient.mock(), NovaClient.mock())
    try await one.graph.followUser(followerId: "ada", followeeId: "bea")
    #expect(try await one.graph.isFollowing(followerId: "ada", followeeId: "bea"))
    #expect(try await !other.graph.isFollowing(followerId: "ada", followeeId: "bea"))
  }

  @Test func offlineNothingIsSent() async throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(isOffline: true))
    let nova = NovaClient(configuration: configuration)
    await #expect {
      try await nova.graph.getFollowers(userId: "x")
    } throws: {
      ($0 as? APIError)?.code == .networkError && "\($0)".contains("NOVA_OFFLINE")
    }
  }

  @Test func theConfigurationChoosesTheMock() async throws {
    let nova = NovaClient(configuration: try APIConfiguration(ConfigurationOverrides(usesMockData: true)))
    #expect(try await nova.graph.getFollowers(userId: "mock-user-id").totalCount == 3021)
  }
}

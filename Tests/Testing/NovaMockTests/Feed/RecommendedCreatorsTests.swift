import NovaCore
import NovaFeed
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@Suite struct RecommendedCreatorsTests {
  private func creators(_ user: String, limit: Int = 0, in session: MockSession) async throws -> [RecommendedCreator] {
    try await session.feed.getRecommendedCreators(GetRecommendedCreatorsRequest(userId: user, limit: limit)).creators
  }

  @Test func friendsOfFriendsComeByTiesThenFollowers() async throws {
    let session = try MockSession()
    for (follower, followee) in [
      ("me", "a"), ("me", "b"), ("a", "both"), ("b", "both"), ("a", "one"), ("a", "famous"), ("x", "famous"),
      ("a", "b"), ("a", "me"), ("b", "another"), ("x", "stranger"),
    ] {
      try await session.graph.followUser(followerId: follower, followeeId: followee)
    }
    let suggestions = try await creators("me", in: session)
    #expect(suggestions.map(\.id) == ["both", "famous", "another", "one"])
    #expect(suggestions.map(\.relevanceScore) == [1, 0.5, 0.5, 0.5])
    #expect(suggestions.map(\.followerCount) == [2, 2, 1, 1])
    #expect(suggestions[0].reason == "followed by 2 people you follow")
    #expect(suggestions[1].reason == "followed by 1 person you follow")
    #expect(try await creators("me", limit: 2, in: session).map(\.id) == ["both", "famous"])

    try await session.graph.blockUser(blockerId: "both", blockedId: "me")
    try await session.graph.muteUser(muterId: "me", muteeId: "another")
    try await session.graph.followUser(followerId: "me", followeeId: "famous")
    #expect(try await creators("me", in: session).map(\.id) == ["one"])
    #expect(try await creators("nobody", in: session) == [])
    #expect(await code { try await creators("", in: session) } == .invalidArgument)
  }

  @Test func theSampleUserIsSuggestedSomebodyWithAName() async throws {
    let session = try MockSession(.guide)
    let suggestions = try await creators("mock-user-id", in: session)
    #expect(suggestions.count == 20)
    #expect(suggestions.allSatisfy { !$0.name.isEmpty && $0.followerCount > 0 && $0.relevanceScore > 0 })
    for suggestion in suggestions {
      #expect(try await !session.graph.isFollowing(followerId: "mock-user-id", followeeId: suggestion.id))
    }
  }
}

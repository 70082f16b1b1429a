import NovaSDK

/// The code under test: somebody's program on top of the SDK.
public struct FanClub: Sendable {
  let nova: NovaClient
  let star: String

  public init(star: String, on nova: NovaClient) {
    self.nova = nova
    self.star = star
  }

  /// Follows the star, and says what number of fan that makes.
  public func join(_ fan: String) async throws -> Int {
    try await nova.graph.followUser(followerId: fan, followeeId: star)
    return try await nova.graph.getFollowers(userId: star, limit: 1).totalCount
  }

  /// The newest fans first; nobody while the gateway does not know the star.
  public func newestFans(_ count: Int) async throws -> [String] {
    do {
      return try await nova.graph.getFollowers(userId: star, limit: count).userIds
    } catch APIError.notFound {
      return []
    }
  }
}

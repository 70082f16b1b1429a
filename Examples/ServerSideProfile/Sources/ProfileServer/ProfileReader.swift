import NovaSDK

/// Puts profiles together from four calls that are made at the same time.
public struct ProfileReader: Sendable {
  let users: any UserServiceProtocol
  let graph: any GraphServiceProtocol
  let content: any ContentServiceProtocol

  /// Takes protocols, so that tests can pass fakes.
  public init(
    users: any UserServiceProtocol, graph: any GraphServiceProtocol, content: any ContentServiceProtocol
  ) {
    self.users = users
    self.graph = graph
    self.content = content
  }

  /// Reads from the gateway, or the mock backend, of a client. Nobody waits for a web page longer than 5 s.
  public init(_ nova: NovaClient) {
    let limit = Duration.seconds(5)
    self.init(
      users: nova.users.with { $0.timeout = limit }, graph: nova.graph.with { $0.timeout = limit },
      content: nova.content.with { $0.timeout = limit })
  }

  /// - Throws: `APIError` of the first call that failed; the others are then cancelled.
  public func page(userId: String) async throws -> ProfilePage {
    async let profile = users.getUserProfile(userId: userId)
    async let followers: GetFollowersResponse = graph.getFollowers(userId: userId, limit: 10)
    async let following: GetFollowingResponse = graph.getFollowing(userId: userId, limit: 10)
    async let posts = content.getPostsByAuthor(authorId: userId, status: .published, limit: 5)
    // The profile first: whether there is such a user is the error that says most.
    return try await ProfilePage(forEverybody: profile, followers: followers, following: following, posts: posts)
  }
}

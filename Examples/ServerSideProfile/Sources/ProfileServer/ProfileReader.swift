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

  /// Reads with the token, the deadline, and the logger of a client's options.
  public init(_ nova: NovaClient) {
    self.init(users: nova.users, graph: nova.graph, content: nova.content)
  }

  /// - Throws: `APIError` of the first call that failed; the others are then cancelled.
  public func page(userId: String) async throws -> ProfilePage {
    async let profile = users.getUserProfile(userId: userId)
    async let followers: GetFollowersResponse = graph.getFollowers(userId: userId, limit: 10)
    async let following: GetFollowingResponse = graph.getFollowing(userId: userId, limit: 10)
    async let posts = content.getPostsByAuthor(authorId: userId, status: .published, limit: 5)
    // The profile first: whether there is such a user is the error that says most.
    return try await ProfilePage(profile, followers: followers, following: following, posts: posts)
  }
}

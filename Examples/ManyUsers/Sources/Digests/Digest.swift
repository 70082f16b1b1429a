import NovaSDK

/// What a user missed: the newest followers, and the newest posts.
public struct Digest: Sendable, Equatable {
  public var name: String
  public var followers: Int
  public var newestFollowers: [String]
  public var posts: [String]

  /// Reads a user's own digest. The three calls run at the same time, and the first failure cancels the others.
  public init(of caller: Caller) async throws {
    let nova = caller.nova
    async let profile = nova.users.getUserProfile(userId: caller.id)
    async let newest = nova.graph.getFollowers(userId: caller.id, limit: 3)
    async let written = nova.content.getPostsByAuthor(authorId: caller.id, limit: 2)
    name = try await profile.username
    (followers, newestFollowers) = (try await newest.totalCount, try await newest.userIds)
    posts = try await written.posts.map(\.content)
  }
}

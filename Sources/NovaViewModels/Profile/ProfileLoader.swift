public import NovaContent
public import NovaCore
public import NovaGraph
public import NovaSocial
public import NovaUsers

/// Loads what a profile shows, with as many calls at a time as can be: a value for any task, in an app or on a server.
///
/// ```swift
/// let loader = ProfileLoader(users: nova.users, graph: nova.graph, content: nova.content, social: nova.social)
/// let loaded = await loader.load(userId: "mock-user-id")
/// print(try loaded.profile.get().username, try loaded.posts.get().items.count)
/// ```
public struct ProfileLoader: Sendable {
  let users: any UserServiceProtocol
  let graph: any GraphServiceProtocol
  let content: any ContentServiceProtocol
  let social: any SocialServiceProtocol
  /// How many items of a list to ask for at a time.
  public let pageSize: Int

  /// Creates a loader.
  ///
  /// - Parameter pageSize: how many items of a list to ask for at a time, 1…100; anything else is brought into that
  ///   range. Default: 50.
  public init(
    users: any UserServiceProtocol, graph: any GraphServiceProtocol, content: any ContentServiceProtocol,
    social: any SocialServiceProtocol, pageSize: Int = 50
  ) {
    self.users = users
    self.graph = graph
    self.content = content
    self.social = social
    self.pageSize = min(max(pageSize, 1), 100)
  }

  /// Loads profile, followers, following, posts and bookmarks in the time of the slowest of these calls.
  ///
  /// Does not throw: each part of the result says for itself why it is not there. Parts of a cancelled task hold a
  /// cancellation.
  ///
  /// - Parameter viewerId: who looks at the profile, to learn whether they follow the user. Default: nobody.
  public func load(userId: String, viewerId: String? = nil) async -> LoadedProfile {
    async let profile = result { try await users.getUserProfile(userId: userId) }
    async let followers = result { try await self.followers(of: userId) }
    async let following = result { try await self.following(of: userId) }
    async let posts = result { try await page(of: .posts, userId: userId) }
    async let saved = result { try await page(of: .saved, userId: userId) }
    async let isFollowed = result { try await self.isFollowed(userId, by: viewerId) }
    return await LoadedProfile(
      userId: userId, profile: profile, followers: followers, following: following, posts: posts, saved: saved,
      isFollowed: isFollowed)
  }

  /// A page of the ids of who follows a user, newest follow first.
  ///
  /// - Throws: ``APIError``.
  public func followers(of userId: String, offset: Int = 0) async throws -> Page<String> {
    let page: GetFollowersResponse = try await graph.getFollowers(userId: userId, limit: pageSize, offset: offset)
    return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
  }

  /// A page of the ids of whom a user follows, newest follow first.
  ///
  /// - Throws: ``APIError``.
  public func following(of userId: String, offset: Int = 0) async throws -> Page<String> {
    let page: GetFollowingResponse = try await graph.getFollowing(userId: userId, limit: pageSize, offset: offset)
    return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
  }

  /// A page of what a tab shows, newest first. Liked posts take two calls, one after the other: their ids, then the
  /// posts; those that are no longer there are left out.
  ///
  /// - Throws: ``APIError``.
  public func page(of tab: ContentTab, userId: String, offset: Int = 0) async throws -> Page<Post> {
    switch tab {
    case .posts:
      let page = try await content.getPostsByAuthor(
        authorId: userId, status: .published, limit: pageSize, offset: offset)
      return Page(items: page.posts, totalCount: page.totalCount, hasMore: page.hasMore)
    case .saved:
      let page = try await content.getUserBookmarks(userId: userId, limit: pageSize, offset: offset)
      return Page(items: page.posts, totalCount: page.total, hasMore: page.hasMore)
    case .liked:
      let page = try await social.getUserLikedPosts(userId: userId, limit: pageSize, offset: offset)
      let posts = page.postIds.isEmpty ? [] : try await content.getPostsByIds(postIds: page.postIds)
      return Page(
        items: posts, totalCount: page.total, hasMore: page.hasMore, coveredCount: page.postIds.count)
    }
  }

  /// How often posts are liked and, where somebody looks at them, whether they like them. What cannot be loaded is left
  /// out, as likes are an ornament.
  func marks(on postIds: [String], viewerId: String?) async -> [String: PostMark] {
    guard !postIds.isEmpty else { return [:] }
    async let stats = result { try await social.batchGetPostStats(postIds: postIds) }
    async let likes = result {
      guard let viewerId else { return [String: Bool]() }
      return try await social.batchCheckUserLiked(postIds: postIds, userId: viewerId)
    }
    let (counts, liked) = await ((try? stats.get()) ?? [:], (try? likes.get()) ?? [:])
    return Dictionary(
      postIds.map { ($0, PostMark(isLiked: liked[$0], likeCount: counts[$0].map { Int($0.likeCount) })) }
    ) { first, _ in first }
  }

  private func isFollowed(_ userId: String, by viewerId: String?) async throws -> Bool? {
    guard let viewerId, viewerId != userId else { return nil }
    return try await graph.isFollowing(followerId: viewerId, followeeId: userId)
  }

}

/// The likes of a post; nil for what is not known.
struct PostMark: Sendable, Hashable {
  var isLiked: Bool?
  var likeCount: Int?
}

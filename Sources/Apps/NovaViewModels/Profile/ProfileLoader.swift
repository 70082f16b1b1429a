public import NovaContent
public import NovaCore
public import NovaGraph
public import NovaSocial
public import NovaUsers

/// Loads the content of a profile with concurrent calls, in an app or on a server.
///
/// ```swift
/// let loader = ProfileLoader(users: nova.users, graph: nova.graph, content: nova.content, social: nova.social)
/// let loaded = await loader.load(userId: "mock-user-id")
/// print(try loaded.profile.get().username, try loaded.posts.get().items.count)
/// ```
///
/// It has no state. ``load(userId:viewerId:)`` returns the parts of a profile independently of each other; each part is
/// one call of a service, except for liked posts (two) and the likes of posts (two at the same time). View models load
/// single parts, and set the cache policy of all services at once with `withOptions` (see `LoadedParts`).
public struct ProfileLoader: Sendable {
  private(set) var users: any UserServiceProtocol
  private(set) var graph: any GraphServiceProtocol
  private(set) var content: any ContentServiceProtocol
  private(set) var social: any SocialServiceProtocol
  /// The number of items to load at a time.
  public let pageSize: Int

  /// Creates a loader.
  ///
  /// - Parameter pageSize: the number of items to load at a time, 1…100; other values are clamped. Default: 50.
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

  /// Loads profile, followers, following, posts, and bookmarks concurrently.
  ///
  /// Does not throw: each part of the result is a value or an error. If the task is cancelled, parts fail with a
  /// cancellation.
  ///
  /// - Parameters:
  ///   - userId: the user whose profile to load.
  ///   - viewerId: the viewer, to load whether they follow the user. Default: no viewer.
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

  /// Returns a page of the IDs of a user's followers, newest follow first.
  ///
  /// - Throws: ``APIError``.
  public func followers(of userId: String, offset: Int = 0) async throws -> Page<String> {
    Page(try await graph.getFollowers(userId: userId, limit: pageSize, offset: offset), offset: offset)
  }

  /// Returns a page of the IDs of the users that a user follows, newest follow first.
  ///
  /// - Throws: ``APIError``.
  public func following(of userId: String, offset: Int = 0) async throws -> Page<String> {
    Page(try await graph.getFollowing(userId: userId, limit: pageSize, offset: offset), offset: offset)
  }

  /// Returns a page of the posts of a tab, newest first. Liked posts take two sequential calls, one for the IDs and one
  /// for the posts; deleted posts are left out.
  ///
  /// - Throws: ``APIError``.
  public func page(of tab: ContentTab, userId: String, offset: Int = 0) async throws -> Page<Post> {
    try await page(of: tab, userId: userId, offset: offset, limit: pageSize)
  }

  /// - Parameter limit: the maximum number of positions that the page covers.
  func page(of tab: ContentTab, userId: String, offset: Int, limit: Int) async throws -> Page<Post> {
    switch tab {
    case .posts:
      return Page(
        try await content.getPostsByAuthor(authorId: userId, status: .published, limit: limit, offset: offset),
        offset: offset)
    case .saved:
      return Page(
        try await content.getUserBookmarks(userId: userId, limit: limit, offset: offset), offset: offset)
    case .liked:
      let liked = try await social.getUserLikedPosts(userId: userId, limit: limit, offset: offset)
      return liked.page(of: liked.postIds.isEmpty ? [] : try await content.getPostsByIds(postIds: liked.postIds))
    }
  }

  /// Returns the number of likes of posts, and whether the viewer likes them. Failed calls are ignored, because likes
  /// are supplementary.
  func marks(on postIds: [String], viewerId: String?) async -> [ExactText: PostMark] {
    guard !postIds.isEmpty else { return [:] }
    // If two IDs differ only in their Unicode form, the responses have one entry for both.
    let named = Set(postIds)
    let postIds = postIds.filter { id in named.firstIndex(of: id).map { named[$0].hasSameBytes(as: id) } ?? false }
    async let stats = result { try await social.batchGetPostStats(postIds: postIds) }
    async let likes = result {
      guard let viewerId else { return [String: Bool]() }
      return try await social.batchCheckUserLiked(postIds: postIds, userId: viewerId)
    }
    let (counts, liked) = await ((try? stats.get()) ?? [:], (try? likes.get()) ?? [:])
    return Dictionary(
      postIds.map { (ExactText($0), PostMark(isLiked: liked[$0], likeCount: counts[$0].map { Int($0.likeCount) })) }
    ) { first, _ in first }
  }

  func isFollowed(_ userId: String, by viewerId: String?) async throws -> Bool? {
    guard let viewerId, !viewerId.hasSameBytes(as: userId) else { return nil }
    return try await graph.isFollowing(followerId: viewerId, followeeId: userId)
  }

  // MARK: Stores

  /// Whether the clients of all services have stores, and no service has a cache policy of its own.
  var readsStores: Bool {
    let services: [any ServiceProtocol] = [users, graph, content, social]
    return services.allSatisfy { ($0 as? any NovaService)?.readsStore ?? false }
  }

  /// A copy with changed options for its calls.
  func withOptions(_ change: (inout CallOptions) -> Void) -> Self {
    var copy = self
    copy.users = users.withOptions(change)
    copy.graph = graph.withOptions(change)
    copy.content = content.withOptions(change)
    copy.social = social.withOptions(change)
    return copy
  }
}

/// The likes of a post; nil for what is unknown.
struct PostMark: Sendable, Hashable {
  var isLiked: Bool?
  var likeCount: Int?

  /// A copy in which another mark fills in unknown values.
  func completed(by other: PostMark) -> PostMark {
    PostMark(isLiked: isLiked ?? other.isLiked, likeCount: likeCount ?? other.likeCount)
  }
}

/// The result of `load`.
func result<Value: Sendable>(_ load: () async throws -> Value) async -> Result<Value, any Error> {
  do { return .success(try await load()) } catch { return .failure(error) }
}

import NovaCore
public import NovaEvents
public import NovaFeed
public import NovaGraph
public import NovaSocial

extension GraphService {
  /// The followers of a user, newest follow first, as they change. See ``LiveList``.
  ///
  /// - Parameter limit: the number of followers to show, 1…1,000. Default 50.
  public func liveFollowers(of userId: String, limit: Int = 50) -> LiveList<String> {
    LiveList(
      FollowerSource(graph: self, userId: userId), limit: limit,
      maximumLimit: GraphRPC.getFollowers.descriptor.pageLimit?.maximum ?? .max,
      events: EventService(client: client, options: options))
  }
}

extension SocialService {
  /// A post's comments and replies, newest first, as they change. See ``LiveList``.
  ///
  /// - Parameter limit: the number of comments to show, 1…100. Default 50.
  public func liveComments(on postId: String, limit: Int = 50) -> LiveList<Comment> {
    LiveList(
      CommentSource(social: self, postId: postId), limit: limit,
      maximumLimit: SocialRPC.getComments.descriptor.pageLimit?.maximum ?? .max,
      events: EventService(client: client, options: options))
  }
}

extension FeedService {
  /// The beginning of a user's feed as it changes: its posts, their texts, and their counts. See ``LiveList``.
  ///
  /// - Parameters:
  ///   - limit: the number of posts to show, 1…98. Default 20.
  ///   - algorithm: Default: the server's.
  public func liveFeed(
    of userId: String, limit: Int = 20, algorithm: FeedAlgorithm? = nil
  ) -> LiveList<FeedPost> {
    LiveList(
      FeedSource(feed: self, userId: userId, algorithm: algorithm), limit: limit,
      maximumLimit: EventTopic.maximumCount - FeedSource.ownTopics,
      events: EventService(client: client, options: options))
  }
}

private struct FollowerSource: LiveListSource {
  let graph: GraphService
  let userId: String

  func topics(showing items: [String]) -> [EventTopic] { [.user(userId)] }

  func read(limit: Int) async throws -> LivePage<String> {
    let page = try await graph.getFollowers(userId: userId, limit: limit)
    return LivePage(page.userIds, limit: limit, hasMore: page.hasMore)
  }

  func apply(_ event: Event, to page: inout LivePage<String>) {
    guard event.subjectId.hasSameBytes(as: userId) else { return }
    switch event.kind {
    // Even if the follower is already shown: the follows of one page are applied in their order.
    case .followCreated: page.putFirst(event.actorId) { $0.hasSameBytes(as: event.actorId) }
    case .followDeleted: page.remove { $0.hasSameBytes(as: event.actorId) }
    default: break
    }
  }
}

private struct CommentSource: LiveListSource {
  let social: SocialService
  let postId: String

  func topics(showing items: [Comment]) -> [EventTopic] { [.post(postId)] }

  func read(limit: Int) async throws -> LivePage<Comment> {
    let page = try await social.getComments(postId: postId, limit: limit)
    return LivePage(page.comments, limit: limit, hasMore: page.hasMore)
  }

  func apply(_ event: Event, to page: inout LivePage<Comment>) async throws {
    guard event.postId.hasSameBytes(as: postId) else { return }
    let id = event.commentId ?? ""
    let isShown = page.items.contains { $0.id.hasSameBytes(as: id) }
    switch event.kind {
    case .commentCreated where !isShown:
      if let comment = try await social.getComment(commentId: id) {
        page.putFirst(comment) { $0.id.hasSameBytes(as: id) }
      }
    case .commentUpdated where isShown:
      let comment = try await social.getComment(commentId: id)
      page.change(where: { $0.id.hasSameBytes(as: id) }) { $0 = comment ?? $0 }
    case .commentDeleted: page.remove { $0.id.hasSameBytes(as: id) }
    case .postDeleted: page.readAgain()
    default: break
    }
  }
}

private struct FeedSource: LiveListSource {
  let feed: FeedService
  let userId: String
  let algorithm: FeedAlgorithm?

  /// The number of topics other than those of the posts.
  static let ownTopics = 2

  func topics(showing items: [FeedPost]) -> [EventTopic] {
    [.feed(of: userId), .user(userId)] + items.map { .post($0.id) }
  }

  func read(limit: Int) async throws -> LivePage<FeedPost> {
    let page = try await feed.getFeed(userId: userId, limit: limit, algorithm: algorithm)
    return LivePage(page.posts, limit: limit, hasMore: page.hasMore)
  }

  func apply(_ event: Event, to page: inout LivePage<FeedPost>) {
    let isShown = { (post: FeedPost) in event.postId.hasSameBytes(as: post.id) }
    switch event.kind {
    // Only the server determines the place of a new post, and the posts that remain after unfollowing.
    case .postCreated where !page.items.contains(where: isShown): page.readAgain()
    case .followCreated where event.actorId.hasSameBytes(as: userId): page.readAgain()
    case .followDeleted where event.actorId.hasSameBytes(as: userId): page.readAgain()
    case .postDeleted: page.remove(where: isShown)
    default: page.change(where: isShown) { $0.take(event) }
    }
  }
}

extension FeedPost {
  /// Applies the text and counts of an event about this post.
  fileprivate mutating func take(_ event: Event) {
    if event.kind == .postUpdated, let text = event.text { content = text }
    likeCount = event.likeCount.map(Int.init(clamping:)) ?? likeCount
    commentCount = event.commentCount.map(Int.init(clamping:)) ?? commentCount
    shareCount = event.shareCount.map(Int.init(clamping:)) ?? shareCount
  }
}

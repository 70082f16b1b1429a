public import NovaCore

/// An algorithm that builds a feed. Open: servers may support more.
public struct FeedAlgorithm: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let chronological = FeedAlgorithm(rawValue: "ch")
  public static let v2 = FeedAlgorithm(rawValue: "v2")
  public static let hybrid = FeedAlgorithm(rawValue: "hybrid")
}

extension FeedServiceProtocol {
  /// Returns a page of a user's feed.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of posts. Default 0: the server's default.
  ///   - cursor: `nextCursor` of the previous page. Default: the first page.
  ///   - algorithm: the algorithm that builds the feed. Default: the server's.
  /// - Returns: the page. `hasMore` is set even if the server sends only a cursor.
  /// - Throws: ``APIError``; `invalidArgument` for an unknown cursor.
  public func getFeed(
    userId: String, limit: Int = 0, cursor: String = "", algorithm: FeedAlgorithm? = nil
  ) async throws -> GetFeedResponse {
    var response = try await getFeed(
      GetFeedRequest(userId: userId, limit: limit, cursor: cursor, algorithm: algorithm?.rawValue ?? ""))
    response.hasMore = response.page.mayHaveMore
    return response
  }

  /// A user's feed, read page by page during iteration.
  ///
  /// - Parameters:
  ///   - algorithm: the algorithm that builds the feed. Default: the server's.
  ///   - pageSize: the number of items to request at a time. Default 50.
  ///   - maximumCount: the maximum number of items to deliver. Default: all.
  public func feed(
    of userId: String, algorithm: FeedAlgorithm? = nil, pageSize: Int = 50, maximumCount: Int? = nil
  ) -> CursorSequence<FeedPost> {
    CursorSequence(pageSize: pageSize, maximumCount: maximumCount) { limit, cursor in
      try await getFeed(
        GetFeedRequest(userId: userId, limit: limit, cursor: cursor, algorithm: algorithm?.rawValue ?? "")
      ).page
    }
  }

  /// Ranks posts for a user.
  ///
  /// - Returns: the posts' IDs, best first, each with its score and the reason.
  /// - Throws: ``APIError``.
  public func rankPosts(
    userId: String, posts: [RankablePost], context: RankingContext? = nil
  ) async throws -> [RankedPost] {
    try await rankPosts(RankPostsRequest(userId: userId, posts: posts, context: context)).rankedPosts
  }

  /// Suggests users to follow, best first.
  ///
  /// - Parameter limit: the maximum number of items. Default 0: the server's default.
  /// - Throws: ``APIError``.
  public func getRecommendedCreators(userId: String, limit: Int = 0) async throws -> [RecommendedCreator] {
    try await getRecommendedCreators(GetRecommendedCreatorsRequest(userId: userId, limit: limit)).creators
  }

  /// Makes the server rebuild a user's feed.
  ///
  /// - Parameter eventType: what happened, as the server names it.
  /// - Throws: ``APIError``.
  public func invalidateFeedCache(userId: String, eventType: String = "") async throws {
    try await acknowledged(
      FeedRPC.invalidateFeedCache, InvalidateFeedCacheRequest(userId: userId, eventType: eventType),
      by: invalidateFeedCache(_:))
  }
}

extension GetFeedResponse {
  /// The page, for ``CursorSequence``.
  fileprivate var page: CursorPage<FeedPost> {
    CursorPage(items: posts, nextCursor: nextCursor, saysMore: hasMore)
  }
}

import NovaCore
import NovaFeed

extension CheckRun {
  mutating func checkFeed(_ me: String) async throws {
    let reader = facts.users.first { $0 != facts.account?.id && $0 != facts.otherAccount?.id } ?? me
    // Somebody else's feed may be nobody's business; one's own is.
    let user = check.tokens == nil && ownToken == nil ? reader : me
    var first = try await valid(FeedRPC.getFeed, GetFeedRequest(userId: user, limit: 2), "limit 2")
    for algorithm in ["ch", "v2", "hybrid"] {
      let page = try await valid(
        FeedRPC.getFeed, GetFeedRequest(userId: user, limit: 1, algorithm: algorithm),
        "limit 1, algorithm \(algorithm)")
      if algorithm == "ch", let page { first = page }
      facts.learn(posts: page?.posts.map(\.id) ?? [])
    }
    if let cursor = first?.nextCursor, !cursor.isEmpty {
      try await valid(
        FeedRPC.getFeed, GetFeedRequest(userId: user, limit: 2, cursor: cursor, algorithm: "ch"), "the second page")
    }
    try await refused(
      FeedRPC.getFeed, GetFeedRequest(userId: user, algorithm: "nova-contract"), "an unknown algorithm",
      .invalidArgument)
    try await refused(
      FeedRPC.getFeed, GetFeedRequest(userId: user, cursor: "nova-contract"), "a cursor that is none",
      .invalidArgument)
    try await checkRanking(user, first?.posts ?? [])
    if !isReadOnly, let account = facts.account {
      try await valid(
        FeedRPC.invalidateFeedCache, InvalidateFeedCacheRequest(userId: account.id, eventType: "follow"), "a follow")
    }
  }

  private mutating func checkRanking(_ user: String, _ posts: [FeedPost]) async throws {
    let known = posts.map {
      RankablePost(
        id: $0.id, authorId: $0.userId, content: $0.content, createdAt: $0.createdAt, likeCount: $0.likeCount)
    }
    let other = RankablePost(
      id: Facts.unknownID, authorId: Facts.unknownID, content: "A post.", createdAt: 1_725_315_591, likeCount: 3)
    try await valid(FeedRPC.rankPosts, RankPostsRequest(userId: user, posts: known + [other]), "posts")
    try await valid(
      FeedRPC.getRecommendedCreators, GetRecommendedCreatorsRequest(userId: user, limit: 3), "limit 3")
  }
}

import NovaContent
public import NovaFeed
import NovaSocial

extension World {
  /// A user's feed: what those they follow have published for them to see, but for the muted; the best first.
  ///
  /// - Parameters:
  ///   - index: whose feed.
  ///   - limit: how many posts at most. Default 20.
  public func feed(ofUserAt index: Int, limit: Int = 20) -> [FeedPost] {
    let muted = Set(graph.mutes.targets(of: index))
    // Enough to choose from; a celebrity's whole life is not.
    let authors = following(ofUserAt: index).lazy.filter { !muted.contains($0) }.prefix(100)
    let posts = authors.flatMap { publishedPosts(ofUserAt: $0).suffix(5) }.filter { isVisible($0) }
    return posts.map(feedPost).sorted { ($1.rankingScore, $0.id) < ($0.rankingScore, $1.id) }.prefix(max(0, limit)) + []
  }

  /// Whoever has a post in their feed follows its author.
  private func isVisible(_ post: Int) -> Bool { self.post(at: post).privacy != "private" }

  /// Newer and liked more is better: a like makes up for an hour.
  private func feedPost(_ index: Int) -> FeedPost {
    let post = post(at: index)
    let stats = stats(ofPostAt: index)
    let hours = (post.createdAt - WorldTime.start) / 3600 + stats.likeCount
    return FeedPost(
      id: post.id, userId: post.creatorId, content: post.content, createdAt: post.createdAt,
      rankingScore: Double(hours) / 1000, likeCount: Int(stats.likeCount), commentCount: Int(stats.commentCount),
      shareCount: Int(stats.shareCount))
  }
}

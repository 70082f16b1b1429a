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
    // Whoever has a post in their feed follows its author, so only the private ones are left out.
    let posts = authors.flatMap { author in ranked(newestPosts(of: author), by: author) }
    return posts.sorted { ($1.hours, $0.id) < ($0.hours, $1.id) }.prefix(max(0, limit)).map(feedPost)
  }

  /// What a post's place in a feed depends on.
  private struct RankedPost {
    let index: Int
    let id: String
    let likes: Int
    let hours: Int64
  }

  private func newestPosts(of author: Int) -> [Int] {
    publishedPosts(ofUserAt: author).suffix(5).filter { privacy($0) != "private" }
  }

  /// Newer and liked more is better: a like makes up for an hour.
  private func ranked(_ indices: [Int], by author: Int) -> [RankedPost] {
    guard !indices.isEmpty else { return [] }
    let (all, hidden) = (posts(ofUserAt: author), whoMayNotReact(toPostsBy: author))
    return indices.map { index in
      let likes = likeCount(ofPostAt: index, without: hidden)
      let hours = (postTime(index, by: author, amongst: all) - WorldTime.start) / 3600 + Int64(likes)
      return RankedPost(index: index, id: postID(at: index), likes: likes, hours: hours)
    }
  }

  private func feedPost(_ ranked: RankedPost) -> FeedPost {
    let post = post(at: ranked.index)
    return FeedPost(
      id: post.id, userId: post.creatorId, content: post.content, createdAt: post.createdAt,
      rankingScore: Double(ranked.hours) / 1000, likeCount: ranked.likes,
      commentCount: commentCount(ofPostAt: ranked.index), shareCount: sharers(ofPostAt: ranked.index).count)
  }
}

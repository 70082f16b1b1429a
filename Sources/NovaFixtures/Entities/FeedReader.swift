package import NovaFeed

/// Makes feeds. What feeds show of an author is the same for all who follow them, so it is kept for the feeds to come;
/// that makes many feeds several times as fast as each alone.
///
/// For one task at a time.
package final class FeedReader {
  private let world: World
  private var authors = Kept<[RankedPost]>()
  private var posts = Kept<FeedPost>()

  package init(_ world: World) { self.world = world }

  /// A user's feed, as ``World/feed(ofUserAt:limit:)`` describes it.
  package func feed(ofUserAt index: Int, limit: Int = World.usualFeedLength) -> [FeedPost] {
    var ranked: [RankedPost] = []
    for author in authors(forUserAt: index) { ranked += authors[author, orMade: { world.rankedPosts(by: author) }] }
    ranked.sort { $0.hours == $1.hours ? world.postID(at: $0.index) < world.postID(at: $1.index) : $0.hours > $1.hours }
    return ranked.prefix(max(0, limit)).map { post in posts[post.index, orMade: { world.feedPost(post) }] }
  }

  /// Whose posts somebody may be shown, in no order: enough to choose from. Of very many, those followed last.
  private func authors(forUserAt index: Int) -> [Int] {
    let most = 100
    let muted = world.graph.mutes.targets(of: index)
    let followed = world.graph.following(index).filter { !muted.contains($0) }
    if followed.count <= most { return followed }
    return Array(world.following(ofUserAt: index).lazy.filter { !muted.contains($0) }.prefix(most))
  }
}

/// Values by number: the last one for each remainder of it.
private struct Kept<Value> {
  /// Some 10 MB of posts.
  private static var places: Int { 1 << 15 }

  private var slots: [(number: Int, value: Value)?] = Array(repeating: nil, count: places)

  subscript(number: Int, orMade make: () -> Value) -> Value {
    mutating get {
      let place = number & (Self.places - 1)
      if let slot = slots[place], slot.number == number { return slot.value }
      let value = make()
      slots[place] = (number, value)
      return value
    }
  }
}

/// A post, and what its place in a feed depends on.
private struct RankedPost {
  let index: Int
  let author: Int
  let created: Int64
  let likes: Int

  /// Newer and liked more is better: a like makes up for an hour.
  var hours: Int64 { (created - WorldTime.start) / 3600 + Int64(likes) }
}

extension World {
  /// The newest posts of an author that others are shown.
  fileprivate func rankedPosts(by author: Int) -> [RankedPost] {
    // Whoever has a post in their feed follows its author, so only the private ones are left out.
    let newest = publishedPosts(ofUserAt: author).suffix(5).filter { privacy($0) != "private" }
    guard !newest.isEmpty else { return [] }
    let (all, hidden) = (posts(ofUserAt: author), whoMayNotReact(toPostsBy: author))
    return newest.map { index in
      RankedPost(
        index: index, author: author, created: postTime(index, by: author, amongst: all),
        likes: likeCount(ofPostAt: index, without: hidden))
    }
  }

  fileprivate func feedPost(_ post: RankedPost) -> FeedPost {
    FeedPost(
      id: postID(at: post.index), userId: userID(at: post.author),
      content: postContent(post.index, words(of: post.author)), createdAt: post.created,
      rankingScore: Double(post.hours) / 1000, likeCount: post.likes, commentCount: commentCount(ofPostAt: post.index),
      shareCount: sharers(ofPostAt: post.index).count)
  }
}

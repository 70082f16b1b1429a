public import NovaFeed

/// Computes feeds. It caches each author's posts for later feeds, which makes computing many feeds several times faster
/// than computing each alone.
///
/// Use it from one task at a time.
package final class FeedReader {
  private let world: World
  private var authors = DirectMappedCache<[RankedPost]>()
  private var posts = DirectMappedCache<FeedPost>()

  package init(_ world: World) { self.world = world }

  /// Returns a user's feed, as ``World/feed(ofUserAt:limit:)`` describes it.
  package func feed(ofUserAt index: Int, limit: Int = World.usualFeedLength) -> [FeedPost] {
    var ranked: [RankedPost] = []
    for author in authors(forUserAt: index) { ranked += authors[author, orCreate: { world.rankedPosts(by: author) }] }
    ranked.sort { $0.hours == $1.hours ? world.postID(at: $0.index) < world.postID(at: $1.index) : $0.hours > $1.hours }
    return ranked.prefix(max(0, limit)).map { post in posts[post.index, orCreate: { world.feedPost(post) }] }
  }

  /// Returns the authors of a feed in no particular order; the most recently followed ones if there are very many.
  private func authors(forUserAt index: Int) -> [Int] {
    let most = 100
    let muted = world.graph.mutes.targets(of: index)
    let followed = world.graph.following(index).filter { !muted.contains($0) }
    if followed.count <= most { return followed }
    return Array(world.following(ofUserAt: index).lazy.filter { !muted.contains($0) }.prefix(most))
  }
}

/// A direct-mapped cache of values by number.
private struct DirectMappedCache<Value> {
  /// Room for about 10 MB of posts.
  private static var slotCount: Int { 1 << 15 }

  private var slots: [(number: Int, value: Value)?] = Array(repeating: nil, count: slotCount)

  subscript(number: Int, orCreate make: () -> Value) -> Value {
    mutating get {
      let place = number & (Self.slotCount - 1)
      if let slot = slots[place], slot.number == number { return slot.value }
      let value = make()
      slots[place] = (number, value)
      return value
    }
  }
}

/// A post with the values that determine its position in a feed.
private struct RankedPost {
  let index: Int
  let author: Int
  let created: Int64
  let likes: Int

  /// The rank: newer and more liked posts are higher, and a like counts as much as an hour.
  var hours: Int64 { (created - WorldTime.start) / 3600 + Int64(likes) }
}

extension World {
  /// Returns the newest visible posts of an author.
  fileprivate func rankedPosts(by author: Int) -> [RankedPost] {
    // The owner of a feed follows its authors, so only private posts are hidden.
    let newest = publishedPosts(ofUserAt: author).suffix(5).filter { privacy($0) != "private" }
    guard !newest.isEmpty else { return [] }
    let (all, hidden) = (posts(ofUserAt: author), graph.unableToReact(toPostsBy: author))
    return newest.map { index in
      RankedPost(
        index: index, author: author, created: postTime(index, by: author, among: all),
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

extension World {
  /// The default length of a feed: 20 posts.
  public static let usualFeedLength = 20

  /// Returns a user's feed: visible posts by the users they follow and have not muted, best first.
  ///
  /// - Parameters:
  ///   - index: the index of the user.
  ///   - limit: the maximum number of posts. Default: ``usualFeedLength``, 20.
  public func feed(ofUserAt index: Int, limit: Int = usualFeedLength) -> [FeedPost] {
    FeedReader(self).feed(ofUserAt: index, limit: limit)
  }
}

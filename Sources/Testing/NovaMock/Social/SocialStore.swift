import NovaCore
import NovaSocial

/// Likes, comments, and shares, by the post numbers of ``ContentStore``.
struct SocialStore: Sendable {
  var likes = LikeStore()
  var comments = CommentStore()
  var shares = ShareStore()

  /// Removes all likes, comments, and shares of a post. O(n) in their number.
  mutating func forget(post: Int32) {
    likes.forget(post: post)
    comments.forget(post: post)
    shares.forget(post: post)
  }

  func counts(ofPost post: Int32) -> PostCounts {
    PostCounts(likes: likes.count(post), comments: comments.count(post), shares: shares.count(post))
  }
}

/// The number of likes, comments, and shares of a post.
struct PostCounts: Equatable, Sendable {
  var likes = 0
  var comments = 0
  var shares = 0
}

/// Likes with their times.
struct LikeStore: Sendable {
  private var ids = CountedID(prefix: "like-")
  private var users = IDTable()
  private var likes = Relation()
  /// The time of each like by its stamp: eight bytes that stay when a like is removed.
  private var times: [Int64] = []

  var count: Int { likes.count }

  func count(_ post: Int32) -> Int { likes.sources(of: post).count }

  /// Returns the likes of a post, as entries for ``like(_:ofPost:)``.
  func likes(of post: Int32) -> StampedList { likes.sources(of: post) }

  /// Returns the posts that a user likes, in the order of the likes.
  func posts(likedBy user: String) -> StampedList { users.number(user).map(likes.targets) ?? StampedList() }

  func isLiked(_ post: Int32, by user: String) -> Bool {
    users.number(user).map { likes.contains($0, post) } ?? false
  }

  func like(_ entry: StampedList.Entry, ofPost id: String) -> Like {
    Like(
      id: ids.id(entry.stamp), userId: users.id(entry.value), postId: id, createdAt: times[Int(entry.stamp)])
  }

  /// Adds a like; returns false if it exists.
  ///
  /// - Parameter id: a custom id from a data set, before any like without one. Default: the next id.
  @discardableResult
  mutating func add(_ user: String, _ post: Int32, at time: Int64, id: String? = nil) -> Bool {
    guard likes.insert(users.add(user), post) else { return false }
    times.append(time)
    if let id { ids.give(id) }
    return true
  }

  /// Removes a like; returns false if there is none.
  @discardableResult
  mutating func remove(_ user: String, _ post: Int32) -> Bool {
    users.number(user).map { likes.remove($0, post) } ?? false
  }

  mutating func forget(post: Int32) { likes.removeAll(target: post) }
}

/// The way a post is shared.
enum ShareType: String, CaseIterable, Sendable {
  case repost, story, dm
}

/// Shares of posts. No RPC lists shares, so the store supports only counting and lookup.
struct ShareStore: Sendable {
  private var sharesOfPosts: [Int32: [Share]] = [:]
  private var sharers: Set<Sharer> = []

  private struct Share: Sendable {
    let user: String
    let type: ShareType
    let time: Int64
  }

  private struct Sharer: Hashable, Sendable {
    @ExactText var user: String
    let post: Int32
  }

  var count: Int { sharesOfPosts.values.reduce(0) { $0 + $1.count } }

  func count(_ post: Int32) -> Int { sharesOfPosts[post]?.count ?? 0 }

  func isShared(_ post: Int32, by user: String) -> Bool { sharers.contains(Sharer(user: user, post: post)) }

  mutating func add(_ user: String, _ post: Int32, type: ShareType, at time: Int64) {
    sharesOfPosts[post, default: []].append(Share(user: user, type: type, time: time))
    sharers.insert(Sharer(user: user, post: post))
  }

  mutating func forget(post: Int32) {
    for share in sharesOfPosts.removeValue(forKey: post) ?? [] { sharers.remove(Sharer(user: share.user, post: post)) }
  }
}

import NovaContent
import NovaCore
import NovaSocial

/// What the backend should hold, in the plainest form: arrays in the order of events, searched from end to end.
struct SocialModel {
  struct Pair: Hashable {
    let user: String
    let other: String
  }

  var posts: [Post] = []
  var likes: [Pair] = []
  var bookmarks: [Pair] = []
  var shares: [Pair] = []
  var comments: [Comment] = []
  /// Ids of comments in the order of their last change.
  var changes: [String] = []
  var follows: [Pair] = []
  var blocks: Set<Pair> = []
  var mutes: Set<Pair> = []
  var postCount = 0
  var commentCount = 0

  func post(_ id: String) -> Post? { posts.first { $0.id == id } }

  func count(_ pairs: [Pair], of post: String) -> Int { pairs.filter { $0.other == post }.count }

  func isBlocked(_ one: String, _ other: String) -> Bool {
    blocks.contains(Pair(user: one, other: other)) || blocks.contains(Pair(user: other, other: one))
  }

  func stats(_ post: String) -> PostStats {
    PostStats(
      likeCount: Int64(count(likes, of: post)), commentCount: Int64(comments.filter { $0.postId == post }.count),
      shareCount: Int64(count(shares, of: post)))
  }

  /// The posts a user's feed may and must hold.
  func feed(_ user: String) -> Set<String> {
    Set(
      posts.filter { post in
        guard post.status == "published" else { return false }
        if post.creatorId == user { return true }
        let pair = Pair(user: user, other: post.creatorId)
        return post.privacy != "private" && follows.contains(pair) && !mutes.contains(pair)
          && !isBlocked(user, post.creatorId)
      }.map(\.id))
  }

  mutating func removeComment(_ id: String) {
    comments.removeAll { $0.id == id }
    changes.removeAll { $0 == id }
    for reply in comments.filter({ $0.parentCommentId == id }) { removeComment(reply.id) }
  }

  mutating func removePost(_ id: String) {
    posts.removeAll { $0.id == id }
    likes.removeAll { $0.other == id }
    bookmarks.removeAll { $0.other == id }
    shares.removeAll { $0.other == id }
    let gone = Set(comments.filter { $0.postId == id }.map(\.id))
    comments.removeAll { gone.contains($0.id) }
    changes.removeAll { gone.contains($0) }
  }
}

extension [SocialModel.Pair] {
  mutating func insert(_ pair: SocialModel.Pair) {
    if !contains(pair) { append(pair) }
  }

  mutating func remove(_ pair: SocialModel.Pair) { removeAll { $0 == pair } }

  /// The other ends of a user's pairs, newest first.
  func others(of user: String) -> [String] { filter { $0.user == user }.map(\.other).reversed() }

  /// The users of the pairs with this other end, newest first.
  func users(of other: String) -> [String] { filter { $0.other == other }.map(\.user).reversed() }
}

public import NovaSocial

extension World {
  /// Returns the users who like a post, newest like first, as indices for ``user(at:)``.
  public func likers(ofPostAt index: Int) -> [Int] {
    likesByTime(ofPostAt: index).map(\.item)
  }

  /// Returns the number of likes of a post.
  func likeCount(ofPostAt index: Int) -> Int { allLikers(ofPostAt: index).count }

  /// Returns the number of likes of a post, given the users whose likes do not count.
  func likeCount(ofPostAt index: Int, without hidden: [Int]) -> Int {
    reactors(postGraph.likes, toPostAt: index, without: hidden).count
  }

  private func allLikers(ofPostAt index: Int) -> [Int] { reactors(postGraph.likes, toPostAt: index) }

  /// Returns the users who reacted to a post and were able to, in the order of their numbers.
  private func reactors(_ layer: EdgeLayer, toPostAt index: Int) -> [Int] {
    reactors(layer, toPostAt: index, without: graph.unableToReact(toPostsBy: author(ofPostAt: index)))
  }

  private func reactors(
    _ layer: EdgeLayer, toPostAt index: Int, without hidden: @autoclosure () -> [Int]
  ) -> [Int] {
    guard isPublic(index) else { return [] }
    var users: [Int] = []
    layer.forEachSource(of: index) { users.append($0) }
    return users.isEmpty ? [] : users.sortedDistinct(without: hidden())
  }

  /// Whether a user can react to another user's post.
  private func canReact(_ user: Int, to post: Int) -> Bool {
    isPublic(post) && !graph.unableToReact(toPostsBy: author(ofPostAt: post)).contains(user)
  }

  private func likesByTime(ofPostAt index: Int) -> [(item: Int, time: Int64)] {
    let users = allLikers(ofPostAt: index)
    guard !users.isEmpty else { return [] }
    let published = postTime(index, by: author(ofPostAt: index))
    return users.timed { reactionTime(.likeTime, by: $0, on: index, published: published) }
  }

  /// Returns the posts that a user likes, newest like first, as indices for ``post(at:)``.
  public func likedPosts(ofUserAt index: Int) -> [Int] {
    var posts: [Int] = []
    postGraph.likes.forEachTarget(of: index) { posts.append($0) }
    return posts.sortedDistinct().filter { canReact(index, to: $0) }.newestFirst { likeTime(index, $0) }
  }

  /// Returns the likes of a post, newest first.
  public func likes(ofPostAt index: Int) -> [Like] {
    let post = postID(at: index)
    return likesByTime(ofPostAt: index).map { user, time in
      Like(id: "like-\(user + 1)-\(index + 1)", userId: userID(at: user), postId: post, createdAt: time)
    }
  }

  /// Returns the users who have shared a post, in the order of their numbers.
  public func sharers(ofPostAt index: Int) -> [Int] { reactors(postGraph.shares, toPostAt: index) }

  /// Returns the type of a user's share of a post.
  public func shareType(_ user: Int, _ post: Int) -> String {
    entropy.draw(.shareType, for: user, post).pick(["repost", "story", "dm"])
  }

  /// Returns the posts that a user has bookmarked, newest bookmark first, as indices for ``post(at:)``.
  public func bookmarks(ofUserAt index: Int) -> [Int] {
    guard postCount > 0 else { return [] }
    let count = entropy.draw(.bookmarkCount, for: index).lowBelow(20)
    let posts = (0..<count).map { place in
      postGraph.popularPost(entropy.draw(.bookmark, for: index, place))
    }
    return posts.sortedDistinct().filter { canReact(index, to: $0) }.newestFirst { bookmarkTime(index, $0) }
  }

  /// Returns the numbers of likes, comments, and shares of a post.
  public func stats(ofPostAt index: Int) -> PostStats {
    PostStats(
      likeCount: Int64(likeCount(ofPostAt: index)), commentCount: Int64(commentCount(ofPostAt: index)),
      shareCount: Int64(sharers(ofPostAt: index).count))
  }

  private func likeTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.likeTime, by: user, on: post) }

  package func bookmarkTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.bookmarkTime, by: user, on: post) }

  /// Returns the time of a user's share of a post.
  public func shareTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.shareTime, by: user, on: post) }

  private func reactionTime(_ field: Field, by user: Int, on post: Int) -> Int64 {
    reactionTime(field, by: user, on: post, published: postTime(post, by: author(ofPostAt: post)))
  }

  private func reactionTime(_ field: Field, by user: Int, on post: Int, published: Int64) -> Int64 {
    WorldTime.soon(after: max(published, arrival(user)), entropy.draw(field, for: user, post))
  }
}

extension Field {
  static let likeTime = Field("like.created_at")
  static let shareType = Field("share.share_type")
  static let shareTime = Field("share.created_at")
  static let bookmarkCount = Field("bookmark.count")
  static let bookmark = Field("bookmark.post_id")
  static let bookmarkTime = Field("bookmark.created_at")
}

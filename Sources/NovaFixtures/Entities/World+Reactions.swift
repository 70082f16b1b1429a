public import NovaSocial

extension World {
  /// Who likes a post, the newest like first, as places for ``user(at:)``.
  public func likers(ofPostAt index: Int) -> [Int] {
    likesByTime(ofPostAt: index).map(\.item)
  }

  /// How many like a post.
  func likeCount(ofPostAt index: Int) -> Int { everyLiker(ofPostAt: index).count }

  /// The same for who knows whose likes do not count.
  func likeCount(ofPostAt index: Int, without hidden: [Int]) -> Int {
    reactors(likeLayer, toPostAt: index, without: hidden).count
  }

  private func everyLiker(ofPostAt index: Int) -> [Int] { reactors(likeLayer, toPostAt: index) }

  /// Who has done something with a post of those who may, in the order of their numbers.
  private func reactors(_ layer: StubLayer, toPostAt index: Int) -> [Int] {
    reactors(layer, toPostAt: index, without: whoMayNotReact(toPostsBy: author(ofPostAt: index)))
  }

  private func reactors(
    _ layer: StubLayer, toPostAt index: Int, without hidden: @autoclosure () -> [Int]
  ) -> [Int] {
    guard isPublic(index) else { return [] }
    var users: [Int] = []
    layer.forEachSource(of: index) { users.append($0) }
    return users.isEmpty ? [] : users.sortedDistinct(without: hidden())
  }

  private func likesByTime(ofPostAt index: Int) -> [(item: Int, time: Int64)] {
    let users = everyLiker(ofPostAt: index)
    guard !users.isEmpty else { return [] }
    let published = postTime(index, by: author(ofPostAt: index))
    return timed(users) { reactionTime(.likeTime, $0, index, published) }
  }

  /// The posts a user likes, the newest like first, as places for ``post(at:)``.
  public func likedPosts(ofUserAt index: Int) -> [Int] {
    var posts: [Int] = []
    likeLayer.forEachTarget(of: index) { posts.append($0) }
    return newestFirst(posts.sortedDistinct().filter { mayReact(index, to: $0) }) { likeTime(index, $0) }
  }

  /// The likes of a post, the newest first.
  public func likes(ofPostAt index: Int) -> [Like] {
    let post = postID(at: index)
    return likesByTime(ofPostAt: index).map { user, time in
      Like(id: "like-\(user + 1)-\(index + 1)", userId: userID(at: user), postId: post, createdAt: time)
    }
  }

  /// Who has shared a post, in the order of their numbers.
  public func sharers(ofPostAt index: Int) -> [Int] { reactors(shareLayer, toPostAt: index) }

  /// How a user has shared a post.
  public func shareType(_ user: Int, _ post: Int) -> String {
    entropy.draw(.shareType, user, post).pick(["repost", "story", "dm"])
  }

  /// What a user has bookmarked, the newest bookmark first, as places for ``post(at:)``.
  public func bookmarks(ofUserAt index: Int) -> [Int] {
    guard postCount > 0 else { return [] }
    let count = entropy.draw(.bookmarkCount, index).lowBelow(20)
    let posts = (0..<count).map { place in
      postPopularity(entropy.draw(.bookmark, index, place).lowBelow(postCount))
    }
    return newestFirst(posts.sortedDistinct().filter { mayReact(index, to: $0) }) { bookmarkTime(index, $0) }
  }

  /// The likes, comments and shares of a post, counted.
  public func stats(ofPostAt index: Int) -> PostStats {
    PostStats(
      likeCount: Int64(likeCount(ofPostAt: index)), commentCount: Int64(commentCount(ofPostAt: index)),
      shareCount: Int64(sharers(ofPostAt: index).count))
  }

  private func likeTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.likeTime, user, post) }

  package func bookmarkTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.bookmarkTime, user, post) }

  /// When a user has shared a post.
  public func shareTime(_ user: Int, _ post: Int) -> Int64 { reactionTime(.shareTime, user, post) }

  private func reactionTime(_ field: Field, _ user: Int, _ post: Int) -> Int64 {
    reactionTime(field, user, post, postTime(post, by: author(ofPostAt: post)))
  }

  private func reactionTime(_ field: Field, _ user: Int, _ post: Int, _ published: Int64) -> Int64 {
    WorldTime.soon(after: max(published, arrival(user)), entropy.draw(field, user, post))
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

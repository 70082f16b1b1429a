import NovaSocial

/// Who likes which post, and since when.
struct LikeStore: Sendable {
  private var ids = CountedID(prefix: "like-")
  private var users = IDTable()
  private var likes = Relation()
  /// When each like came, by its stamp: eight bytes that stay when a like is taken back.
  private var times: [Int64] = []

  var count: Int { likes.count }

  func count(_ post: Int32) -> Int { likes.sources(of: post).count }

  /// The likes of a post; their values are for ``like(_:of:named:)``.
  func likes(of post: Int32) -> StampedList { likes.sources(of: post) }

  /// The posts that a user likes, in the order of the likes.
  func posts(likedBy user: String) -> StampedList { users.number(user).map(likes.targets) ?? StampedList() }

  func isLiked(_ post: Int32, by user: String) -> Bool {
    users.number(user).map { likes.contains($0, post) } ?? false
  }

  func like(_ entry: StampedList.Entry, ofPost id: String) -> Like {
    Like(
      id: ids.id(entry.stamp), userId: users.id(entry.value), postId: id, createdAt: times[Int(entry.stamp)])
  }

  /// Adds a like unless it is there.
  ///
  /// - Parameter id: an id that a data set brings along, before any like without. Default: the next one.
  mutating func add(_ user: String, _ post: Int32, at time: Int64, id: String? = nil) {
    guard likes.insert(users.add(user), post) else { return }
    times.append(time)
    if let id { ids.give(id) }
  }

  mutating func remove(_ user: String, _ post: Int32) {
    if let user = users.number(user) { likes.remove(user, post) }
  }

  mutating func forget(post: Int32) { likes.removeAll(target: post) }
}

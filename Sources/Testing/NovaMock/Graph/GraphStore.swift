/// The follows, mutes, and blocks between users.
///
/// Users are numbered in order of appearance, see ``IDTable``. Following and unfollowing is linear in the shorter of
/// the two lists, so it takes microseconds even for a user with a million followers.
struct GraphStore: Sendable {
  private var users = IDTable()
  private var follows = Relation()
  private var mutes: Set<Pair> = []
  private var blocks: Set<Pair> = []

  private struct Pair: Hashable {
    let from: Int32
    let to: Int32
  }

  init() {}

  /// Creates a graph of users and distinct follows, as indices into `users`, oldest first.
  init(users ids: [String], follows pairs: [(source: Int32, target: Int32)]) {
    users.reserve(ids.count)
    for id in ids { _ = users.add(id) }
    follows = Relation(pairs, sources: ids.count, targets: ids.count)
  }

  var followCount: Int { follows.count }

  /// Returns the followers of a user, as numbers for ``id(_:)``.
  func followers(of id: String) -> StampedList { users.number(id).map(follows.sources) ?? StampedList() }

  /// Returns the users that the user with a number follows.
  func following(of number: Int32) -> StampedList { follows.targets(of: number) }

  /// Returns the users that a user follows, as numbers for ``id(_:)``.
  func following(of id: String) -> StampedList { users.number(id).map(follows.targets) ?? StampedList() }

  /// Returns the id of a number.
  func id(_ number: Int32) -> String { users.id(number) }

  func isFollowing(_ follower: String, _ followee: String) -> Bool {
    guard let pair = pair(follower, followee) else { return false }
    return follows.contains(pair.from, pair.to)
  }

  /// Adds a follow; returns false if it exists.
  @discardableResult
  mutating func follow(_ follower: String, _ followee: String) -> Bool {
    follows.insert(users.add(follower), users.add(followee))
  }

  /// Removes a follow; returns false if there is none.
  @discardableResult
  mutating func unfollow(_ follower: String, _ followee: String) -> Bool {
    pair(follower, followee).map { follows.remove($0.from, $0.to) } ?? false
  }

  func isMuted(_ muter: String, _ mutee: String) -> Bool { pair(muter, mutee).map(mutes.contains) ?? false }

  mutating func mute(_ muter: String, _ mutee: String) {
    mutes.insert(Pair(from: users.add(muter), to: users.add(mutee)))
  }

  mutating func unmute(_ muter: String, _ mutee: String) {
    if let pair = pair(muter, mutee) { mutes.remove(pair) }
  }

  func isBlocked(_ blocker: String, _ blocked: String) -> Bool { pair(blocker, blocked).map(blocks.contains) ?? false }

  /// Whether one of the two has blocked the other.
  func isBlockedEitherWay(_ one: String, _ other: String) -> Bool { isBlocked(one, other) || isBlocked(other, one) }

  /// Whether `author` is hidden from `viewer`: one has blocked the other, or the viewer has muted the author.
  func isHidden(_ author: String, from viewer: String) -> Bool {
    isBlockedEitherWay(viewer, author) || isMuted(viewer, author)
  }

  /// Adds a block and removes the follows between the two, which it returns.
  @discardableResult
  mutating func block(_ blocker: String, _ blocked: String) -> [(follower: String, followee: String)] {
    blocks.insert(Pair(from: users.add(blocker), to: users.add(blocked)))
    return [(blocker, blocked), (blocked, blocker)].filter { unfollow($0.0, $0.1) }
  }

  mutating func unblock(_ blocker: String, _ blocked: String) {
    if let pair = pair(blocker, blocked) { blocks.remove(pair) }
  }

  private func pair(_ from: String, _ to: String) -> Pair? {
    guard let from = users.number(from), let to = users.number(to) else { return nil }
    return Pair(from: from, to: to)
  }
}

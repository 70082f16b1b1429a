/// An edge between two users.
public struct Follow: Sendable, Hashable {
  /// Who follows.
  public let follower: Int
  /// Who is followed.
  public let followee: Int
  /// Since when, in Unix seconds.
  public let createdAt: Int64
}

extension World {
  /// Whom a user follows, the newest first, as places for ``user(at:)``.
  public func following(ofUserAt index: Int) -> [Int] {
    newestFirst(graph.following(index)) { followTime(index, $0) }
  }

  /// Who follows a user, the newest first, as places for ``user(at:)``.
  public func followers(ofUserAt index: Int) -> [Int] {
    newestFirst(graph.followers(index)) { followTime($0, index) }
  }

  /// Whom a user has blocked, as places for ``user(at:)``.
  public func blocked(byUserAt index: Int) -> [Int] { graph.blocks.targets(of: index) }

  /// Whom a user has muted, as places for ``user(at:)``.
  public func muted(byUserAt index: Int) -> [Int] { graph.mutes.targets(of: index) }

  /// The follows of one user, in the order of those followed.
  package func follows(_ index: Int) -> [Follow] {
    let arrived = arrival(index)
    return graph.following(index).map { other in
      Follow(follower: index, followee: other, createdAt: followTime(index, other, followerArrived: arrived))
    }
  }

  func followTime(_ follower: Int, _ followee: Int) -> Int64 {
    followTime(follower, followee, followerArrived: arrival(follower))
  }

  private func followTime(_ follower: Int, _ followee: Int, followerArrived: Int64) -> Int64 {
    WorldTime.soon(after: max(followerArrived, arrival(followee)), entropy.draw(.followTime, follower, followee))
  }

  /// Sorted by time, and by number where it is the same.
  func newestFirst(_ items: [Int], _ time: (Int) -> Int64) -> [Int] {
    timed(items, time).map(\.item)
  }

  /// The same with the times.
  func timed(_ items: [Int], _ time: (Int) -> Int64) -> [(item: Int, time: Int64)] {
    items.map { (item: $0, time: time($0)) }.sorted { ($1.time, $0.item) < ($0.time, $1.item) }
  }
}

extension Field {
  static let followTime = Field("follow.created_at")
}

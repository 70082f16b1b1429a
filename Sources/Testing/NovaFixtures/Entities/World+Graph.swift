/// A follow of one user by another.
public struct Follow: Sendable, Hashable {
  /// The index of the follower.
  public let follower: Int
  /// The index of the followed user.
  public let followee: Int
  /// The time of the follow in Unix seconds.
  public let createdAt: Int64
}

extension World {
  /// Returns the users that a user follows, newest first, as indices for ``user(at:)``.
  public func following(ofUserAt index: Int) -> [Int] {
    graph.following(index).newestFirst { followTime(index, $0) }
  }

  /// Returns the followers of a user, newest first, as indices for ``user(at:)``.
  public func followers(ofUserAt index: Int) -> [Int] {
    graph.followers(index).newestFirst { followTime($0, index) }
  }

  /// Returns the users that a user has blocked, as indices for ``user(at:)``.
  public func blocked(byUserAt index: Int) -> [Int] { graph.blocks.targets(of: index) }

  /// Returns the users that a user has muted, as indices for ``user(at:)``.
  public func muted(byUserAt index: Int) -> [Int] { graph.mutes.targets(of: index) }

  /// Returns the follows of a user, ordered by followed user.
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
    WorldTime.soon(after: max(followerArrived, arrival(followee)), entropy.draw(.followTime, for: follower, followee))
  }
}

extension Field {
  static let followTime = Field("follow.created_at")
}

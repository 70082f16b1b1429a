/// The follows, mutes, and blocks in a world, computed without storage. Users are numbers.
///
/// Popularity follows a power law, some users follow back, and no user follows across a block.
struct FollowGraph: Sendable {
  private let entropy: Entropy
  private let follows: EdgeLayer
  let blocks: PairLayers
  let mutes: PairLayers

  init(_ entropy: Entropy, users: Int, followsPerUser: Int) {
    self.entropy = entropy
    let count = users * followsPerUser
    follows = EdgeLayer(
      sources: RankDistribution(owners: users, items: count, .mild),
      sourceOrder: entropy.permutation(.activityOrder, count: users),
      targets: RankDistribution(owners: users, items: count, .strong),
      targetOrder: entropy.permutation(.popularityOrder, count: users),
      meeting: entropy.permutation(.followMeeting, count: count))
    blocks = PairLayers(entropy, .block, users: users, permille: 20)
    mutes = PairLayers(entropy, .mute, users: users, permille: 40)
  }

  /// Returns the users that a user follows, in the order of their numbers.
  func following(_ user: Int) -> [Int] {
    var found: [Int] = []
    follows.forEachTarget(of: user) { found.append($0) }
    let chance = chanceOfFollowingBack(user)
    follows.forEachSource(of: user) { if followBack(user, $0).chance(chance) { found.append($0) } }
    return cleaned(found, for: user)
  }

  /// Returns the followers of a user, in the order of their numbers.
  func followers(_ user: Int) -> [Int] {
    var found: [Int] = []
    follows.forEachSource(of: user) { found.append($0) }
    follows.forEachTarget(of: user) { other in
      let draw = followBack(other, user)
      if draw.chance(Self.mostFollowBack), draw.chance(chanceOfFollowingBack(other)) { found.append(other) }
    }
    return cleaned(found, for: user)
  }

  /// Returns the users blocked in either direction.
  func blocked(_ user: Int) -> [Int] { blocks.targets(of: user) + blocks.sources(of: user) }

  /// Returns the users who cannot react to a user's public posts: that user, and those blocked in either direction.
  func unableToReact(toPostsBy author: Int) -> [Int] { blocked(author) + [author] }

  func isBlockedEitherWay(_ one: Int, _ other: Int) -> Bool {
    blocks.contains(one, other) || blocks.contains(other, one)
  }

  /// Returns the probability, in permille, that a user follows a follower back. Users with very many followers follow
  /// about thirty back.
  private func chanceOfFollowingBack(_ user: Int) -> Int {
    min(Self.mostFollowBack, 30_000 / max(1, follows.degree(ofTarget: user)))
  }

  private static let mostFollowBack = 300

  private func followBack(_ user: Int, _ follower: Int) -> Draw { entropy.draw(.followBack, for: user, follower) }

  private func cleaned(_ users: [Int], for user: Int) -> [Int] {
    users.sortedDistinct(without: blocked(user) + [user])
  }
}

extension Field {
  static let activityOrder = Field("order.activity")
  static let popularityOrder = Field("order.popularity")
  static let followMeeting = Field("follow.meeting")
  static let followBack = Field("follow.back")
  static let block = Field("block")
  static let mute = Field("mute")
}

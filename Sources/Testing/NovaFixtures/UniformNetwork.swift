package import NovaContent
package import NovaUsers

/// A network for load tests in which all users have equal activity. Sizes are exact, and it is computed in one pass.
///
/// Low numbers are popular. Users and texts are those of a ``World`` with the same seed.
package struct UniformNetwork: Sendable {
  /// An event in the network.
  package enum Event {
    case post(Post)
    case like(post: Int, user: Int, time: Int64)
    case comment(post: Int, user: Int, time: Int64, content: String, isReply: Bool)
  }

  /// 2024, which begins when the last user of a world has arrived.
  private static let start = WorldTime.lastArrival
  private static let duration: Int64 = 366 * 86_400

  package let size: World.Size
  private let world: World
  private var entropy: Entropy { world.entropy }

  /// - Parameters:
  ///   - seed: the seed of all values.
  ///   - size: the size; negative numbers count as 0.
  package init(seed: Seed, size: World.Size) {
    let users = max(0, size.users)
    self.size = World.Size(
      users: users, followsPerUser: min(max(0, size.followsPerUser), max(0, users - 1)),
      postsPerUser: max(0, size.postsPerUser), likesPerPost: max(0, size.likesPerPost),
      commentsPerPost: max(0, size.commentsPerPost))
    world = World(
      seed: seed,
      unchecked: World.Size(
        users: max(1, users), followsPerUser: 0, postsPerUser: 0, likesPerPost: 0, commentsPerPost: 0))
  }

  package func userID(at index: Int) -> String { world.userID(at: index) }

  /// Returns a user with names only, so that a large network takes little memory.
  package func user(at index: Int) -> UserProfile {
    let arrival = world.arrival(index)
    return UserProfile(
      id: userID(at: index), username: world.username(index),
      displayName: world.displayName(index, world.words(of: index)), createdAt: arrival, updatedAt: arrival)
  }

  /// Returns all follows, without duplicates. Each user follows the same number of others, see ``size``.
  package func follows() -> [(source: Int32, target: Int32)] {
    var pairs: [(source: Int32, target: Int32)] = []
    pairs.reserveCapacity(size.users * size.followsPerUser)
    let order = entropy.permutation(.activityOrder, count: size.users)
    // The latest follower of each user detects repeats without a search.
    var latestFollower = [Int32](repeating: -1, count: size.users)
    for place in 0..<size.users {
      let follower = order(place)
      latestFollower[follower] = Int32(follower)
      for slot in 0..<size.followsPerUser {
        let followee = followee(of: follower, slot: slot) { latestFollower[$0] != follower }
        latestFollower[followee] = Int32(follower)
        pairs.append((source: Int32(follower), target: Int32(followee)))
      }
    }
    return pairs
  }

  /// Returns a popular user who is still free: a random one after a few attempts, then the next free one.
  private func followee(of follower: Int, slot: Int, isFree: (Int) -> Bool) -> Int {
    var followee = 0
    for attempt in 0..<8 {
      followee = popularUser(entropy.draw(.uniformFollow, for: follower, slot * 8 + attempt))
      if isFree(followee) { return followee }
    }
    while !isFree(followee) { followee = (followee + 1) % size.users }
    return followee
  }

  private func popularUser(_ draw: Draw) -> Int { draw.lowBelow(size.users) }

  /// Calls `body` with posts, likes and comments in the order of their times.
  ///
  /// In each round every user writes one post, always in the same order. Each post is followed by likes of and comments
  /// on earlier posts.
  package func forEachEvent(_ body: (Event) -> Void) {
    let order = entropy.permutation(.activityOrder, count: size.users)
    let reactions = size.likesPerPost + size.commentsPerPost
    let interval = max(1, Self.duration / max(1, Int64(size.users * size.postsPerUser)))
    for newest in 0..<size.users * size.postsPerUser {
      let author = order(newest % size.users)
      let time = Self.start + Int64(newest) * interval
      body(
        .post(
          Post(
            id: world.postID(at: newest), creatorId: userID(at: author),
            content: entropy.draw(.postContent, for: newest).pick(world.words(of: author).posts), createdAt: time,
            updatedAt: time,
            privacy: "public", status: "published")))
      for number in 0..<reactions {
        let post = popularPost(
          upTo: newest, order: order, draw: entropy.draw(.uniformReactionPost, for: newest, number))
        let draw = entropy.draw(.uniformReactor, for: newest, number)
        let user = draw.below(size.users)
        let time = time + interval * Int64(number + 1) / Int64(reactions + 1)
        if number < size.likesPerPost {
          body(.like(post: post, user: user, time: time))
        } else {
          let text = entropy.draw(.uniformComment, for: newest, number)
          body(
            .comment(
              post: post, user: user, time: time, content: text.pick(world.words(of: user).comments),
              isReply: text.bits % 3 == 0))
        }
      }
    }
  }

  /// Returns a post up to `newest` by a popular author; `newest` itself if that author has none yet.
  private func popularPost(upTo newest: Int, order: Permutation, draw: Draw) -> Int {
    let place = order.inverse(popularUser(draw))
    let rounds = newest < place ? 0 : (newest - place) / size.users + 1
    return rounds == 0 ? newest : Int(draw.bits & 0xFFFF_FFFF) % rounds * size.users + place
  }
}

extension Field {
  fileprivate static let uniformFollow = Field("uniform.follow")
  fileprivate static let uniformReactionPost = Field("uniform.reaction_post")
  fileprivate static let uniformReactor = Field("uniform.reactor")
  fileprivate static let uniformComment = Field("uniform.comment")
}

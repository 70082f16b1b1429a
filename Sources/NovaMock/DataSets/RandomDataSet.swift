import NovaUsers

/// Builds ``MockDataSet/random(users:followsPerUser:postsPerUser:likesPerPost:commentsPerPost:)``.
struct RandomDataSet {
  private static let year: Int64 = 366 * 86_400

  private let userCount: Int
  private let followsPerUser: Int
  private let postsPerUser: Int
  private let likesPerPost: Int
  private let commentsPerPost: Int
  private let ids: [String]
  private var generator: SeededGenerator

  init(
    seed: UInt64, users: Int, followsPerUser: Int, postsPerUser: Int, likesPerPost: Int, commentsPerPost: Int
  ) {
    userCount = max(0, users)
    ids = (0..<max(0, users)).map { "user-\($0 + 1)" }
    self.followsPerUser = min(max(0, followsPerUser), max(0, users - 1))
    self.postsPerUser = max(0, postsPerUser)
    self.likesPerPost = max(0, likesPerPost)
    self.commentsPerPost = max(0, commentsPerPost)
    generator = SeededGenerator(seed: seed)
  }

  mutating func state() -> MockState {
    var state = MockState()
    addProfiles(to: &state)
    state.graph = GraphStore(users: ids, follows: follows())
    addPosts(to: &state)
    return state
  }

  private mutating func addProfiles(to state: inout MockState) {
    for user in 0..<userCount {
      let name = generator.pick(SampleTexts.names)
      state.users.add(
        UserProfile(
          id: ids[user], username: "\(name.lowercased())_\(user + 1)", displayName: name,
          createdAt: SampleTexts.epoch, updatedAt: SampleTexts.epoch))
    }
  }

  // MARK: Follows

  private mutating func follows() -> [(source: Int32, target: Int32)] {
    var pairs: [(source: Int32, target: Int32)] = []
    pairs.reserveCapacity(userCount * followsPerUser)
    // Who was the last to follow each user: a repeat is noticed without looking anything up.
    var lastFollower = [Int32](repeating: -1, count: userCount)
    for follower in generator.permutation(userCount) {
      lastFollower[follower] = Int32(follower)
      for _ in 0..<followsPerUser {
        let followee = freeFollowee { lastFollower[$0] != follower }
        lastFollower[followee] = Int32(follower)
        pairs.append((source: Int32(follower), target: Int32(followee)))
      }
    }
    return pairs
  }

  /// A popular user that is still free: drawn a few times, then the next free one, so that it always ends.
  private mutating func freeFollowee(_ isFree: (Int) -> Bool) -> Int {
    var followee = 0
    for _ in 0..<8 {
      followee = generator.nextPopular(below: userCount)
      if isFree(followee) { return followee }
    }
    while !isFree(followee) { followee = (followee + 1) % userCount }
    return followee
  }

  // MARK: Posts

  /// In rounds: in each, every user writes a post, always in the same order, and after each post come likes and comments
  /// of any post so far. So times only ever rise.
  private mutating func addPosts(to state: inout MockState) {
    let order = generator.permutation(userCount)
    var places = [Int](repeating: 0, count: userCount)
    for (place, user) in order.enumerated() { places[user] = place }
    let changes = Int64(1 + likesPerPost + commentsPerPost)
    let step = max(1, Self.year / max(1, Int64(userCount * postsPerUser)))
    for round in 0..<postsPerUser {
      for (place, author) in order.enumerated() {
        let newest = round * userCount + place
        let time = SampleTexts.epoch + Int64(newest) * step
        state.content.add(StoredPost(generator.pick(SampleTexts.posts), at: time), by: ids[author])
        for change in 1..<max(1, changes) {
          let post = postOfSomebodyPopular(newest: newest, places)
          let user = ids[generator.next(below: userCount)]
          if change <= likesPerPost {
            state.social.likes.add(user, post, at: time + step * change / changes)
          } else {
            state.addSampleComment(on: post, by: user, at: time + step * change / changes, &generator)
          }
        }
      }
    }
  }

  /// One of the posts up to `newest`, by an author drawn by popularity; `newest` itself if that author has none yet.
  private mutating func postOfSomebodyPopular(newest: Int, _ places: [Int]) -> Int32 {
    let place = places[generator.nextPopular(below: userCount)]
    let rounds = newest < place ? 0 : (newest - place) / userCount + 1
    return Int32(rounds == 0 ? newest : generator.next(below: rounds) * userCount + place)
  }
}

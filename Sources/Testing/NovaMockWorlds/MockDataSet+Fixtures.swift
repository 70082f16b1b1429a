public import NovaFixtures
public import NovaMock

extension MockDataSet {
  /// Everything in a ``NovaFixtures/World``, in the world's order, with its ids and times.
  ///
  /// The backend's own seed decides only the key that signs tokens. Every active account logs in with the same password,
  /// and a capture without a token belongs to `user-1`. New accounts can be registered.
  ///
  /// ```swift
  /// let world = try World(seed: Seed(42), users: 1_000)
  /// let backend = MockBackend(dataSet: .world(world))
  /// ```
  ///
  /// A world computes its values when they are read, while the backend stores them: memory and load time grow with the
  /// world's size.
  ///
  /// - Parameters:
  ///   - world: the contents of the backend.
  ///   - password: the password of the accounts. Default: ``WorldPassword/standardText``.
  public static func world(_ world: World, password: WorldPassword = .standard) -> MockDataSet {
    let size = world.size
    let sizes = [size.users, size.followsPerUser, size.postsPerUser, size.likesPerPost, size.commentsPerPost]
    // Different contents need different names.
    let other = password == .standard ? "" : ",password \(password.stored.prefix(8))"
    let name = "world(\(world.seed),\(sizes.map(String.init).joined(separator: ","))\(other))"
    return MockDataSet(name: name) { _ in WorldDataSet.contents(of: world, password: password) }
  }

  /// A network of any size, for load tests and tests of long lists.
  ///
  /// The users are `user-1`, `user-2` and so on. The lower the number, the more popular: few have very many followers
  /// and likes, and most have few. `user-1` of 100,000 users with 50 follows each has about 66,000 followers. Each user
  /// follows exactly `followsPerUser` others and writes exactly `postsPerUser` posts; likes and comments are exact in
  /// sum over all posts, except for likes that would be repeated.
  ///
  /// ```swift
  /// let backend = MockBackend(seed: 7, dataSet: .random(users: 100_000, followsPerUser: 50))
  /// ```
  ///
  /// Use ``world(_:password:)`` for data of all services that resembles a real network.
  ///
  /// - Parameters:
  ///   - users: the number of users. Default 1,000. Negative numbers count as 0, here and below.
  ///   - followsPerUser: the number of users each follows; at most all others. Default 20.
  ///   - postsPerUser: the number of posts each writes, in the course of 2024. Default 5.
  ///   - likesPerPost: the average number of likes of a post. Default 10.
  ///   - commentsPerPost: the average number of comments on a post. Default 2.
  public static func random(
    users: Int = 1_000, followsPerUser: Int = 20, postsPerUser: Int = 5, likesPerPost: Int = 10,
    commentsPerPost: Int = 2
  ) -> MockDataSet {
    let size = World.Size(
      users: users, followsPerUser: followsPerUser, postsPerUser: postsPerUser, likesPerPost: likesPerPost,
      commentsPerPost: commentsPerPost)
    let sizes = [users, followsPerUser, postsPerUser, likesPerPost, commentsPerPost].map(String.init)
    return MockDataSet(name: "random(\(sizes.joined(separator: ",")))") { seed in
      contents(of: UniformNetwork(seed: Seed(seed), size: size))
    }
  }

  private static func contents(of network: UniformNetwork) -> MockContents {
    var contents = MockContents(sampleUser: network.userID(at: 0))
    let users = 0..<network.size.users
    let ids = users.map(network.userID)
    for user in users { contents.add(network.user(at: user)) }
    contents.setFollows(network.follows(), users: ids)
    // The newest comment on each post, for replies.
    var newestComments: [Int: Int32] = [:]
    network.forEachEvent { event in
      switch event {
      case .post(let post): contents.add(post)
      case .like(let post, let user, let time): contents.addLike(ofPostAt: post, by: ids[user], at: time)
      case .comment(let post, let user, let time, let content, let isReply):
        newestComments[post] = contents.addComment(
          content, onPostAt: post, by: ids[user], replyingTo: isReply ? newestComments[post] : nil, at: time)
      }
    }
    return contents
  }
}

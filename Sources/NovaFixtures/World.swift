public import NovaCore

/// A social network that is computed from a seed and a size: the same in every run, on every machine, and in every version
/// of the SDK that supports the seed's scheme.
///
/// Nothing is stored: read any user, post, or list by its number, in any order and from any task. A world of a million users
/// is a few hundred bytes. Counts match lists, references resolve, times are in order, and nobody acts across a block.
///
/// ```swift
/// let world = try World(seed: Seed(42), users: 1_000)
/// let user = world.user(at: 0)
/// let followers = world.followers(ofUserAt: 0)      // user.followerCount ids
/// for await post in world.posts { print(post.content) }
/// ```
public struct World: Sendable {
  /// How much there is of everything.
  public struct Size: Sendable, Hashable {
    /// How many users.
    public var users: Int
    /// How many others a user follows on average; some are followed back on top of it.
    public var followsPerUser: Int
    /// How many posts a user writes on average.
    public var postsPerUser: Int
    /// How many likes a post has on average, before those are left out that nobody may give.
    public var likesPerPost: Int
    /// About how many comments a post has on average.
    public var commentsPerPost: Int

    /// - Parameters:
    ///   - users: 1 to 100,000,000.
    ///   - followsPerUser: 0 to 1,000. Default 10.
    ///   - postsPerUser: 0 to 100. Default 3.
    ///   - likesPerPost: 0 to 100. Default 5.
    ///   - commentsPerPost: 0 to 100. Default 2.
    public init(
      users: Int, followsPerUser: Int = 10, postsPerUser: Int = 3, likesPerPost: Int = 5, commentsPerPost: Int = 2
    ) {
      self.users = users
      self.followsPerUser = followsPerUser
      self.postsPerUser = postsPerUser
      self.likesPerPost = likesPerPost
      self.commentsPerPost = commentsPerPost
    }
  }

  /// What decides everything.
  public let seed: Seed
  /// How much there is.
  public let size: Size
  let entropy: Entropy
  let graph: FollowGraph
  let postShares: Shares
  let postPopularity: Permutation
  let activity: Permutation
  let likeLayer: StubLayer
  let shareLayer: StubLayer

  /// A world of so many users, and of everything else as much as ``Size`` has by default.
  ///
  /// - Throws: ``WorldError`` when the number is not 1 to 100,000,000.
  public init(seed: Seed, users: Int) throws(WorldError) { try self.init(seed: seed, size: Size(users: users)) }

  /// A world of a size.
  ///
  /// - Throws: ``WorldError`` when a number is out of its range, or there would be more than 2³¹ of anything.
  public init(seed: Seed, size: Size) throws(WorldError) {
    try size.check()
    self.init(seed: seed, unchecked: size)
  }

  init(seed: Seed, unchecked size: Size, changing changed: Field? = nil) {
    self.seed = seed
    self.size = size
    let entropy = Entropy(seed, changing: changed)
    let (users, posts) = (size.users, size.users * size.postsPerUser)
    self.entropy = entropy
    graph = FollowGraph(entropy, users: users, followsPerUser: size.followsPerUser)
    activity = entropy.permutation(.activityOrder, count: users)
    postShares = Shares(owners: users, stubs: posts, .mild)
    postPopularity = entropy.permutation(.postPopularity, count: posts)
    likeLayer = Self.layer(entropy, .likeMeeting, size, posts * size.likesPerPost, activity, postPopularity)
    shareLayer = Self.layer(entropy, .shareMeeting, size, posts * size.likesPerPost / 10, activity, postPopularity)
  }

  /// Edges from users to posts.
  private static func layer(
    _ entropy: Entropy, _ field: Field, _ size: Size, _ count: Int, _ users: Permutation, _ posts: Permutation
  ) -> StubLayer {
    StubLayer(
      sources: Shares(owners: users.count, stubs: count, .mild), order: users,
      targets: Shares(owners: posts.count, stubs: count, .strong), order: posts,
      meeting: entropy.permutation(field, count: count))
  }
}

extension World.Size {
  private static let maximum = 1 << 31

  func check() throws(WorldError) {
    try Self.check("users", users, 1...100_000_000)
    try Self.check("followsPerUser", followsPerUser, 0...1_000)
    try Self.check("postsPerUser", postsPerUser, 0...100)
    try Self.check("likesPerPost", likesPerPost, 0...100)
    try Self.check("commentsPerPost", commentsPerPost, 0...100)
    try Self.check("users × followsPerUser", users * followsPerUser, 0...Self.maximum)
    try Self.check("users × postsPerUser × likesPerPost", users * postsPerUser * likesPerPost, 0...Self.maximum)
  }

  private static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(WorldError) {
    guard range.contains(value) else {
      throw WorldError(description: "\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }
  }
}

/// Why there can be no such world.
public struct WorldError: NovaError, Hashable {
  /// Which number is wrong, and what was expected.
  public let description: String
}

extension Field {
  static let postPopularity = Field("order.post_popularity")
  static let likeMeeting = Field("like.meeting")
  static let shareMeeting = Field("share.meeting")
}

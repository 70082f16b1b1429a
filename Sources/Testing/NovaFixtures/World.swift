public import NovaCore

/// A social network that is computed from a seed and a size: the same in every run, on every machine, and in every version
/// of the SDK that supports the seed's scheme.
///
/// Nothing is stored: read any user, post, or list by its number, in any order and from any task. A world of a million users
/// is a few hundred bytes. Counts match lists, references resolve, times are in order, and no user acts across a block.
///
/// ```swift
/// let world = try World(seed: Seed(42), users: 1_000)
/// let user = world.user(at: 0)
/// let followers = world.followers(ofUserAt: 0)      // user.followerCount ids
/// for await post in world.posts { print(post.content) }
/// ```
public struct World: Sendable {
  /// The size of a world.
  public struct Size: Sendable, Hashable {
    /// The number of users.
    public var users: Int
    /// The average number of users that a user follows, not counting follow-backs.
    public var followsPerUser: Int
    /// The average number of posts of a user.
    public var postsPerUser: Int
    /// The average number of likes of a post, before likes without permission are removed.
    public var likesPerPost: Int
    /// The approximate average number of comments on a post.
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

  /// The seed of all values.
  public let seed: Seed
  /// The size.
  public let size: Size
  let entropy: Entropy
  let graph: FollowGraph
  let postGraph: PostGraph

  /// Creates a world with a number of users, and the defaults of ``Size`` for everything else.
  ///
  /// - Throws: ``WorldError`` if the number is not in 1...100,000,000.
  public init(seed: Seed, users: Int) throws(WorldError) { try self.init(seed: seed, size: Size(users: users)) }

  /// Creates a world with a size.
  ///
  /// - Throws: ``WorldError`` if a number is out of range, or a total exceeds 2³¹.
  public init(seed: Seed, size: Size) throws(WorldError) {
    try size.check()
    self.init(seed: seed, unchecked: size)
  }

  init(seed: Seed, unchecked size: Size, changing changed: Field? = nil) {
    self.seed = seed
    self.size = size
    entropy = Entropy(seed, changing: changed)
    graph = FollowGraph(entropy, users: size.users, followsPerUser: size.followsPerUser)
    postGraph = PostGraph(entropy, size: size)
  }
}

extension World: Hashable {
  // Seed and size determine everything else.
  public static func == (left: Self, right: Self) -> Bool { left.seed == right.seed && left.size == right.size }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(seed)
    hasher.combine(size)
  }
}

extension World.Size {
  private static let maximum = 1 << 31

  func check() throws(WorldError) {
    try Self.check("users", users, in: 1...100_000_000)
    try Self.check("followsPerUser", followsPerUser, in: 0...1_000)
    try Self.check("postsPerUser", postsPerUser, in: 0...100)
    try Self.check("likesPerPost", likesPerPost, in: 0...100)
    try Self.check("commentsPerPost", commentsPerPost, in: 0...100)
    try Self.check("users × followsPerUser", users * followsPerUser, in: 0...Self.maximum)
    try Self.check("users × postsPerUser × likesPerPost", users * postsPerUser * likesPerPost, in: 0...Self.maximum)
  }

  private static func check(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws(WorldError) {
    guard range.contains(value) else {
      throw WorldError(description: "\(name) is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }
  }
}

/// An invalid world size.
public struct WorldError: NovaError, Hashable {
  /// The invalid number, and what was expected.
  public let description: String
}

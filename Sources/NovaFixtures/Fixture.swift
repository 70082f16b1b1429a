public import NovaContent
public import NovaSocial
public import NovaUsers

/// Single values for tests, made of a seed: plausible, complete, and the same every time.
///
/// ```swift
/// let ada = Fixture.user(seed: Seed(1))
/// let post = Fixture.post(by: ada)
/// let comment = Fixture.comment(on: post, by: Fixture.user(seed: Seed(2)))
/// ```
public enum Fixture {
  /// A user of a world of one: nobody follows anybody.
  public static func user(seed: Seed = Seed(1)) -> UserProfile {
    var user = world(seed).person(at: 0)
    user.id = "user-\(seed.number)"
    user.username = "\(user.username.prefix { $0 != "_" })_\(seed.number)"
    user.email = "\(user.username)@example.com"
    return user
  }

  /// A public post.
  ///
  /// - Parameters:
  ///   - author: who wrote it.
  ///   - seed: decides its text and time.
  public static func post(by author: UserProfile, seed: Seed = Seed(1)) -> Post {
    var post = world(seed).post(at: 0)
    post.id = "post-\(seed.number)-by-\(author.id)"
    post.creatorId = author.id
    post.privacy = "public"
    post.status = "published"
    post.mediaIds = []
    post.createdAt = max(post.createdAt, author.createdAt)
    post.updatedAt = max(post.updatedAt, post.createdAt)
    return post
  }

  /// A comment.
  ///
  /// - Parameters:
  ///   - post: what it is on.
  ///   - author: who wrote it.
  ///   - seed: decides its text and time.
  public static func comment(on post: Post, by author: UserProfile, seed: Seed = Seed(1)) -> Comment {
    let world = world(seed)
    let earliest = max(post.createdAt, author.createdAt)
    let time = WorldTime.soon(after: earliest, world.entropy.draw(.commentTime, 0))
    return Comment(
      id: "comment-\(seed.number)-on-\(post.id)", postId: post.id, creatorId: author.id,
      content: world.entropy.draw(.commentContent, 0).pick(world.words(of: 0).comments), createdAt: time,
      updatedAt: time)
  }

  private static func world(_ seed: Seed) -> World {
    World(seed: seed, unchecked: World.Size(users: 1, postsPerUser: 1))
  }
}

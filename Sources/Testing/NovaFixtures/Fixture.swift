public import NovaContent
public import NovaSocial
public import NovaUsers

/// Single values for tests, generated from a seed: plausible, complete, and reproducible.
///
/// ```swift
/// let ada = Fixture.user(seed: Seed(1))
/// let post = Fixture.post(by: ada)
/// let comment = Fixture.comment(on: post, by: Fixture.user(seed: Seed(2)))
/// ```
public enum Fixture {
  /// Returns a user without followers or followed users.
  public static func user(seed: Seed = Seed(1)) -> UserProfile {
    var user = world(seed).person(at: 0)
    user.id = "user-\(seed.number)"
    user.username = "\(user.username.prefix { $0 != "_" })_\(seed.number)"
    user.email = "\(user.username)@example.com"
    return user
  }

  /// Returns a public post.
  ///
  /// - Parameters:
  ///   - author: the author.
  ///   - seed: the seed of its text and time.
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

  /// Returns a comment.
  ///
  /// - Parameters:
  ///   - post: the post to comment on.
  ///   - author: the author.
  ///   - seed: the seed of its text and time.
  public static func comment(on post: Post, by author: UserProfile, seed: Seed = Seed(1)) -> Comment {
    let world = world(seed)
    let earliest = max(post.createdAt, author.createdAt)
    let time = WorldTime.soon(after: earliest, world.entropy.draw(.commentTime, for: 0))
    return Comment(
      id: "comment-\(seed.number)-on-\(post.id)", postId: post.id, creatorId: author.id,
      content: world.entropy.draw(.commentContent, for: 0).pick(world.words(of: 0).comments), createdAt: time,
      updatedAt: time)
  }

  private static func world(_ seed: Seed) -> World {
    World(seed: seed, unchecked: World.Size(users: 1, postsPerUser: 1))
  }
}

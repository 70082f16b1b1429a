import NovaFixtures
import NovaMedia
import NovaMock
import NovaSocial

/// Builds ``NovaMock/MockDataSet/world(_:password:)``.
///
/// Posts are added in the order of their numbers, which are part of their ids; likes and bookmarks oldest first, and of
/// those at the same time the one that the world's lists name last.
struct WorldDataSet {
  private let world: World
  private var contents: MockContents
  private var users: Range<Int> { 0..<world.size.users }
  private var posts: Range<Int> { 0..<world.postCount }

  private init(_ world: World) {
    self.world = world
    contents = MockContents(sampleUser: world.userID(at: 0))
  }

  static func contents(of world: World, password: WorldPassword) -> MockContents {
    var builder = WorldDataSet(world)
    builder.addUsers(password)
    builder.addGraph()
    for post in builder.posts { builder.contents.add(world.post(at: post)) }
    builder.addLikes()
    for post in builder.posts { builder.addComments(onPostAt: post) }
    for post in builder.posts { builder.addShares(ofPostAt: post) }
    builder.addBookmarks()
    builder.addMedia()
    builder.addCaptures()
    return builder.contents
  }

  private mutating func addUsers(_ password: WorldPassword) {
    for user in users {
      contents.add(world.user(at: user))
      contents.add(world.settings(at: user))
      contents.add(world.account(at: user), password: password.hash)
    }
  }

  private mutating func addGraph() {
    let follows = users.flatMap(world.follows).sorted { left, right in
      // Of two at the same time the one with the lower number is the newer in the world's lists.
      (left.createdAt, right.follower, right.followee) < (right.createdAt, left.follower, left.followee)
    }
    contents.setFollows(
      follows.map { (source: Int32($0.follower), target: Int32($0.followee)) }, users: users.map(world.userID))
    for user in users {
      let id = world.userID(at: user)
      for other in world.blocked(byUserAt: user) { contents.addBlock(of: world.userID(at: other), by: id) }
      for other in world.muted(byUserAt: user) { contents.addMute(of: world.userID(at: other), by: id) }
    }
  }

  private mutating func addLikes() {
    let likes = posts.flatMap { post in
      zip(world.likers(ofPostAt: post), world.likes(ofPostAt: post)).map { (user: $0, post: post, like: $1) }
    }.sorted { left, right in
      (left.like.createdAt, right.user, right.post) < (right.like.createdAt, left.user, left.post)
    }
    for (_, post, like) in likes {
      contents.addLike(ofPostAt: post, by: like.userId, at: like.createdAt, id: like.id)
    }
  }

  private mutating func addComments(onPostAt post: Int) {
    var numbers: [String: Int32] = [:]
    for comment in world.comments(ofPostAt: post) {
      numbers[comment.id] = contents.addComment(
        comment.content, onPostAt: post, by: comment.creatorId, replyingTo: numbers[comment.parentCommentId],
        at: comment.createdAt, id: comment.id)
    }
  }

  private mutating func addShares(ofPostAt post: Int) {
    for user in world.sharers(ofPostAt: post) {
      contents.addShare(
        ofPostAt: post, by: world.userID(at: user), type: world.shareType(user, post), at: world.shareTime(user, post))
    }
  }

  private mutating func addBookmarks() {
    for user in users {
      for post in world.bookmarks(ofUserAt: user).reversed() {
        contents.addBookmark(ofPostAt: post, by: world.userID(at: user))
      }
    }
  }

  private mutating func addMedia() {
    for user in users { for upload in world.uploads(ofUserAt: user) { contents.add(upload) } }
    // Lists of these go over all users, so that it is the time that decides.
    for video in users.flatMap(world.videos).sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
      contents.add(video)
    }
    for reel in users.flatMap(world.reels).sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
      contents.add(reel)
    }
  }

  private mutating func addCaptures() {
    for user in users { for something in world.somethings(ofUserAt: user) { contents.add(something) } }
    for index in 0..<world.announcementCount { contents.add(world.announcement(at: index)) }
  }
}

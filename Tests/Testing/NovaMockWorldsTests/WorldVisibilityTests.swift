import NovaAuth
import NovaContent
import NovaCore
import NovaEvents
import NovaFeed
import NovaFixtures
import NovaGraph
import NovaMedia
import NovaMock
import NovaMockWorlds
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// Random callers read random posts of a world in which everything changes, and see what an independent rule shows them.
@Suite struct WorldVisibilityTests {
  @Test(arguments: TestDepth.cases(1...4 as ClosedRange<UInt64>, sample: 2))
  func allReadsAgreeWithTheOracle(seed: UInt64) throws {
    let world = try World(
      seed: Seed(seed), size: World.Size(users: 24, followsPerUser: 6, postsPerUser: 4, likesPerPost: 5))
    var session = try VisibilitySession(world, seed: seed)
    for _ in 0..<40 {
      for _ in 0..<6 { try session.change() }
      try session.checkPost()
      try session.checkLists()
      try session.checkAccount()
      try session.checkMedia()
    }
  }

  @Test func settingsAndProfilesOfAWorldAgree() throws {
    let world = try World(seed: Seed(42), users: 60)
    let mock = MockCaller(dataSet: .world(world))
    for user in 0..<60 {
      let id = world.userID(at: user)
      let settings = try #require(try mock.call(UserRPC.getUserSettings, .init(userId: id)).settings)
      #expect((settings.privacyLevel == "private") == world.user(at: user).isPrivate)
    }
  }
}

/// A backend with a world, a few users with tokens, and the facts that the oracle needs, read without a token.
private struct VisibilitySession {
  let mock: MockCaller
  let world: World
  let tokens: [(user: String, token: String)]
  var random: SeededGenerator

  init(_ world: World, seed: UInt64) throws {
    mock = MockCaller(dataSet: .world(world))
    self.world = world
    random = SeededGenerator(seed: seed)
    var tokens: [(String, String)] = []
    for index in 0..<world.size.users where tokens.count < 6 && world.account(at: index).isActive {
      let login = LoginRequest(email: world.account(at: index).email, password: WorldPassword.standardText)
      tokens.append((world.userID(at: index), try mock.call(AuthRPC.login, login).token))
    }
    self.tokens = tokens
  }

  // MARK: The oracle

  /// What decides whether a post is visible, as a call without a token reads it.
  private func facts(_ id: String) throws -> Post? { try mock.call(ContentRPC.getPost, .init(postId: id)).post }

  private func follows(_ one: String, _ other: String) throws -> Bool {
    try mock.call(GraphRPC.isFollowing, .init(followerId: one, followeeId: other)).isFollowing
  }

  private func isPrivate(_ user: String) throws -> Bool {
    try mock.call(UserRPC.getUserProfile, .init(userId: user)).profile?.isPrivate ?? false
  }

  private func areApart(_ one: String, _ other: String) throws -> Bool {
    let there = try mock.call(GraphRPC.isBlocked, .init(blockerId: one, blockedId: other)).isBlocked
    return try there || mock.call(GraphRPC.isBlocked, .init(blockerId: other, blockedId: one)).isBlocked
  }

  private func sees(_ user: String, _ owner: String, privacy: String, isPublished: Bool = true) throws -> Bool {
    if user == owner { return true }
    if try !isPublished || privacy == "private" || areApart(user, owner) { return false }
    return try privacy == "public" && !isPrivate(owner) || follows(user, owner)
  }

  private func sees(_ user: String, _ post: Post) throws -> Bool {
    try sees(user, post.creatorId, privacy: post.privacy, isPublished: post.status == "published")
  }

  // MARK: Changes

  private mutating func anyUser() -> String { world.userID(at: random.next(below: world.size.users)) }

  private mutating func anyPost() -> String { world.postID(at: random.next(below: world.postCount)) }

  private mutating func pick(_ texts: [String]) -> String { texts[random.next(below: texts.count)] }

  mutating func change() throws {
    let (one, other, post) = (random.next(below: 3) == 0 ? anyUser() : anyReader().user, anyUser(), anyPost())
    do {
      switch random.next(below: 10) {
      case 0: _ = try mock.call(ContentRPC.updatePost, .init(postId: post, privacy: pick(["public", "followers"])))
      case 1: _ = try mock.call(ContentRPC.updatePost, .init(postId: post, privacy: "private"))
      case 2:
        _ = try mock.call(
          ContentRPC.updatePost, .init(postId: post, status: pick(["published", "published", "draft", "archived"])))
      case 3: _ = try mock.call(GraphRPC.createFollow, .init(followerId: one, followeeId: other))
      case 4: _ = try mock.call(GraphRPC.deleteFollow, .init(followerId: one, followeeId: other))
      case 5: _ = try mock.call(GraphRPC.createBlock, .init(blockerId: other, blockedId: one))
      case 6: _ = try mock.call(GraphRPC.deleteBlock, .init(blockerId: other, blockedId: one))
      case 7:
        _ = try mock.call(UserRPC.updateUserProfile, .init(userId: other, isPrivate: random.next(below: 2) == 0))
      case 8:
        _ = try mock.call(UserRPC.updateUserSettings, .init(userId: other, privacyLevel: pick(["private", "public"])))
      default:
        _ = try mock.call(ContentRPC.createBookmark, .init(userId: one, postId: post))
        _ = try mock.call(SocialRPC.createLike, .init(userId: one, postId: post))
      }
    } catch is Refusal {
      // Following across a block, or oneself.
    }
  }

  // MARK: Checks

  private mutating func anyReader() -> (user: String, token: String) { tokens[random.next(below: tokens.count)] }

  private func isFound(_ body: () throws -> some Any) throws -> Bool {
    do {
      _ = try body()
      return true
    } catch let refusal as Refusal where refusal.status == 404 {
      return false
    }
  }

  mutating func checkPost() throws {
    let ((user, token), id) = (anyReader(), anyPost())
    let post = try #require(try facts(id))
    let isVisible = try sees(user, post)
    let stats = try mock.call(SocialRPC.batchGetPostStats, .init(postIds: [id])).stats[id]
    let seen = try mock.call(SocialRPC.batchGetPostStats, .init(postIds: [id]), token: token).stats[id]
    let found: [Bool] = [
      try mock.call(ContentRPC.getPost, .init(postId: id), token: token).found,
      try mock.call(ContentRPC.checkPostExists, .init(postId: id), token: token).exists,
      try !mock.call(ContentRPC.getPostsByIds, .init(postIds: [id]), token: token).posts.isEmpty,
      try isFound { try mock.call(SocialRPC.getPostLikes, .init(postId: id), token: token) },
      try isFound { try mock.call(SocialRPC.getLikeCount, .init(postId: id), token: token) },
      try isFound { try mock.call(SocialRPC.getComments, .init(postId: id), token: token) },
      try isFound { try mock.call(SocialRPC.getCommentCount, .init(postId: id), token: token) },
      try isFound { try mock.call(SocialRPC.getShareCount, .init(postId: id), token: token) },
      try mock.refusal(EventRPC.listEvents, .init(topics: ["post:\(id)"]), token: token) == nil,
    ]
    #expect(found.allSatisfy { $0 == isVisible }, "\(user) and \(post): \(found)")
    #expect(seen == (isVisible ? stats : PostStats()))
  }

  mutating func checkLists() throws {
    let (user, token) = anyReader()
    let author = anyUser()
    let all = try pages { try mock.call(ContentRPC.getPostsByAuthor, .init(authorId: author, limit: 3, offset: $0)) }
    let visible = try all.filter { try sees(user, $0) }
    let listed = try pages {
      try mock.call(ContentRPC.getPostsByAuthor, .init(authorId: author, limit: 3, offset: $0), token: token)
    }
    #expect(listed == visible, "\(author)'s posts for \(user)")

    let everyBookmark = try mock.call(ContentRPC.getUserBookmarks, .init(userId: user, limit: 100)).posts
    let bookmarks = try mock.call(ContentRPC.getUserBookmarks, .init(userId: user, limit: 100), token: token)
    #expect(try bookmarks.posts == everyBookmark.filter { try sees(user, $0) })
    #expect(bookmarks.total == bookmarks.posts.count && !bookmarks.hasMore)

    let everyLike = try mock.call(SocialRPC.getUserLikedPosts, .init(userId: author, limit: 100))
    let likes = try mock.call(SocialRPC.getUserLikedPosts, .init(userId: author, limit: 100), token: token)
    let isListed = try author == user || !isPrivate(author)
    let shown = try everyLike.postIds.filter { id in
      guard isListed, let post = try facts(id) else { return false }
      return try sees(user, post)
    }
    #expect(likes.postIds == shown && likes.total == shown.count)

    // A feed has nothing that its reader does not see, and with one's own token, nothing less than without one.
    let feed = try mock.call(FeedRPC.getFeed, .init(userId: user, limit: 100), token: token).posts.map(\.id)
    #expect(try mock.call(FeedRPC.getFeed, .init(userId: user, limit: 100)).posts.map(\.id) == feed)
    let other = try mock.call(FeedRPC.getFeed, .init(userId: author, limit: 100), token: token).posts.map(\.id)
    for id in feed + other { #expect(try facts(id).map { try sees(user, $0) } == true, "\(id) in a feed for \(user)") }

    let events = try mock.refusal(EventRPC.listEvents, .init(topics: ["user:\(author)"]), token: token)
    #expect(try (events == nil) == sees(user, author, privacy: "public"))
  }

  /// Reads a list to its end, and checks the totals of its pages.
  private func pages(_ page: (Int) throws -> GetPostsByAuthorResponse) throws -> [Post] {
    var posts: [Post] = []
    while true {
      let next = try page(posts.count)
      posts += next.posts
      #expect(next.hasMore == (posts.count < next.totalCount))
      guard next.hasMore, !next.posts.isEmpty else {
        #expect(next.totalCount == posts.count)
        return posts
      }
    }
  }

  mutating func checkAccount() throws {
    let ((user, token), owner, other) = (anyReader(), anyUser(), anyUser())
    func isOpen(_ owner: String) throws -> Bool {
      try user == owner || !isPrivate(owner) || follows(user, owner)
    }
    let whole = try #require(try mock.call(UserRPC.getUserProfile, .init(userId: owner)).profile)
    let seen = try #require(try mock.call(UserRPC.getUserProfile, .init(userId: owner), token: token).profile)
    let isVisible = try isOpen(owner)
    #expect(seen.email == (user == owner ? whole.email : nil))
    #expect(seen.bio == (isVisible ? whole.bio : nil) && seen.createdAt == (isVisible ? whole.createdAt : 0))
    #expect(seen.followerCount == whole.followerCount && seen.username == whole.username)
    let hidden =
      try user == owner
      ? 0
      : mock.call(ContentRPC.getPostsByAuthor, .init(authorId: owner, status: "published", limit: 100)).posts
        .count { $0.privacy == "private" }
    #expect(seen.postCount == whole.postCount - hidden)

    let followers = try mock.call(GraphRPC.getFollowers, .init(userId: owner))
    #expect(
      try mock.call(GraphRPC.getFollowers, .init(userId: owner), token: token)
        == (isVisible ? followers : GetFollowersResponse()))
    let isFollowing = try mock.call(
      GraphRPC.isFollowing, .init(followerId: owner, followeeId: other), token: token
    ).isFollowing
    #expect(try isFollowing == (follows(owner, other) && (isVisible || isOpen(other))))
  }

  mutating func checkMedia() throws {
    let (user, token) = anyReader()
    let index = random.next(below: world.size.users)
    let owner = world.userID(at: index)
    var shown: Set<String> = []
    for video in world.videos(ofUserAt: index) {
      let isVisible = try sees(user, owner, privacy: video.visibility)
      #expect(try mock.call(MediaRPC.getVideo, .init(videoId: video.id), token: token).found == isVisible)
      if isVisible { shown.insert(video.id) }
    }
    let videos = try mock.call(MediaRPC.getUserVideos, .init(userId: owner), token: token).videos
    #expect(Set(videos.map(\.id)) == shown)
    let posts = try mock.call(ContentRPC.getPostsByAuthor, .init(authorId: owner, limit: 100), token: token).posts
    for upload in world.uploads(ofUserAt: index) {
      var isVisible = user == owner || posts.contains { $0.mediaIds.contains(upload.id) }
      if shown.contains(upload.videoId) { isVisible = true }
      for reel in world.reels(ofUserAt: index) where reel.uploadId == upload.id {
        if try sees(user, owner, privacy: reel.visibility) { isVisible = true }
      }
      let found = try mock.call(MediaRPC.getUpload, .init(uploadId: upload.id), token: token).found
      #expect(found == isVisible, "\(upload.id) for \(user)")
    }
  }
}

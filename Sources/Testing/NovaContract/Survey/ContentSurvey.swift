import NovaContent
import NovaCore
import NovaFeed

extension SurveyRun {
  mutating func checkContent(_ me: String) async throws {
    try await createPost()
    try await findPosts(me)
    try await checkBookmarks(me)
    guard let post = discovered.post else {
      try await absent(ContentRPC.getPost, .init(postId: unknownID), as: "an unknown post")
      return skip(ContentRPC.getPostsByIds, ContentRPC.checkPostExists, because: "no post was found")
    }
    try await valid(ContentRPC.getPost, .init(postId: post), as: "a post")
    try await absent(ContentRPC.getPost, .init(postId: unknownID), as: "an unknown post")
    let ids = Array(discovered.posts.prefix(5)) + [unknownID]
    try await validBatch(ContentRPC.getPostsByIds, .init(postIds: ids), ids: ids, as: "\(ids.count) posts") {
      $0.posts.map(\.id)
    } exists: { survey, id in
      try await survey.prepare(ContentRPC.getPost, .init(postId: id), as: "a post")?.found == true
    }
    try await valid(ContentRPC.checkPostExists, .init(postId: post), as: "a post")
    try await valid(ContentRPC.checkPostExists, .init(postId: unknownID), as: "an unknown post")
  }

  private mutating func createPost() async throws {
    guard let account = writer else { return }
    let post = try await create(
      .init(creatorId: account.id, content: "A check of the contract.", title: "nova-contract", privacy: "public"),
      as: "a post")
    guard let post else {
      return skip(ContentRPC.updatePost, ContentRPC.deletePost, because: "no post could be created")
    }
    discovered.ownPost = post
    discovered.add(posts: [post])
    try await valid(ContentRPC.updatePost, .init(postId: post, title: "nova-contract, changed"), as: "another title")
    // So that lists of the account's own have a second page.
    try await create(
      .init(creatorId: account.id, content: "Another check of the contract."), as: "a post without a title")
    try await absent(ContentRPC.updatePost, .init(postId: unknownID, title: "nova-contract"), as: "an unknown post")
  }

  /// Creates a post that the check deletes, and returns its id.
  @discardableResult
  private mutating func create(_ request: CreatePostRequest, as name: String) async throws -> String? {
    let answer = try await valid(ContentRPC.createPost, request, as: name)
    guard let id = answer?.post?.id, !id.isEmpty else { return nil }
    await created("post \(id)", deletion: ContentRPC.deletePost, .init(postId: id, deletedById: request.creatorId))
    return id
  }

  private mutating func findPosts(_ me: String) async throws {
    for user in discovered.users(from: me, others: 6) {
      let own = user.id == discovered.account?.id ? discovered.ownPost : nil
      let page = try await valid(
        ContentRPC.getPostsByAuthor, .init(authorId: user.id, limit: 5), as: user.name, showing: "the post"
      ) { page in own.map { own in page.posts.contains { $0.id == own } } ?? true }
      discovered.add(posts: page?.posts.map(\.id) ?? [])
      if discovered.posts.count > 3 { break }
    }
    try await valid(ContentRPC.getPostsByAuthor, .init(authorId: me, status: "published"), as: "status published")
  }

  private mutating func checkBookmarks(_ me: String) async throws {
    if let account = writer, let post = discovered.ownPost {
      try await valid(ContentRPC.createBookmark, .init(userId: account.id, postId: post), as: "the new post")
      try await valid(
        ContentRPC.getUserBookmarks, .init(userId: me), as: "a user with a bookmark", showing: "the bookmark"
      ) { bookmarks in bookmarks.posts.contains { $0.id == post } }
      try await valid(ContentRPC.deleteBookmark, .init(userId: account.id, postId: post), as: "the new post")
    } else {
      skip(ContentRPC.createBookmark, ContentRPC.deleteBookmark, because: "the check has no post of its own")
    }
    try await valid(ContentRPC.getUserBookmarks, .init(userId: me), as: "a user")
  }

  /// Deletes the post that the check created.
  mutating func deletePost() async throws {
    guard let account = writer, let post = discovered.ownPost else { return }
    let deletion = DeletePostRequest(postId: post, deletedById: account.id)
    guard try await valid(ContentRPC.deletePost, deletion, as: "the new post") != nil else { return }
    try await absent(ContentRPC.getPost, .init(postId: post), as: "a deleted post")
  }

  mutating func checkFeed(_ me: String) async throws {
    let reader = discovered.users.first { $0 != discovered.account?.id && $0 != discovered.otherAccount?.id } ?? me
    // Another user's feed may be private.
    let user = !hasTokens && !isLoggedIn ? reader : me
    var first = try await valid(FeedRPC.getFeed, .init(userId: user, limit: 2), as: "limit 2")
    for algorithm in ["ch", "v2", "hybrid"] {
      let page = try await valid(
        FeedRPC.getFeed, .init(userId: user, limit: 1, algorithm: algorithm), as: "limit 1, algorithm \(algorithm)")
      if algorithm == "ch", let page { first = page }
      discovered.add(posts: page?.posts.map(\.id) ?? [])
    }
    if let cursor = first?.nextCursor, !cursor.isEmpty {
      try await checkSecondPage(of: user, cursor: cursor, after: first?.posts.first?.id)
    }
    try await refused(
      FeedRPC.getFeed, .init(userId: user, algorithm: "nova-contract"), as: "an unknown algorithm",
      with: .invalidArgument)
    try await refused(
      FeedRPC.getFeed, .init(userId: user, cursor: "nova-contract"), as: "a cursor that is none", with: .invalidArgument
    )
    try await checkRanking(user, first?.posts ?? [])
    if let account = writer {
      try await valid(FeedRPC.invalidateFeedCache, .init(userId: account.id, eventType: "follow"), as: "a follow")
    }
  }

  private mutating func checkSecondPage(of user: String, cursor: String, after first: String?) async throws {
    let (request, name) = (GetFeedRequest(userId: user, limit: 2, cursor: cursor, algorithm: "ch"), "the second page")
    let page = try await valid(FeedRPC.getFeed, request, as: name)
    guard let first, page?.posts.first?.id == first else { return }
    // A feed can change between two requests.
    let again = try await prepare(FeedRPC.getFeed, GetFeedRequest(userId: user, limit: 1, algorithm: "ch"), as: name)
    let next = try await prepare(
      FeedRPC.getFeed, GetFeedRequest(userId: user, limit: 2, cursor: again?.nextCursor ?? "", algorithm: "ch"),
      as: name)
    guard let next, let again, !again.nextCursor.isEmpty, let id = again.posts.first?.id, next.posts.first?.id == id
    else { return }
    reportLast(
      Finding(
        .inconsistent, .breaking, at: "cursor", expected: "the posts behind the first page",
        found: "the first page again: cursor is ignored"), of: FeedRPC.getFeed.descriptor, as: name)
  }

  private mutating func checkRanking(_ user: String, _ posts: [FeedPost]) async throws {
    let known = posts.map {
      RankablePost(
        id: $0.id, authorId: $0.userId, content: $0.content, createdAt: $0.createdAt, likeCount: $0.likeCount)
    }
    let other = RankablePost(
      id: unknownID, authorId: unknownID, content: "A post.", createdAt: 1_725_315_591, likeCount: 3)
    try await valid(FeedRPC.rankPosts, .init(userId: user, posts: known + [other]), as: "posts")
    try await valid(FeedRPC.getRecommendedCreators, .init(userId: user, limit: 3), as: "limit 3")
  }
}

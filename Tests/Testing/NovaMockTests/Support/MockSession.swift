import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport

/// A mock backend with its services and a manual clock.
struct MockSession {
  private let time: Locked<Int64>
  let social: SocialService
  let content: ContentService
  let feed: FeedService
  let graph: GraphService

  init(_ dataSet: MockDataSet = .empty, seed: UInt64 = 1) throws {
    let time = Locked<Int64>(1_000_000)
    self.time = time
    let backend = MockBackend(seed: seed, dataSet: dataSet) { time.withLock { $0 } }
    let client = try APIClient.test(MockTransport(backend), token: nil)
    social = SocialService(client: client)
    content = ContentService(client: client)
    feed = FeedService(client: client)
    graph = GraphService(client: client)
  }

  var now: Int64 { time.withLock { $0 } }

  func advance(_ seconds: Int64 = 1) { time.withLock { $0 += seconds } }

  // MARK: Shorthands

  /// Writes a post and returns its id.
  @discardableResult
  func post(
    _ creator: String, _ content: String = "text", privacy: String = "", status: String = ""
  ) async throws -> String {
    let request = CreatePostRequest(creatorId: creator, content: content, privacy: privacy, status: status)
    return try await self.content.createPost(request).post?.id ?? ""
  }

  @discardableResult
  func like(_ user: String, _ post: String) async throws -> Int64 {
    try await social.createLike(CreateLikeRequest(userId: user, postId: post)).likeCount
  }

  @discardableResult
  func comment(
    _ user: String, on post: String, _ content: String = "text", parent: String = ""
  ) async throws -> Comment {
    let request = CreateCommentRequest(postId: post, userId: user, content: content, parentCommentId: parent)
    return try await social.createComment(request).comment ?? Comment()
  }

  @discardableResult
  func share(_ user: String, _ post: String, type: String = "") async throws -> Int64 {
    try await social.createShare(CreateShareRequest(userId: user, postId: post, shareType: type)).shareCount
  }

  func bookmark(_ user: String, _ post: String) async throws {
    _ = try await content.createBookmark(CreateBookmarkRequest(userId: user, postId: post))
  }

  func bookmarks(_ user: String) async throws -> [String] {
    try await content.getUserBookmarks(GetUserBookmarksRequest(userId: user, limit: 100)).posts.map(\.id)
  }

  func comments(_ post: String, sortBy: String = "", order: String = "") async throws -> [Comment] {
    let request = GetCommentsRequest(postId: post, limit: 100, sortBy: sortBy, order: order)
    return try await social.getComments(request).comments
  }

  func stats(_ post: String) async throws -> PostStats? {
    try await social.batchGetPostStats(BatchGetPostStatsRequest(postIds: [post])).stats[post]
  }

  /// The ids of the whole feed, page by page.
  func feed(_ user: String, _ algorithm: String = "", pageSize: Int = 100) async throws -> [FeedPost] {
    var posts: [FeedPost] = []
    var cursor = ""
    repeat {
      let page = try await feed.getFeed(
        GetFeedRequest(userId: user, limit: pageSize, cursor: cursor, algorithm: algorithm))
      posts += page.posts
      cursor = page.nextCursor
    } while !cursor.isEmpty
    return posts
  }
}

/// The code of what `body` throws; nil if it throws nothing.
func code(_ body: () async throws -> some Any) async -> APIError.Code? { await apiError(body)?.code }

import NovaContent
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

/// The content service against the mock backend.
@Suite struct ContentServiceTests {
  private let owner = "mock-user-id"
  private let content: ContentService

  init() throws { content = ContentService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func postsAreWrittenReadAndChanged() async throws {
    let post = try await content.createPost(
      creatorId: "a", content: "Hello", title: "Greeting", privacy: .followers, status: .draft, mediaIds: ["m"])
    #expect(post.creatorId == "a" && post.title == "Greeting" && post.mediaIds == ["m"])
    #expect(post.privacy == PostPrivacy.followers.rawValue && post.status == PostStatus.draft.rawValue)
    #expect(try await content.getPost(postId: post.id) == post)
    let changed = try await content.updatePost(postId: post.id, privacy: .everyone, status: .published)
    #expect(changed.content == "Hello" && changed.title == "Greeting")
    #expect(changed.privacy == "public" && changed.status == "published")
    #expect(try await content.updatePost(postId: post.id, title: "").title == "")
    let error = await apiError { try await content.updatePost(postId: "nothing", content: "x") }
    #expect(error?.code == .notFound && error?.rpc == "content.UpdatePost")
  }

  @Test func postsAreDeletedByTheirAuthor() async throws {
    let error = await apiError { try await content.deletePost(postId: "post-1", deletedById: "other") }
    #expect(error?.code == .permissionDenied)
    #expect(try await content.checkPostExists(postId: "post-1"))
    #expect(try await content.deletePost(postId: "post-1", deletedById: owner) > 0)
    #expect(try await !content.checkPostExists(postId: "post-1"))
    #expect(try await content.getPost(postId: "post-1") == nil)
    let again = await apiError { try await content.deletePost(postId: "post-1", deletedById: owner) }
    #expect(again?.code == .notFound)
  }

  @Test func manyPostsComeInTheOrderOfTheirIds() async throws {
    let ids = (0..<240).map { "post-\(($0 * 7) % 245 + 1)" }
    let posts = try await content.getPostsByIds(postIds: ids + ["nothing"])
    #expect(posts.map(\.id) == ids)
    #expect(try await content.getPostsByIds(postIds: []).isEmpty)
    #expect(
      try await content.getPostsByIds(postIds: ["nothing", "post-2", "post-2"]).map(\.id) == ["post-2", "post-2"])
  }

  @Test func theServerRefusesLargerBatches() async throws {
    let error = await apiError {
      try await content.with { $0.checksArguments = false }.getPostsByIds(
        GetPostsByIdsRequest(postIds: (0..<101).map { "post-\($0)" }))
    }
    #expect(error?.code == .invalidArgument && error?.httpStatus == 400)
  }

  @Test func anAuthorsPostsComeNewestFirst() async throws {
    let page = try await content.getPostsByAuthor(authorId: owner, limit: 2)
    #expect(page.posts.map(\.id) == ["post-245", "post-244"])
    #expect(page.totalCount == 245 && page.hasMore)
    var all: [String] = []
    for try await post in content.posts(by: owner) { all.append(post.id) }
    #expect(all == (1...245).reversed().map { "post-\($0)" })
    try await content.createPost(creatorId: owner, content: "Not yet", status: .draft)
    var drafts: [String] = []
    for try await post in content.posts(by: owner, status: .draft) { drafts.append(post.content) }
    #expect(drafts.first == "Not yet")
    #expect(try await content.getPostsByAuthor(authorId: owner, status: .draft).totalCount == drafts.count)
    #expect(try await content.getPostsByAuthor(authorId: "nobody").posts.isEmpty)
  }

  @Test func bookmarksComeNewestFirst() async throws {
    for number in 1...7 {
      for _ in 0..<2 { try await content.createBookmark(postId: "post-\(number)", userId: "new") }
    }
    for _ in 0..<2 { try await content.deleteBookmark(postId: "post-6", userId: "new") }
    var ids: [String] = []
    for try await post in content.bookmarks(of: "new", pageSize: 2) { ids.append(post.id) }
    #expect(ids == [7, 5, 4, 3, 2, 1].map { "post-\($0)" })
    let page = try await content.getUserBookmarks(userId: "new", limit: 2, offset: 4)
    #expect(page.posts.map(\.id) == ["post-2", "post-1"] && page.total == 6 && !page.hasMore)
    let error = await apiError { try await content.createBookmark(postId: "nothing", userId: "new") }
    #expect(error?.code == .notFound)
  }

  @Test func badArgumentsAreNotSent() async throws {
    let transport = RecordingTransport("{}")
    let content = ContentService(client: try APIClient.test(transport))
    let errors = [
      await apiError { try await content.getPost(postId: "") },
      await apiError { try await content.createPost(creatorId: "a", content: "") },
      await apiError {
        try await content.updatePost(postId: "p", content: String(repeating: "x", count: 10_001))
      },
      await apiError { try await content.getUserBookmarks(userId: "u", offset: -1) },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidArgument && $0?.httpStatus == nil })
    #expect(transport.requests.isEmpty)
  }
}

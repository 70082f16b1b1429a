import NovaContent
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@Suite struct PostListTests {
  @Test func batchesKeepTheirOrderAndLeaveOutWhatIsMissing() async throws {
    let session = try MockSession()
    for _ in 0..<4 { try await session.post("a") }
    _ = try await session.content.deletePost(DeletePostRequest(postId: "post-2", deletedById: "a"))
    let ids = ["post-4", "post-9", "post-1", "post-2", "post-3", "post-4"]
    let posts = try await session.content.getPostsByIds(GetPostsByIdsRequest(postIds: ids)).posts
    #expect(posts.map(\.id) == ["post-4", "post-1", "post-3", "post-4"])
    let tooMany = GetPostsByIdsRequest(postIds: (1...101).map { "post-\($0)" })
    #expect(await code { try await session.content.getPostsByIds(tooMany) } == .invalidArgument)
  }

  @Test func authorsListsAreFilteredByStatus() async throws {
    let session = try MockSession()
    for status in ["", "draft", "published", "draft", "archived", "published"] {
      try await session.post("a", status: status)
      try await session.post("b", status: status)
    }
    func page(_ status: String, limit: Int = 0, offset: Int = 0) async throws -> (String, Int, Bool) {
      let page = try await session.content.getPostsByAuthor(
        GetPostsByAuthorRequest(authorId: "a", status: status, limit: limit, offset: offset))
      return (page.posts.map { $0.id.dropFirst(5) }.joined(separator: " "), page.totalCount, page.hasMore)
    }
    #expect(try await page("") == ("11 9 7 5 3 1", 6, false))
    #expect(try await page("published") == ("11 5 1", 3, false))
    #expect(try await page("published", limit: 2) == ("11 5", 3, true))
    #expect(try await page("published", limit: 2, offset: 2) == ("1", 3, false))
    #expect(try await page("published", limit: 2, offset: 3) == ("", 3, false))
    #expect(try await page("draft", limit: 1, offset: 1) == ("3", 2, false))
    _ = try await session.content.updatePost(UpdatePostRequest(postId: "post-7", status: "published"))
    #expect(try await page("published") == ("11 7 5 1", 4, false))
    #expect(try await page("draft") == ("3", 1, false))
    #expect(await code { try await page("deleted") } == .invalidArgument)
    #expect(await code { try await page("", limit: -1) } == .invalidArgument)
  }

  @Test(arguments: [(0, 50), (100, 100), (1000, 100)])
  func limitsAreDefaultedAndClamped(limit: Int, count: Int) async throws {
    let page = try await MockSession(.guide).content.getPostsByAuthor(
      GetPostsByAuthorRequest(authorId: "mock-user-id", limit: limit))
    #expect(page.posts.count == count)
    #expect(page.posts.map(\.createdAt) == page.posts.map(\.createdAt).sorted(by: >))
  }

  @Test func bookmarksAreUniqueAndNewestFirst() async throws {
    let session = try MockSession()
    for _ in 0..<3 { try await session.post("a") }
    for post in ["post-3", "post-1", "post-2", "post-3"] { try await session.bookmark("b", post) }
    #expect(try await session.bookmarks("b") == ["post-2", "post-1", "post-3"])
    let page = try await session.content.getUserBookmarks(GetUserBookmarksRequest(userId: "b", limit: 2))
    #expect(page.total == 3 && page.hasMore)
    for _ in 0..<2 {
      #expect(
        try await session.content.deleteBookmark(DeleteBookmarkRequest(userId: "b", postId: "post-1")).success)
    }
    #expect(try await session.bookmarks("b") == ["post-2", "post-3"])
    #expect(try await session.bookmarks("a") == [])
    #expect(await code { try await session.bookmark("", "post-1") } == .invalidArgument)
    let negative = GetUserBookmarksRequest(userId: "b", offset: -1)
    #expect(await code { try await session.content.getUserBookmarks(negative) } == .invalidArgument)
  }
}

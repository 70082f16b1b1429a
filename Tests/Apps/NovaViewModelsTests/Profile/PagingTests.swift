import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite(.hangLimit) @MainActor struct PagingTests {
  @Test(arguments: [1, 2, 3, 7, 50]) func pagesContinueToTheEnd(_ pageSize: Int) async throws {
    let stage = try Stage(pageSize: pageSize)
    await stage.load("user-2")
    for _ in 0..<10 { await stage.model.loadMore() }
    let all = try await stage.content.getPostsByAuthor(authorId: "user-2", status: .published, limit: 100).posts
    #expect(stage.model.posts == all)
    #expect(!stage.model.hasMore)
    #expect(!stage.model.isLoadingMore)
  }

  @Test func theTabInFrontIsMeant() async throws {
    let stage = try Stage(pageSize: 2)
    await stage.load("user-1")
    stage.model.selectedTab = .liked
    await stage.model.loadMore()
    #expect(stage.model.likedPosts.count == 2, "the first page, as there was none")
    await stage.model.loadMore()
    #expect(stage.model.likedPosts.count == 4)
    #expect(stage.model.posts.count == 2)
  }

  @Test func nextPagesDoNotOverlap() async throws {
    let stage = try Stage(pageSize: 2)
    await stage.load("user-2")
    stage.gateway.shut()
    let first = Task { await stage.model.loadMore() }
    await stage.gateway.waitForCalls(1)
    #expect(stage.model.isLoadingMore)
    await stage.model.loadMore()
    #expect(stage.gateway.waiting.count == 1)
    stage.gateway.open()
    await first.value
    #expect(stage.model.posts.count == 4)
  }

  @Test func postsThatMovedComeOnce() async throws {
    let stage = try Stage(pageSize: 3)
    await stage.load("user-2")
    let old = try await stage.content.getPostsByAuthor(authorId: "user-2", limit: 100).posts.map(\.id)
    for number in 0..<4 { try await stage.content.createPost(creatorId: "user-2", content: "New \(number)") }
    await stage.model.loadMore()
    #expect(stage.model.posts.count > 3, "a page of repeats only is not where it ends")
    while stage.model.hasMore { await stage.model.loadMore() }
    #expect(Set(stage.model.posts.map(\.id)).count == stage.model.posts.count)
    #expect(Set(stage.model.posts.map(\.id)).isSuperset(of: old))
  }

  /// Deleted posts move others to positions that have already been read.
  @Test(arguments: 1...4) func postsThatMovedUpAreNotMissed(_ count: Int) async throws {
    let stage = try Stage(pageSize: 3)
    for number in 0..<12 { try await stage.content.createPost(creatorId: "user-2", content: "New \(number)") }
    await stage.load("user-2")
    await stage.model.loadMore()
    let old = try await stage.content.getPostsByAuthor(authorId: "user-2", limit: 100).posts.map(\.id)
    for id in old.prefix(count) { _ = try await stage.content.deletePost(postId: id, deletedById: "user-2") }
    while stage.model.hasMore { await stage.model.loadMore() }
    let shown = stage.model.posts.map(\.id)
    #expect(Set(shown).count == shown.count)
    #expect(Set(shown).isSuperset(of: old.dropFirst(count)), "\(Set(old).subtracting(shown)) are missing")
    #expect(stage.model.errorMessage == nil)
  }

  @Test func removedBookmarksLeaveNoGap() async throws {
    let stage = try Stage(pageSize: 2)
    let posts = try await stage.content.getPostsByAuthor(authorId: "user-2").posts
    for post in posts { try await stage.content.createBookmark(postId: post.id, userId: "user-1") }
    await stage.load("user-1")
    stage.model.selectedTab = .saved
    await stage.model.unbookmarkPost(postId: stage.model.savedPosts[0].id)
    while stage.model.hasMore { await stage.model.loadMore() }
    #expect(stage.model.savedPosts == (try await stage.content.getUserBookmarks(userId: "user-1").posts))
    #expect(stage.model.savedPosts.count == posts.count - 1)
  }

  @Test func aBookmarkThatIsBeingRemovedLeavesNoGap() async throws {
    let stage = try Stage(pageSize: 2)
    let posts = try await stage.content.getPostsByAuthor(authorId: "user-2").posts
    for post in posts { try await stage.content.createBookmark(postId: post.id, userId: "user-1") }
    await stage.load("user-1")
    stage.model.selectedTab = .saved
    let removed = stage.model.savedPosts[0].id
    stage.gateway.shut()
    let remove = Task { await stage.model.unbookmarkPost(postId: removed) }
    await stage.gateway.waitForCalls(1)
    // The server has made the change, but its response takes long.
    try await stage.content.deleteBookmark(postId: removed, userId: "user-1")
    let more = Task { await stage.model.loadMore() }
    await stage.gateway.waitForCalls(2)
    stage.gateway.release { $0.name == "bookmarks" }
    await more.value
    stage.gateway.open()
    await remove.value
    while stage.model.hasMore { await stage.model.loadMore() }
    #expect(stage.model.savedPosts == (try await stage.content.getUserBookmarks(userId: "user-1").posts))
  }

  @Test func failuresKeepWhatIsThere() async throws {
    let stage = try Stage(pageSize: 2)
    await stage.load("user-2")
    let before = stage.model.posts
    stage.gateway.open { _ in .lost }
    await stage.model.loadMore()
    #expect(stage.model.posts == before)
    #expect(stage.model.errorMessage?.hasPrefix("More posts could not be loaded.") == true)
    stage.gateway.open()
    await stage.model.loadMore()
    #expect(stage.model.posts.count == 4)
  }

  @Test func anotherUserEndsIt() async throws {
    let stage = try Stage(pageSize: 2)
    await stage.load("user-2")
    stage.gateway.shut(ignoringCancellation: true)
    let more = Task { await stage.model.loadMore() }
    await stage.gateway.waitForCalls(1)
    let load = Task { await stage.model.loadUserProfile(userId: "user-3") }
    await stage.gateway.waitForCalls(7)
    #expect(!stage.model.isLoadingMore)
    stage.gateway.open()
    await load.value
    await more.value
    #expect(stage.model.posts.allSatisfy { $0.creatorId == "user-3" })
    #expect(stage.model.posts.count == 2)
  }
}

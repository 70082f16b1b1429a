import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct FeedTests {
  @Test func aFollowMovesTheFeedAndABlockRemovesFromIt() async throws {
    let session = try MockSession()
    for author in ["me", "a", "b"] { try await session.post(author) }
    func authors() async throws -> [String] { try await session.feed("me", "ch").map(\.userId) }
    #expect(try await authors() == ["me"], "one's own posts are in it")
    try await session.graph.followUser(followerId: "me", followeeId: "a")
    try await session.graph.followUser(followerId: "me", followeeId: "b")
    #expect(try await authors() == ["b", "a", "me"])
    try await session.graph.muteUser(muterId: "me", muteeId: "b")
    #expect(try await authors() == ["a", "me"])
    try await session.graph.unmuteUser(muterId: "me", muteeId: "b")
    try await session.graph.blockUser(blockerId: "b", blockedId: "me")
    #expect(try await authors() == ["a", "me"], "a block counts either way")
    try await session.graph.unfollowUser(followerId: "me", followeeId: "a")
    #expect(try await authors() == ["me"])
  }

  @Test func onlyWhatIsPublishedForTheUserIsInIt() async throws {
    let session = try MockSession()
    try await session.graph.followUser(followerId: "me", followeeId: "a")
    for author in ["a", "me"] {
      for privacy in ["public", "followers", "private"] {
        for status in ["published", "draft", "archived"] {
          try await session.post(author, "\(privacy) \(status)", privacy: privacy, status: status)
        }
      }
    }
    #expect(
      try await session.feed("me", "ch").map { "\($0.userId): \($0.content)" } == [
        "me: private published", "me: followers published", "me: public published", "a: followers published",
        "a: public published",
      ])
  }

  @Test func theAlgorithmsDiffer() async throws {
    let session = try MockSession()
    for number in 1...3 {
      try await session.post("me", "\(number)")
      session.advance(43_200)
    }
    for user in 1...3 { try await session.like("u\(user)", "post-2") }
    for user in 1...3 { try await session.comment("u\(user)", on: "post-1") }
    func order(_ algorithm: String) async throws -> [String] {
      let posts = try await session.feed("me", algorithm)
      #expect(posts.map(\.rankingScore) == posts.map(\.rankingScore).sorted(by: >))
      return posts.map(\.content)
    }
    #expect(try await order("ch") == ["3", "2", "1"])
    #expect(try await order("v2") == ["1", "2", "3"])
    #expect(try await order("hybrid") == ["2", "1", "3"])
    #expect(try await order("") == ["2", "1", "3"], "hybrid is the default")
    let first = try await session.feed("me", "v2").first
    #expect(first?.likeCount == 0 && first?.commentCount == 3 && first?.shareCount == 0)
  }

  @Test(arguments: ["ch", "v2", "hybrid"])
  func pagesStayConsistentWhilePostsAreAdded(algorithm: String) async throws {
    let session = try MockSession(.guide)
    let before = try await session.feed("mock-user-id", algorithm)
    #expect(before.count > 500)
    let followee = try await session.graph.getFollowing(userId: "mock-user-id").userIds[0]
    var seen: [String] = []
    var cursor = ""
    repeat {
      let page = try await session.feed.getFeed(
        GetFeedRequest(userId: "mock-user-id", limit: 37, cursor: cursor, algorithm: algorithm))
      seen += page.posts.map(\.id)
      cursor = page.nextCursor
      #expect(page.hasMore == !cursor.isEmpty)
      try await session.post(followee)
    } while !cursor.isEmpty
    #expect(Set(seen).count == seen.count)
    #expect(Set(seen).isSuperset(of: before.map(\.id)))
    let old = Set(before.map(\.id))
    #expect(seen.filter(old.contains) == before.map(\.id), "in the same order")
  }

  @Test func aCursorSurvivesTheDeletionOfItsPost() async throws {
    let session = try MockSession()
    for _ in 0..<4 { try await session.post("me") }
    let page = try await session.feed.getFeed(GetFeedRequest(userId: "me", limit: 2, algorithm: "ch"))
    _ = try await session.content.deletePost(DeletePostRequest(postId: "post-3", deletedById: "me"))
    let next = try await session.feed.getFeed(
      GetFeedRequest(userId: "me", limit: 2, cursor: page.nextCursor, algorithm: "ch"))
    #expect(next.posts.map(\.id) == ["post-2", "post-1"])
    #expect(!next.hasMore && next.nextCursor.isEmpty)
  }

  @Test func cursorsOfOtherFeedsAreRefused() async throws {
    let session = try MockSession(.guide)
    func getFeed(_ cursor: String, user: String = "mock-user-id", algorithm: String = "ch") async -> APIError.Code? {
      let request = GetFeedRequest(userId: user, cursor: cursor, algorithm: algorithm)
      return await code { try await session.feed.getFeed(request) }
    }
    let page = try await session.feed.getFeed(GetFeedRequest(userId: "mock-user-id", algorithm: "ch"))
    let cursor = page.nextCursor
    #expect(page.posts.count == 20, "the default")
    #expect(await getFeed(cursor) == nil)
    #expect(await getFeed(cursor, user: "user-0001") == .invalidArgument)
    #expect(await getFeed(cursor, algorithm: "v2") == .invalidArgument)
    for text in ["x", "0", "-", "--", "1-1-1", cursor + "0", String(cursor.dropLast()), cursor.uppercased()] {
      #expect(await getFeed(text) == .invalidArgument, "\(text)")
    }
    #expect(await getFeed("", algorithm: "v3") == .invalidArgument)
    #expect(await getFeed("", user: "") == .invalidArgument)
  }

  @Test(arguments: [(1, 1), (100, 100), (4_000_000_000, 100)])
  func limitsAreClamped(limit: Int, count: Int) async throws {
    let request = GetFeedRequest(userId: "mock-user-id", limit: limit)
    #expect(try await MockSession(.guide).feed.getFeed(request).posts.count == count)
  }

  @Test func invalidatingTheCacheSucceeds() async throws {
    let session = try MockSession()
    let request = InvalidateFeedCacheRequest(userId: "me", eventType: "post_created")
    #expect(try await session.feed.invalidateFeedCache(request).success)
    #expect(
      await code { try await session.feed.invalidateFeedCache(InvalidateFeedCacheRequest()) } == .invalidArgument)
  }
}

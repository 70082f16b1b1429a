import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct LikeTests {
  @Test func likingTwiceKeepsOneLike() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    #expect(try await session.like("a", post) == 1)
    #expect(try await session.like("a", post) == 1)
    #expect(try await session.like("b", post) == 2)
    let unlike = DeleteLikeRequest(userId: "a", postId: post)
    for _ in 0..<2 {
      let answer = try await session.social.deleteLike(unlike)
      #expect(answer.success && answer.likeCount == 1)
    }
    #expect(try await session.social.getLikeCount(GetLikeCountRequest(postId: post)).count == 1)
    #expect(try await session.like("a", post) == 2, "and a like may come back")
  }

  @Test func likesComeNewestFirstAndInPages() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    for number in 1...5 {
      session.advance()
      try await session.like("u\(number)", post)
    }
    let first = try await session.social.getPostLikes(GetPostLikesRequest(postId: post, limit: 2))
    #expect(first.likes.map(\.userId) == ["u5", "u4"])
    #expect(first.userIds == ["u5", "u4"])
    #expect(first.likes.map(\.createdAt) == [1_000_005, 1_000_004])
    #expect(first.likes.map(\.id) == ["like-5", "like-4"])
    #expect(first.likes.allSatisfy { $0.postId == post })
    #expect(first.totalCount == 5 && first.hasMore)
    let last = try await session.social.getPostLikes(GetPostLikesRequest(postId: post, limit: 2, offset: 4))
    #expect(last.userIds == ["u1"])
    #expect(last.totalCount == 5 && !last.hasMore)
  }

  @Test func usersHaveListsToo() async throws {
    let session = try MockSession()
    var posts: [String] = []
    for _ in 0..<4 { posts.append(try await session.post("author")) }
    for post in posts { try await session.like("a", post) }
    _ = try await session.social.deleteLike(DeleteLikeRequest(userId: "a", postId: posts[1]))
    try await session.like("a", posts[1])
    let page = try await session.social.getUserLikedPosts(GetUserLikedPostsRequest(userId: "a", limit: 3))
    #expect(page.postIds == [posts[1], posts[3], posts[2]], "the newest like first, not the newest post")
    #expect(page.total == 4 && page.hasMore)
    let checks = try await session.social.batchCheckUserLiked(
      BatchCheckUserLikedRequest(userId: "a", postIds: [posts[0], "post-99"]))
    #expect(checks.results == [posts[0]: true, "post-99": false])
    #expect(try await session.social.checkUserLiked(CheckUserLikedRequest(userId: "a", postId: posts[0])).liked)
    #expect(try await !session.social.checkUserLiked(CheckUserLikedRequest(userId: "b", postId: posts[0])).liked)
  }

  @Test(arguments: ["post-2", "post-01", "post-0", "post--1", "post-+1", "post-99999999999", "post-", "x"])
  func aMissingPostIsNotFoundWhenWrittenToAndEmptyWhenRead(id: String) async throws {
    let session = try MockSession()
    try await session.post("author")
    #expect(await code { try await session.like("a", id) } == .notFound)
    #expect(await code { try await session.social.deleteLike(DeleteLikeRequest(userId: "a", postId: id)) } == .notFound)
    #expect(await code { try await session.comment("a", on: id) } == .notFound)
    #expect(await code { try await session.share("a", id) } == .notFound)
    #expect(await code { try await session.bookmark("a", id) } == .notFound)
    let unbookmark = DeleteBookmarkRequest(userId: "a", postId: id)
    #expect(await code { try await session.content.deleteBookmark(unbookmark) } == .notFound)

    #expect(try await session.social.getPostLikes(GetPostLikesRequest(postId: id)) == GetPostLikesResponse())
    #expect(try await session.social.getComments(GetCommentsRequest(postId: id)) == GetCommentsResponse())
    #expect(try await session.social.getLikeCount(GetLikeCountRequest(postId: id)).count == 0)
    #expect(try await session.social.getCommentCount(GetCommentCountRequest(postId: id)).count == 0)
    #expect(try await session.social.getShareCount(GetShareCountRequest(postId: id)).count == 0)
    #expect(try await !session.social.checkUserShared(CheckUserSharedRequest(userId: "a", postId: id)).shared)
    #expect(try await session.stats(id) == PostStats())
  }

  @Test func badArgumentsAreRefused() async throws {
    let session = try MockSession(.guide)
    let social = session.social
    let ids = (1...101).map { "post-\($0)" }
    let codes = [
      await code { try await session.like("", "post-1") },
      await code { try await session.like("a", "") },
      await code { try await social.getPostLikes(GetPostLikesRequest(postId: "")) },
      await code { try await social.getPostLikes(GetPostLikesRequest(postId: "post-1", limit: -1)) },
      await code { try await social.getUserLikedPosts(GetUserLikedPostsRequest(userId: "a", offset: -1)) },
      await code { try await social.batchCheckUserLiked(BatchCheckUserLikedRequest(userId: "a", postIds: ids)) },
      await code { try await social.batchGetPostStats(BatchGetPostStatsRequest(postIds: ids)) },
    ]
    #expect(codes.allSatisfy { $0 == .invalidArgument }, "\(codes)")
    let hundred = BatchGetPostStatsRequest(postIds: Array(ids.prefix(100)))
    #expect(try await social.batchGetPostStats(hundred).stats.count == 100)
  }
}

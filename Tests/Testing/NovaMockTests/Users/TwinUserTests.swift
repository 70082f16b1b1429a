import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

/// Users whose IDs differ only in how Unicode writes them are two users of the backend.
@Suite struct TwinUserTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  @Test func theyLikeFollowAndOwnEachByItself() async throws {
    let session = try MockSession()
    let post = try await session.post(Self.composed)
    #expect(try await session.like(Self.composed, post) == 1)
    #expect(try await session.like(Self.decomposed, post) == 2)
    let likes = try await session.social.getPostLikes(GetPostLikesRequest(postId: post))
    #expect(likes.userIds.haveSameBytes(as: [Self.decomposed, Self.composed]))
    #expect(try await session.social.getLikeCount(GetLikeCountRequest(postId: post)).count == 2)
    #expect(try await session.share(Self.composed, post) == 1)
    #expect(try await session.social.checkUserShared(postId: post, userId: Self.composed))
    #expect(try await !session.social.checkUserShared(postId: post, userId: Self.decomposed))
    let error = await apiError { try await session.content.deletePost(postId: post, deletedById: Self.decomposed) }
    #expect(error?.code == .permissionDenied)
    let comment = try await session.comment(Self.composed, on: post)
    let change = await apiError {
      _ = try await session.social.updateComment(
        UpdateCommentRequest(commentId: comment.id, userId: Self.decomposed, content: "x"))
    }
    #expect(change?.code == .permissionDenied)
    try await session.graph.followUser(followerId: Self.composed, followeeId: Self.decomposed)
    #expect(try await session.graph.isFollowing(followerId: Self.composed, followeeId: Self.decomposed))
    #expect(try await !session.graph.isFollowing(followerId: Self.decomposed, followeeId: Self.composed))
  }

  /// Its answer is a map, which this backend could not fill.
  @Test func aBatchOfBothIsRefused() throws {
    let mock = MockCaller()
    let request = BatchCheckUserLikedRequest(userId: "u", postIds: [Self.composed, Self.decomposed])
    #expect(try mock.refusal(SocialRPC.batchCheckUserLiked, request)?.grpcStatus == .invalidArgument)
    let stats = BatchGetPostStatsRequest(postIds: [Self.composed, Self.decomposed])
    #expect(try mock.refusal(SocialRPC.batchGetPostStats, stats)?.grpcStatus == .invalidArgument)
  }

  @Test func anotherSpellingIsAnotherText() async throws {
    let session = try MockSession()
    let post = try await session.post("a")
    let comment = try await session.comment("a", on: post, Self.composed)
    let changed = try await session.social.updateComment(
      UpdateCommentRequest(commentId: comment.id, userId: "a", content: Self.decomposed))
    #expect(changed.comment?.content.hasSameBytes(as: Self.decomposed) == true)
  }
}

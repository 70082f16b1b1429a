import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

/// The social service against the mock backend. `post-1` is the guide's sample user's.
@Suite struct SocialServiceTests {
  private let owner = "mock-user-id"
  private let social: SocialService

  init() throws { social = SocialService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func likesAreCountedOnce() async throws {
    let before = try await social.getLikeCount(postId: "post-1")
    for _ in 0..<2 { #expect(try await social.createLike(postId: "post-1", userId: "new") == before + 1) }
    #expect(try await social.checkUserLiked(postId: "post-1", userId: "new"))
    #expect(try await social.getPostLikes(postId: "post-1", limit: 1).userIds == ["new"])
    #expect(try await social.getUserLikedPosts(userId: "new").postIds == ["post-1"])
    for _ in 0..<2 { #expect(try await social.deleteLike(postId: "post-1", userId: "new") == before) }
    #expect(try await !social.checkUserLiked(postId: "post-1", userId: "new"))
    let error = await apiError { try await social.createLike(postId: "nothing", userId: "new") }
    #expect(error?.code == .notFound && error?.rpc == "social.CreateLike")
  }

  @Test func likersComeOnceInPages() async throws {
    for number in 0..<25 { try await social.createLike(postId: "post-2", userId: "fan-\(number)") }
    let count = try await social.getLikeCount(postId: "post-2")
    var likers: [String] = []
    for try await id in social.likers(of: "post-2", pageSize: 10) { likers.append(id) }
    #expect(likers.count == count && Set(likers).count == count)
    #expect(Array(likers.prefix(25)) == (0..<25).reversed().map { "fan-\($0)" })
  }

  @Test func likedPostsComeNewestFirst() async throws {
    for number in 1...25 { try await social.createLike(postId: "post-\(number)", userId: "new") }
    var posts: [String] = []
    for try await id in social.likedPostIds(by: "new", pageSize: 10, maximumCount: 22) { posts.append(id) }
    #expect(posts == (4...25).reversed().map { "post-\($0)" })
  }

  @Test func batchesOfAnySizeAreAnswered() async throws {
    try await social.createLike(postId: "post-7", userId: "new")
    let ids = (1...250).map { "post-\($0)" }
    let liked = try await social.batchCheckUserLiked(postIds: ids, userId: "new")
    #expect(liked.count == 250 && liked.filter(\.value).keys.elementsEqual(["post-7"]))
    let stats = try await social.batchGetPostStats(postIds: ids)
    #expect(stats.count == 250)
    #expect(try await stats["post-7"]?.likeCount == Int64(social.getLikeCount(postId: "post-7")))
    #expect(try await social.batchGetPostStats(postIds: []).isEmpty)
  }

  @Test func commentsAreWrittenChangedAndDeleted() async throws {
    let count = try await social.getCommentCount(postId: "post-1")
    let comment = try await social.createComment(postId: "post-1", userId: "a", content: "Nice!")
    let answer = try await social.createComment(
      postId: "post-1", userId: owner, content: "Thanks", parentCommentId: comment.id)
    #expect(comment.creatorId == "a" && comment.parentCommentId.isEmpty && answer.parentCommentId == comment.id)
    #expect(try await social.getCommentCount(postId: "post-1") == count + 2)
    #expect(
      try await social.updateComment(commentId: comment.id, userId: "a", content: "Nicer!").content == "Nicer!")
    #expect(try await social.getComment(commentId: comment.id)?.content == "Nicer!")
    let theft = await apiError { try await social.updateComment(commentId: comment.id, userId: "b", content: "x") }
    #expect(theft?.code == .permissionDenied)
    let removal = await apiError { try await social.deleteComment(commentId: comment.id, userId: "b") }
    #expect(removal?.code == .permissionDenied)
    try await social.deleteComment(commentId: comment.id, userId: owner)
    #expect(try await social.getComment(commentId: comment.id) == nil)
  }

  @Test func commentsAreListedInEitherOrder() async throws {
    for number in 0..<5 { try await social.createComment(postId: "post-3", userId: "a", content: "\(number)") }
    let total = try await social.getCommentCount(postId: "post-3")
    let newest = try await social.getComments(postId: "post-3", limit: 3)
    #expect(newest.comments.map(\.content) == ["4", "3", "2"])
    #expect(newest.totalCount == total && newest.hasMore)
    var oldestFirst: [String] = []
    for try await comment in social.comments(on: "post-3", order: .ascending, pageSize: 2) {
      oldestFirst.append(comment.content)
    }
    #expect(oldestFirst.count == total && oldestFirst.suffix(5) == ["0", "1", "2", "3", "4"])
    let error = await apiError {
      try await social.getComments(postId: "post-3", sortBy: CommentSort(rawValue: "length"))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func sharesAreCounted() async throws {
    let before = try await social.getShareCount(postId: "post-1")
    #expect(try await social.createShare(postId: "post-1", userId: "new") == before + 1)
    #expect(try await social.createShare(postId: "post-1", userId: "new", shareType: .story) == before + 2)
    #expect(try await social.checkUserShared(postId: "post-1", userId: "new"))
    #expect(try await !social.checkUserShared(postId: "post-1", userId: "other"))
    let error = await apiError { try await social.createShare(postId: "nothing", userId: "new") }
    #expect(error?.code == .notFound)
  }

  @Test func badArgumentsAreNotSent() async throws {
    let transport = RecordingTransport("{}")
    let social = SocialService(client: try APIClient.test(transport))
    let errors = [
      await apiError { try await social.createLike(postId: "", userId: "u") },
      await apiError { try await social.getPostLikes(postId: "p", limit: -1) },
      await apiError { try await social.createComment(postId: "p", userId: "u", content: "") },
      await apiError {
        try await social.updateComment(commentId: "c", userId: "u", content: String(repeating: "é", count: 2001))
      },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidArgument && $0?.httpStatus == nil })
    #expect(transport.requests.isEmpty)
  }
}

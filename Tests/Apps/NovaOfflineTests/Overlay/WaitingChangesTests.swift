import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// What waiting writes change about lists, and what confirmed ones do.
@Suite struct WaitingChangesTests {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  let post: String

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    post = try await ada.content.createPost(creatorId: ada.user.id, content: "hello").id
  }

  private func comment(_ text: String, parent: String = "") async throws -> String {
    world.advance(seconds: 1)
    return try await ada.social.createComment(
      postId: post, userId: ada.user.id, content: text, parentCommentId: parent
    ).id
  }

  private func comments(sortedBy sort: String = "created_at") -> GetCommentsRequest {
    GetCommentsRequest(postId: post, limit: 50, sortBy: sort, order: "desc")
  }

  private func posts(_ status: String) async throws -> (ids: [String], total: Int)? {
    let request = GetPostsByAuthorRequest(authorId: ada.user.id, status: status, limit: 10)
    return try await ada.stored(ContentRPC.getPostsByAuthor, request).map {
      ($0.value.posts.map(\.id), Int($0.value.totalCount))
    }
  }

  @Test func aRemovedCommentTakesItsRepliesWithIt() async throws {
    let first = try await comment("first")
    let reply = try await comment("reply", parent: first)
    let other = try await comment("other")
    let nested = try await comment("nested", parent: reply)
    _ = try await ada.client.respond(SocialRPC.getComments, comments())
    ada.set(.down)
    _ = try await ada.social.deleteComment(commentId: first, userId: ada.user.id)
    let page = try await ada.stored(SocialRPC.getComments, comments())?.value
    #expect(page?.comments.map(\.id) == [other], "\(first), \(reply) and \(nested) are gone")
    #expect(page?.totalCount == 1)
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    let stored = try await ada.stored(SocialRPC.getComments, comments())?.value
    #expect(stored == (try await ada.client.respond(SocialRPC.getComments, comments())).value)
  }

  @Test func aNewReplyGoesWithItsComment() async throws {
    _ = try await ada.client.respond(SocialRPC.getComments, comments())
    ada.set(.down)
    let first = try await comment("first")
    _ = try await comment("reply", parent: first)
    _ = try await ada.social.deleteComment(commentId: first, userId: ada.user.id)
    let page = try await ada.stored(SocialRPC.getComments, comments())?.value
    #expect(page?.comments.map(\.content) == [])
    #expect(page?.totalCount == 0)
  }

  @Test func aPostMovesToTheListOfItsNewStatus() async throws {
    for status in [PostStatus.published, .draft] {
      _ = try await ada.content.getPostsByAuthor(authorId: ada.user.id, status: status, limit: 10)
    }
    ada.set(.down)
    _ = try await ada.content.updatePost(postId: post, status: .draft)
    #expect(try await posts("published").map { $0 == ([], 0) } == true)
    #expect(try await posts("draft").map { $0 == ([post], 1) } == true)
  }

  @Test func aNewPostMovesToTheListOfItsNewStatus() async throws {
    for status in [PostStatus.published, .draft] {
      _ = try await ada.content.getPostsByAuthor(authorId: ada.user.id, status: status, limit: 10)
    }
    ada.set(.down)
    let new = try await ada.content.createPost(creatorId: ada.user.id, content: "new").id
    #expect(try await posts("published").map { $0 == ([new, post], 2) } == true)
    _ = try await ada.content.updatePost(postId: new, status: .draft)
    #expect(try await posts("published").map { $0 == ([post], 1) } == true)
    #expect(try await posts("draft").map { $0 == ([new], 1) } == true)
  }

  @Test func aChangedCommentComesFirstInTheOrderOfChanges() async throws {
    let ids = [try await comment("1"), try await comment("2"), try await comment("3")]
    let request = comments(sortedBy: "updated_at")
    _ = try await ada.client.respond(SocialRPC.getComments, request)
    world.advance(seconds: 1)
    _ = try await ada.social.updateComment(commentId: ids[1], userId: ada.user.id, content: "2, changed")
    let page = try await ada.stored(SocialRPC.getComments, request)
    #expect(page?.value.comments.map(\.id) == [ids[1], ids[2], ids[0]])
    guard case .cache(.some) = page?.source else {
      Issue.record("the list is as old as it was, got \(String(describing: page?.source))")
      return
    }
  }

  /// Only the removal waits, and whether it removes anything is not known.
  @Test(arguments: [false, true])
  func aLikeAndItsRemovalChangeNoCount(isLikedBefore: Bool) async throws {
    let bob = try world.newUser("bob")
    let other =
      try world.mock.call(
        ContentRPC.createPost, CreatePostRequest(creatorId: bob.id, content: "hello"), token: bob.token
      ).post?.id ?? ""
    if isLikedBefore {
      _ = try world.mock.call(
        SocialRPC.createLike, CreateLikeRequest(userId: ada.user.id, postId: other), token: ada.user.token)
    }
    let count = try await ada.social.getLikeCount(postId: other)
    ada.set(.down)
    _ = try await ada.social.createLike(postId: other, userId: ada.user.id)
    _ = try await ada.social.deleteLike(postId: other, userId: ada.user.id)
    let request = GetLikeCountRequest(postId: other)
    #expect(try await ada.stored(SocialRPC.getLikeCount, request)?.value.count == Int64(count))
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    #expect(try await ada.social.getLikeCount(postId: other) == 0)
  }

  /// What never left this machine took effect when the gateway says so, and not before.
  @Test func aWriteThatCouldNotLeaveMovesItsCount() async throws {
    let count = GetLikeCountRequest(postId: post)
    _ = try await ada.social.checkUserLiked(postId: post, userId: ada.user.id)
    _ = try await ada.client.respond(SocialRPC.getLikeCount, count)
    ada.set(.down)
    _ = try await ada.social.createLike(postId: post, userId: ada.user.id)
    // Another attempt that cannot leave.
    _ = try await ada.offline.outbox.flush()
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    ada.set(.down)
    let stored = try await ada.stored(SocialRPC.getLikeCount, count)
    #expect(stored?.value.count == 1)
    #expect(stored?.source == .cache(age: .zero))
  }

  /// Another program of the user can have done the same between the two reads.
  @Test func aCountThatIsNewerThanTheRelationIsReadAgain() async throws {
    let bob = try world.newUser("bob")
    let other =
      try world.mock.call(
        ContentRPC.createPost, CreatePostRequest(creatorId: bob.id, content: "hello"), token: bob.token
      ).post?.id ?? ""
    let count = GetLikeCountRequest(postId: other)
    let like = CreateLikeRequest(userId: ada.user.id, postId: other)
    _ = try await ada.social.checkUserLiked(postId: other, userId: ada.user.id)
    world.advance(seconds: 1)
    _ = try world.mock.call(SocialRPC.createLike, like, token: ada.user.token)
    _ = try await ada.client.respond(SocialRPC.getLikeCount, count)
    // The answer to the like does not state how many posts the user likes.
    let likedPosts = GetUserLikedPostsRequest(userId: ada.user.id, limit: 50)
    _ = try await ada.client.respond(SocialRPC.getUserLikedPosts, likedPosts)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    func check<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) async throws {
      let stored = try await ada.stored(rpc, request)
      let actual = try world.mock.call(rpc, request, token: ada.user.token)
      #expect(stored?.value == actual || stored?.source == .cache(age: nil), "\(String(describing: stored))")
    }
    try await check(SocialRPC.getLikeCount, count)
    try await check(SocialRPC.getUserLikedPosts, likedPosts)
  }
}

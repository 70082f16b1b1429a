import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct PostTests {
  @Test func createdPostsCanBeRead() async throws {
    let session = try MockSession()
    let request = CreatePostRequest(
      creatorId: "a", content: "text", title: "title", privacy: "followers", status: "draft", mediaIds: ["m2", "m1"])
    let post = try await session.content.createPost(request).post
    let expected = Post(
      id: "post-1", creatorId: "a", content: "text", createdAt: session.now, updatedAt: session.now, title: "title",
      privacy: "followers", status: "draft", mediaIds: ["m2", "m1"])
    #expect(post == expected)
    let answer = try await session.content.getPost(GetPostRequest(postId: "post-1"))
    #expect(answer.post == expected && answer.found)
    #expect(try await session.content.checkPostExists(CheckPostExistsRequest(postId: "post-1")).exists)
  }

  @Test func newPostsArePublicAndPublished() async throws {
    let session = try MockSession()
    let post = try await session.content.createPost(CreatePostRequest(creatorId: "a", content: "x")).post
    #expect(post?.privacy == "public" && post?.status == "published")
    #expect(try await session.post("a") == "post-2")
  }

  @Test func aMissingPostIsNoError() async throws {
    let session = try MockSession()
    let answer = try await session.content.getPost(GetPostRequest(postId: "post-1"))
    #expect(answer == GetPostResponse(found: false))
    #expect(try await !session.content.checkPostExists(CheckPostExistsRequest(postId: "post-1")).exists)
  }

  @Test(arguments: [
    (CreatePostRequest(content: "x"), APIError.Code.invalidArgument as APIError.Code?),
    (CreatePostRequest(creatorId: "a"), .invalidArgument),
    (CreatePostRequest(creatorId: "a", content: String(repeating: "x", count: 10_001)), .invalidArgument),
    (CreatePostRequest(creatorId: "a", content: String(repeating: "🧑🏽‍🌾", count: 10_000)), nil),
    (CreatePostRequest(creatorId: "a", content: "x", privacy: "friends"), .invalidArgument),
    (CreatePostRequest(creatorId: "a", content: "x", status: "deleted"), .invalidArgument),
  ])
  func argumentsAreChecked(request: CreatePostRequest, expected: APIError.Code?) async throws {
    let session = try MockSession()
    #expect(await code { try await session.content.createPost(request) } == expected)
  }

  @Test func onlyWhatIsGivenChanges() async throws {
    let session = try MockSession()
    let request = CreatePostRequest(creatorId: "a", content: "text", title: "title", mediaIds: ["m"])
    var expected = try await session.content.createPost(request).post ?? Post()
    session.advance()
    expected.updatedAt = session.now
    expected.content = "new"
    let update = UpdatePostRequest(postId: "post-1", content: "new")
    #expect(try await session.content.updatePost(update).post == expected)
    session.advance()
    #expect(try await session.content.updatePost(update).post == expected, "a repeat changes nothing")
    #expect(try await session.content.updatePost(UpdatePostRequest(postId: "post-1")).post == expected)
    expected.title = ""
    expected.privacy = "private"
    expected.status = "archived"
    expected.updatedAt = session.now
    let rest = UpdatePostRequest(postId: "post-1", title: "", privacy: "private", status: "archived")
    #expect(try await session.content.updatePost(rest).post == expected)
    #expect(try await session.content.getPost(GetPostRequest(postId: "post-1")).post == expected)
  }

  @Test(arguments: [
    (UpdatePostRequest(postId: "post-1", content: ""), APIError.Code.invalidArgument),
    (UpdatePostRequest(postId: "post-1", content: String(repeating: "x", count: 10_001)), .invalidArgument),
    (UpdatePostRequest(postId: "post-1", privacy: ""), .invalidArgument),
    (UpdatePostRequest(postId: "post-1", status: "gone"), .invalidArgument),
    (UpdatePostRequest(postId: "post-2", content: "x"), .notFound),
    (UpdatePostRequest(content: "x"), .invalidArgument),
  ])
  func rejectedChangesHaveNoEffect(request: UpdatePostRequest, expected: APIError.Code) async throws {
    let session = try MockSession()
    try await session.post("a")
    let before = try await session.content.getPost(GetPostRequest(postId: "post-1"))
    var request = request
    request.title = "not to be seen"
    #expect(await code { try await session.content.updatePost(request) } == expected)
    #expect(try await session.content.getPost(GetPostRequest(postId: "post-1")) == before)
  }

  @Test func onlyTheAuthorMayDelete() async throws {
    let session = try MockSession()
    let post = try await session.post("a")
    let strangers = DeletePostRequest(postId: post, deletedById: "b")
    #expect(await code { try await session.content.deletePost(strangers) } == .permissionDenied)
    session.advance()
    let delete = DeletePostRequest(postId: post, deletedById: "a")
    let answer = try await session.content.deletePost(delete)
    #expect(answer == DeletePostResponse(postId: post, deletedAt: session.now))
    #expect(await code { try await session.content.deletePost(delete) } == .notFound)
    #expect(try await session.post("a") == "post-2", "ids are not used again")
  }

  @Test func deletingAPostDeletesItsReactions() async throws {
    let session = try MockSession()
    let doomed = try await session.post("a")
    let other = try await session.post("a")
    for post in [doomed, other] {
      try await session.like("b", post)
      try await session.bookmark("b", post)
      try await session.share("b", post)
      try await session.comment("b", on: post)
    }
    _ = try await session.content.deletePost(DeletePostRequest(postId: doomed, deletedById: "a"))
    #expect(try await session.stats(doomed) == PostStats())
    #expect(try await session.stats(other) == PostStats(likeCount: 1, commentCount: 1, shareCount: 1))
    #expect(try await session.bookmarks("b") == [other])
    let liked = try await session.social.getUserLikedPosts(GetUserLikedPostsRequest(userId: "b"))
    #expect(liked.postIds == [other] && liked.total == 1)
    #expect(
      await code { try await session.social.getComment(GetCommentRequest(commentId: "comment-1")) } == .notFound)
    #expect(
      try await !session.social.checkUserShared(CheckUserSharedRequest(userId: "b", postId: doomed)).shared)
    let byAuthor = try await session.content.getPostsByAuthor(GetPostsByAuthorRequest(authorId: "a"))
    #expect(byAuthor.posts.map(\.id) == [other] && byAuthor.totalCount == 1)
  }
}

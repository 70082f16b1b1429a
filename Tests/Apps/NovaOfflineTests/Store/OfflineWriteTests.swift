import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaOffline

@Suite struct OfflineWriteTests {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  let bob: OfflineWorld.User
  let post: String

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    bob = try world.newUser("bob")
    let request = CreatePostRequest(creatorId: bob.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: bob.token).post?.id ?? ""
  }

  private var like: CreateLikeRequest { CreateLikeRequest(userId: ada.user.id, postId: post) }

  private func likeCount() async throws -> Int64? {
    try await ada.stored(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post))?.value.count
  }

  private func likesAtGateway() throws -> Int64 {
    try world.mock.call(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post), token: bob.token).count
  }

  @Test func showsAConfirmedWriteWhereverItCounts() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    _ = try await ada.social.checkUserLiked(postId: post, userId: ada.user.id)
    _ = try await ada.social.getPostLikes(postId: post)
    let response = try await ada.client.respond(SocialRPC.createLike, like)
    #expect(response.source == .network)
    #expect(try await likeCount() == 1)
    let relation = CheckUserLikedRequest(userId: ada.user.id, postId: post)
    #expect(try await ada.stored(SocialRPC.checkUserLiked, relation)?.value.liked == true)
    let likers = try await ada.stored(SocialRPC.getPostLikes, GetPostLikesRequest(postId: post, limit: 50))
    #expect(likers?.value.userIds == [ada.user.id])
    #expect(likers?.value.totalCount == 1)
  }

  /// Also at once, before any call has shown who is signed in.
  @Test func theOutboxShowsTheWritesOfWhoeverHasTheToken() async throws {
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    let outbox = try ada.offline.outbox
    #expect(outbox.state.waiting == 1)
    ada.token.current = nil
    #expect(outbox.state.waiting == 0)
    ada.token.current = try AccessToken(bob.token)
    #expect(outbox.state.waiting == 0)
    ada.token.current = try AccessToken(ada.user.token)
    #expect(outbox.state.waiting == 1)
  }

  @Test func letsAWriteWaitAndShowsIt() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    ada.set(.down)
    let response = try await ada.client.respond(SocialRPC.createLike, like)
    #expect(response.source == .outbox)
    #expect(response.value.success)
    #expect(response.value.likeCount == 1)
    #expect(try await likeCount() == 1)
    #expect(try likesAtGateway() == 0)
    ada.set(.up)
    let summary = try await ada.offline.outbox.flush()
    #expect(summary.sent == 1)
    #expect(try likesAtGateway() == 1)
    #expect(try await likeCount() == 1)
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  /// A confirmation without a body says nothing about counts, whatever its status.
  @Test(arguments: [true, false], [200, 202, 204]) func aConfirmationWithoutABodyIsOne(
    waits: Bool, status: Int
  ) async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    _ = try await ada.social.checkUserLiked(postId: post, userId: ada.user.id)
    if waits {
      ada.set(.down)
      #expect(try await ada.client.respond(SocialRPC.createLike, like).source == .outbox)
      ada.set(.confirmsOnly(status: status))
      #expect(try await ada.offline.outbox.flush() == OutboxSummary(sent: 1))
    } else {
      ada.set(.confirmsOnly(status: status))
      #expect(try await ada.client.respond(SocialRPC.createLike, like).source == .network)
    }
    #expect(try likesAtGateway() == 1)
    let relation = CheckUserLikedRequest(userId: ada.user.id, postId: post)
    #expect(try await ada.stored(SocialRPC.checkUserLiked, relation)?.value.liked == true)
    #expect(try await likeCount() == 1)
  }

  @Test func sendsAWriteWhoseAnswerWasLostOnlyOnce() async throws {
    ada.set(.losesAnswers)
    let comment = CreateCommentRequest(postId: post, userId: ada.user.id, content: "nice")
    #expect(try await ada.client.respond(SocialRPC.createComment, comment).source == .outbox)
    ada.set(.up)
    try await ada.restart()
    _ = try await ada.offline.outbox.flush()
    let page = try await ada.social.getComments(postId: post)
    #expect(page.comments.map(\.content) == ["nice"])
  }

  /// The gateway's list has the comment already, under its own id.
  @Test(arguments: [Connection.losesAnswers, .down]) func showsAWriteWhoseAnswerWasLostOnlyOnce(
    _ connection: Connection
  ) async throws {
    try await ada.offline.outbox.stop()
    _ = try await ada.social.getComments(postId: post)
    ada.set(connection)
    let comment = CreateCommentRequest(postId: post, userId: ada.user.id, content: "nice")
    let local = try await ada.client.respond(SocialRPC.createComment, comment).value.comment?.id ?? ""
    ada.set(.up)
    try ada.offline.connectivity.noteResponse()
    for _ in 0..<2 {
      let page = try await ada.social.getComments(postId: post)
      #expect(page.comments.map(\.content) == ["nice"] && page.totalCount == 1)
      #expect(page.comments.first?.id.hasPrefix("local:") == (connection == .down))
    }
    // A further write changes nothing about that.
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    ada.set(.up)
    #expect(try await ada.social.getComments(postId: post).comments.count == 1)
    #expect(try await ada.offline.outbox.flush().sent == 2)
    #expect(try await ada.social.getComments(postId: post).comments.map(\.content) == ["nice"])
    #expect(local.hasPrefix("local:"))
  }

  @Test func takesBackWhatTheGatewayRefuses() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    #expect(try await likeCount() == 1)
    _ = try world.mock.call(
      ContentRPC.deletePost, DeletePostRequest(postId: post, deletedById: bob.id), token: bob.token)
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    let dead = try await ada.offline.outbox.deadLetters
    #expect(dead.map(\.rpc.id) == ["social.CreateLike"])
    #expect(dead.first?.failure?.code == .notFound)
    await ada.store.settled()
    #expect(try await likeCount() == 0)
  }

  /// The stored relation may be from before or after what another device has done, so the last write must be sent.
  @Test func keepsOppositeWritesIfTheRelationIsUncertain() async throws {
    ada.set(.losesAnswers)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    let unlike = DeleteLikeRequest(userId: ada.user.id, postId: post)
    _ = try world.mock.call(SocialRPC.deleteLike, unlike, token: ada.user.token)
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.deleteLike, unlike)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    ada.set(.up)
    _ = try await ada.offline.outbox.flush()
    #expect(try await ada.offline.outbox.entries.isEmpty)
    #expect(try likesAtGateway() == 1)
  }

  @Test func cancelsOppositeWritesOut() async throws {
    _ = try await ada.social.checkUserLiked(postId: post, userId: ada.user.id)
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    _ = try await ada.client.respond(SocialRPC.deleteLike, DeleteLikeRequest(userId: ada.user.id, postId: post))
    #expect(try await ada.offline.outbox.entries.isEmpty)
    ada.set(.up)
    let before = ada.transport.requestCount
    _ = try await ada.offline.outbox.flush()
    #expect(ada.transport.requestCount == before)
  }

  @Test func createsRecordsWithIdsThatCanBeUsed() async throws {
    _ = try await ada.content.getPostsByAuthor(authorId: ada.user.id)
    ada.set(.down)
    let created = try await ada.client.respond(
      ContentRPC.createPost, CreatePostRequest(creatorId: ada.user.id, content: "offline"))
    let id = try #require(created.value.post?.id)
    #expect(id.hasPrefix("local:"))
    #expect(created.value.post?.content == "offline")
    // It is in lists, can be read, and can be written about.
    #expect(try await ada.content.getPostsByAuthor(authorId: ada.user.id).posts.map(\.id) == [id])
    #expect(try await ada.content.getPost(postId: id)?.content == "offline")
    _ = try await ada.client.respond(SocialRPC.createLike, CreateLikeRequest(userId: ada.user.id, postId: id))
    _ = try await ada.client.respond(
      SocialRPC.createComment, CreateCommentRequest(postId: id, userId: ada.user.id, content: "first"))
    #expect(try await ada.social.getComments(postId: id).comments.map(\.content) == ["first"])
    ada.set(.up)
    #expect(try await ada.offline.outbox.flush().sent == 3)
    await ada.store.settled()
    // The old id still works.
    let post = try await ada.content.getPost(postId: id)
    #expect(post?.id.hasPrefix("post-") == true)
    #expect(try await ada.social.getLikeCount(postId: id) == 1)
    let list = try await ada.stored(
      ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: ada.user.id, limit: 50))
    #expect(list?.value.posts.map(\.id) == [post?.id ?? ""])
    #expect(list?.value.totalCount == 1)
  }

  @Test func givesCapturesNumbersAsIds() async throws {
    let capture = CaptureService(client: ada.client)
    _ = try await ada.client.respond(CaptureRPC.listSomethings, ListSomethingsRequest(skip: 0, limit: 20))
    ada.set(.down)
    let response = try await ada.client.respond(
      CaptureRPC.createSomething, CreateSomethingRequest(content: "a thought", contentType: "text"))
    #expect(response.value.id < 0)
    let request = ListSomethingsRequest(skip: 0, limit: 20)
    #expect(try await ada.stored(CaptureRPC.listSomethings, request)?.value.somethings.map(\.id) == [response.value.id])
    _ = try await capture.client.respond(
      CaptureRPC.updateMeaning, UpdateMeaningRequest(id: response.value.id, meaning: "mine"))
    ada.set(.up)
    #expect(try await ada.offline.outbox.flush().sent == 2)
    await ada.store.settled()
    let stored = try await ada.stored(CaptureRPC.listSomethings, request)?.value.somethings
    #expect(stored?.map(\.meaning) == ["mine"])
    #expect(stored?.allSatisfy { $0.id > 0 } == true)
  }

  /// What the gateway would refuse never waits in the outbox.
  @Test(arguments: [
    CreateSomethingRequest(contentType: .image), CreateSomethingRequest(contentType: .url, mediaUrl: "a.jpg"),
    CreateSomethingRequest(contentType: .text), CreateSomethingRequest(content: "x", contentType: .video, mediaUrl: ""),
  ])
  func queuesNoCaptureWithoutWhatItsTypeNeeds(_ request: CreateSomethingRequest) async throws {
    for isUp in [true, false] {
      ada.set(isUp ? .up : .down)
      let error = await apiError { try await ada.client.respond(CaptureRPC.createSomething, request) }
      #expect(error?.code == .invalidArgument && error?.httpStatus == nil)
      #expect(try await ada.offline.outbox.entries.isEmpty)
    }
  }

  /// Without a limit, the server chooses one, also with a store.
  @Test func listsCapturesWithoutALimit() async throws {
    let capture = CaptureService(client: ada.client)
    let something = try await capture.create(text: "a thought")
    let request = ListSomethingsRequest()
    #expect(try await capture.listSomethings(request).somethings == [something])
    ada.set(.down)
    let options = CallOptions(cache: .cacheOnly)
    let stored = try await ada.client.respond(CaptureRPC.listSomethings, request, options: options)
    #expect(stored.value.somethings == [something])
  }

  @Test func answersChangesOfRecordsThatAreNotStored() async throws {
    let own = CreatePostRequest(creatorId: ada.user.id, content: "hello")
    let id = try world.mock.call(ContentRPC.createPost, own, token: ada.user.token).post?.id ?? ""
    ada.set(.down)
    #expect(try await ada.content.updatePost(postId: id, content: "changed").content == "changed")
    let profile = try await UserService(client: ada.client).updateUserProfile(userId: ada.user.id, bio: "new")
    #expect(profile.bio == "new")
    #expect(profile.id == ada.user.id)
    #expect(try await ada.offline.outbox.entries.count == 2)
  }

  @Test func keepsNothingOfAWriteThatTheGatewayDidNotDo() async throws {
    _ = try await ada.social.getLikeCount(postId: post)
    world.mock.backend.add(try .call(SocialRPC.createLike, answer: CreateLikeResponse(success: false)))
    let response = try await ada.client.respond(SocialRPC.createLike, like)
    #expect(!response.value.success)
    let relation = CheckUserLikedRequest(userId: ada.user.id, postId: post)
    #expect(try await ada.stored(SocialRPC.checkUserLiked, relation) == nil)
  }

  @Test func queuesBehindWritesAboutTheSame() async throws {
    let options = CallOptions(delivery: .enqueue)
    ada.set(.down)
    _ = try await ada.client.respond(
      SocialRPC.createComment, CreateCommentRequest(postId: post, userId: ada.user.id, content: "one"), options: options
    )
    ada.set(.up)
    // The gateway can be reached again, but "one" still waits.
    let second = try await ada.client.respond(
      SocialRPC.createComment, CreateCommentRequest(postId: post, userId: ada.user.id, content: "two"))
    #expect(second.source == .outbox)
    _ = try await ada.offline.outbox.flush()
    let comments = try world.mock.call(
      SocialRPC.getComments, GetCommentsRequest(postId: post, order: "asc"), token: bob.token)
    #expect(comments.comments.map(\.content) == ["one", "two"])
  }

  @Test func sendsNothingForImmediateCallsWhileTheGatewayIsAway() async throws {
    ada.set(.down)
    let error = await apiError {
      try await ada.client.respond(SocialRPC.createLike, like, options: CallOptions(delivery: .immediate))
    }
    #expect(error?.code == .networkError)
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  @Test func refusesWritesThatCouldNeverSucceed() async throws {
    ada.set(.down)
    let empty = await apiError {
      try await ada.client.respond(
        SocialRPC.createComment, CreateCommentRequest(postId: post, userId: ada.user.id, content: ""))
    }
    #expect(empty?.code == .invalidArgument)
    ada.token.current = nil
    let signedOut = await apiError {
      try await ada.client.respond(SocialRPC.createLike, like, options: CallOptions(delivery: .enqueue))
    }
    #expect(signedOut?.code == .unauthorized)
    // What was sent, or not, must not be hidden by the fact that it cannot wait.
    let sent = await apiError { try await ada.client.respond(SocialRPC.createLike, like) }
    #expect(sent?.code == .networkError)
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  @Test func keepsTheWritesOfAnotherUserApart() async throws {
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, like)
    ada.token.current = try AccessToken(bob.token)
    ada.set(.up)
    #expect(try await ada.offline.outbox.flush().sent == 0)
    #expect(try await ada.offline.outbox.entries.isEmpty, "they are not shown to bob")
    ada.token.current = try AccessToken(ada.user.token)
    #expect(try await ada.offline.outbox.flush().sent == 1)
    #expect(try likesAtGateway() == 1)
  }
}

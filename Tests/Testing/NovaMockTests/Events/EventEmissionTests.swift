import NovaCapture
import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMedia
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// What each change emits, to whom, and that a repetition emits nothing.
@Suite struct EventEmissionTests {
  private let world = EventWorld()

  private var mock: MockCaller { world.mock }

  /// The types of the events that `change` emits.
  private func emitted(_ change: () throws -> Void) throws -> [Event] {
    let before = world.backend.recentEvents.count
    try change()
    return Array(world.backend.recentEvents.dropFirst(before))
  }

  @Test func followsHaveTheCountsOfBothSides() throws {
    let follow = CreateFollowRequest(followerId: "ann", followeeId: "bob")
    let events = try emitted { for _ in 1...2 { _ = try mock.call(GraphRPC.createFollow, follow) } }
    #expect(events.map(\.type) == ["follow.created"])
    let event = try #require(events.first)
    #expect(event.actorId == "ann" && event.subjectId == "bob" && event.createdAt == MockCaller.start)
    #expect(event.counts == ["follower_count": 1, "following_count": 1])
    #expect(event.id == world.backend.eventPosition)
    let removed = try emitted {
      for _ in 1...2 {
        _ = try mock.call(GraphRPC.deleteFollow, DeleteFollowRequest(followerId: "ann", followeeId: "bob"))
      }
    }
    #expect(removed.map(\.type) == ["follow.deleted"])
    #expect(removed.first?.counts == ["follower_count": 0, "following_count": 0])
    #expect(try world.types("user:ann") == ["follow.created", "follow.deleted"])
    #expect(try world.types("user:bob") == ["follow.created", "follow.deleted"])
  }

  @Test func aBlockEmitsTheFollowsThatItRemoves() throws {
    try world.follow("ann", "bob")
    try world.follow("bob", "ann")
    let events = try emitted {
      for _ in 1...2 {
        _ = try mock.call(GraphRPC.createBlock, CreateBlockRequest(blockerId: "ann", blockedId: "bob"))
      }
    }
    #expect(events.map { [$0.type, $0.actorId] } == [["follow.deleted", "ann"], ["follow.deleted", "bob"]])
  }

  @Test func likesAndSharesHaveTheirCounts() throws {
    let post = try world.post(by: "ann")
    let events = try emitted {
      for _ in 1...2 { _ = try mock.call(SocialRPC.createLike, CreateLikeRequest(userId: "bob", postId: post)) }
      for _ in 1...2 { _ = try mock.call(SocialRPC.deleteLike, DeleteLikeRequest(userId: "bob", postId: post)) }
      for _ in 1...2 { _ = try mock.call(SocialRPC.createShare, CreateShareRequest(userId: "bob", postId: post)) }
    }
    #expect(events.map(\.type) == ["like.created", "like.deleted", "share.created", "share.created"])
    #expect(
      events.map(\.counts) == [["like_count": 1], ["like_count": 0], ["share_count": 1], ["share_count": 2]])
    #expect(events.allSatisfy { $0.postId == post && $0.actorId == "bob" && $0.subjectId == "ann" })
    #expect(try world.types("post:\(post)").suffix(4) == events.map(\.type)[...])
  }

  @Test func commentsHaveTheirText() throws {
    let post = try world.post(by: "ann")
    let events = try emitted {
      func add(_ parent: String) throws -> String {
        let request = CreateCommentRequest(postId: post, userId: "bob", content: "one\ntwo", parentCommentId: parent)
        return try mock.call(SocialRPC.createComment, request).comment?.id ?? ""
      }
      let first = try add("")
      _ = try add(first)
      for _ in 1...2 {
        _ = try mock.call(
          SocialRPC.updateComment, UpdateCommentRequest(commentId: first, userId: "bob", content: "three"))
      }
      _ = try mock.call(SocialRPC.deleteComment, DeleteCommentRequest(commentId: first, userId: "ann"))
    }
    #expect(
      events.map(\.type) == [
        "comment.created", "comment.created", "comment.updated", "comment.deleted", "comment.deleted",
      ])
    #expect(events.map(\.text) == ["one\ntwo", "one\ntwo", "three", nil, nil])
    #expect(events.map { $0.counts["comment_count"] } == [1, 2, nil, 0, 0])
    #expect(events.last?.actorId == "ann" && events.last?.commentId != nil)
  }

  @Test func postsHaveTheCountOfTheirAuthor() throws {
    let events = try emitted {
      let post = try world.post(by: "ann", status: "draft")
      let publish = UpdatePostRequest(postId: post, status: "published")
      for _ in 1...2 { _ = try mock.call(ContentRPC.updatePost, publish) }
      _ = try mock.call(ContentRPC.updatePost, UpdatePostRequest(postId: post, content: "other"))
      _ = try mock.call(ContentRPC.deletePost, DeletePostRequest(postId: post, deletedById: "ann"))
    }
    #expect(
      events.map(\.type) == ["post.created", "post.updated", "post.created", "post.updated", "post.deleted"])
    #expect(events.map { $0.counts["post_count"] } == [0, 1, 1, nil, 0])
    let (_, token) = try world.user("reader")
    let seen = try world.list(["user:ann"], after: world.beginning, limit: 100, token: token).events.map(\.type)
    #expect(seen == ["post.updated", "post.created", "post.updated", "post.deleted"], "nobody else sees the draft")
  }

  @Test func bookmarksUploadsAndCapturesAreTheirOwnersOnly() throws {
    let (ann, token) = try world.user("ann")
    let post = try world.post(by: "bob")
    let events = try emitted {
      for _ in 1...2 {
        _ = try mock.call(ContentRPC.createBookmark, CreateBookmarkRequest(userId: ann, postId: post))
      }
      for _ in 1...2 {
        _ = try mock.call(ContentRPC.deleteBookmark, DeleteBookmarkRequest(userId: ann, postId: post))
      }
      let upload = try mock.call(
        MediaRPC.startUpload, StartUploadRequest(userId: ann, fileName: "a", fileSize: 3, contentType: "text/plain"))
      let id = upload.upload?.id ?? ""
      let response = world.backend.respond(
        to: HTTPRequest(
          method: .put, url: HTTPURL(received: upload.uploadUrl), headers: ["Content-Range": "bytes 0-2/3"],
          body: Array("abc".utf8)))
      #expect(response.status == 200)
      for _ in 1...2 {
        _ = try mock.call(
          MediaRPC.completeUpload,
          CompleteUploadRequest(
            uploadId: id, sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
      }
      let something = try mock.call(
        CaptureRPC.createSomething, CreateSomethingRequest(content: "note", contentType: "text"), token: token)
      for _ in 1...2 {
        _ = try mock.call(
          CaptureRPC.updateMeaning, UpdateMeaningRequest(id: something.id, meaning: "why"), token: token)
      }
    }
    let types = [
      "bookmark.created", "bookmark.deleted", "upload.progress", "upload.completed", "something.created",
      "something.meaning",
    ]
    #expect(events.map(\.type) == types)
    #expect(events.last?.text == "why" && events.last?.somethingId == 1)
    #expect(try world.types("me", token: token) == types)
    #expect(try world.types("user:\(ann)") == [])
    #expect(try world.types("user:bob") == ["post.created"])
    #expect(try world.types("post:\(post)") == ["post.created"])
  }

  @Test func profilesEmitRealChangesOnly() throws {
    let (ann, _) = try world.user("ann")
    let events = try emitted {
      for _ in 1...2 { _ = try mock.call(UserRPC.updateUserProfile, UpdateUserProfileRequest(userId: ann, bio: "x")) }
    }
    #expect(events.map(\.type) == ["profile.updated"])
  }

  @Test func aRepeatedKeyEmitsNothing() throws {
    let post = try world.post(by: "ann")
    let (path, body) = try HTTPTranscoder.request(
      CreateShareRequest(userId: "bob", postId: post), SocialRPC.createShare.descriptor.http)
    let events = try emitted {
      for _ in 1...3 {
        let response = world.backend.respond(
          to: HTTPRequest(method: .post, url: path, headers: ["Idempotency-Key": "one"], body: body))
        #expect(response.status == 200)
      }
    }
    #expect(events.map(\.type) == ["share.created"])
  }

  @Test func failedCallsEmitNothing() throws {
    let events = try emitted {
      let follow = CreateFollowRequest(followerId: "a", followeeId: "a")
      let like = CreateLikeRequest(userId: "a", postId: "post-9")
      let refusals = [
        try mock.refusal(GraphRPC.createFollow, follow), try mock.refusal(SocialRPC.createLike, like),
      ]
      #expect(refusals.map { $0?.status } == [400, 404])
    }
    #expect(events.isEmpty)
  }

  @Test func replayedChangesAreNoNews() throws {
    let line = #"{"t":1764583200,"rpc":"graph.CreateFollow","body":{"follower_id":"ann","followee_id":"bob"}}"#
    try world.backend.replay(Array(line.utf8))
    #expect(world.backend.counts.follows == 1)
    #expect(world.backend.recentEvents.isEmpty)
    try world.follow("bob", "ann")
    #expect(world.backend.recentEvents.map(\.actorId) == ["bob"])
  }
}

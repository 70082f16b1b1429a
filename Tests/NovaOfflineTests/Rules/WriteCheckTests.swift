import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaMock
import NovaOffline
import NovaSocial
import NovaTestSupport
import Testing

/// Whether a write took effect is seen in a read.
@Suite struct WriteCheckTests {
  private let mock = MockCaller(dataSet: .guide)
  private let user = "mock-user-id"

  private func postID() throws -> String {
    let page = try mock.call(ContentRPC.getPostsByAuthor, .init(authorId: user, limit: 1))
    return try #require(page.posts.first).id
  }

  private func check(_ id: String, _ request: any ProtoMessage) throws -> WriteCheck {
    let check = try #require(OfflineRules.write(id)?.check)
    return try #require(check(request))
  }

  /// What the check finds before and after the write.
  private func beforeAndAfter(_ id: String, _ request: any ProtoMessage) throws -> [Bool?] {
    let check = try check(id, request)
    let before = try mock.isDone(check)
    let rpc = try #require(OfflineRules.write(id)).rpc
    _ = try mock.call(rpc, request)
    return [before, try mock.isDone(check)]
  }

  @Test func likes() throws {
    let post = try postID()
    #expect(try beforeAndAfter("social.CreateLike", CreateLikeRequest(userId: "u", postId: post)) == [false, true])
    #expect(try beforeAndAfter("social.DeleteLike", DeleteLikeRequest(userId: "u", postId: post)) == [false, true])
  }

  @Test func relationsOfUsers() throws {
    for (make, undo) in [
      ("graph.CreateFollow", "graph.DeleteFollow"), ("graph.CreateMute", "graph.DeleteMute"),
      ("graph.CreateBlock", "graph.DeleteBlock"),
    ] {
      for id in [make, undo] {
        let rule = try #require(OfflineRules.write(id))
        #expect(try beforeAndAfter(id, try filled(rule.rpc.requestType)) == [false, true], "\(id)")
      }
    }
  }

  /// Somebody may have shared a post more than once.
  @Test func whetherAShareIsThisOneCannotBeTold() throws {
    let request = CreateShareRequest(userId: "u", postId: try postID())
    #expect(try beforeAndAfter("social.CreateShare", request) == [false, nil])
  }

  @Test func newRecords() throws {
    let post = try postID()
    #expect(
      try beforeAndAfter("social.CreateComment", CreateCommentRequest(postId: post, userId: user, content: "x"))
        == [false, true])
    #expect(
      try beforeAndAfter("content.CreatePost", CreatePostRequest(creatorId: user, content: "x", status: "draft"))
        == [false, true])
    #expect(
      try beforeAndAfter("media.CreateVideo", CreateVideoRequest(creatorId: user, title: "x")) == [false, true])
    #expect(
      try beforeAndAfter("capture.CreateSomething", CreateSomethingRequest(content: "x")) == [false, true])
  }

  @Test func othersAndOlderOnesDoNotCount() throws {
    let post = try postID()
    let request = CreateCommentRequest(postId: post, userId: user, content: "x")
    let check = try check("social.CreateComment", request)
    _ = try mock.call(SocialRPC.createComment, request)
    mock.advance(seconds: 301)
    _ = try mock.call(SocialRPC.createComment, .init(postId: post, userId: "u", content: "x"))
    _ = try mock.call(SocialRPC.createComment, .init(postId: post, userId: user, content: "y"))
    #expect(try mock.isDone(check, firstAttempt: MockCaller.start + 301) == false)
    // The gateway's clock may be up to five minutes behind, and it may be the record of an earlier write.
    #expect(try mock.isDone(check, firstAttempt: MockCaller.start + 300) == nil)
    #expect(try mock.isDone(check, firstAttempt: MockCaller.start) == true)
  }

  @Test func aPageThatDoesNotGoBackFarEnoughTellsNothing() throws {
    let check = try check("social.CreateComment", CreateCommentRequest(postId: "p", userId: user, content: "x"))
    var response = GetCommentsResponse()
    response.comments = (1...99).map { Comment(id: "\($0)", createdAt: MockCaller.start + 1) }
    #expect(check.isDone(response, MockCaller.start) == false)
    response.comments.append(Comment(id: "100", createdAt: MockCaller.start))
    #expect(check.isDone(response, MockCaller.start) == nil)
    response.comments[99].createdAt = MockCaller.start - 301
    #expect(check.isDone(response, MockCaller.start) == false)
  }

  @Test func absentAndEmptyTextsAreTheSame() throws {
    let check = try check("capture.CreateSomething", CreateSomethingRequest(content: "x", mediaUrl: nil))
    let time = Timestamp(seconds: MockCaller.start)
    let found = Something(id: 1, content: "x", contentType: "text", mediaUrl: "", createdAt: time)
    #expect(check.isDone(ListSomethingsResponse(somethings: [found]), MockCaller.start) == true)
  }

  @Test func writesThatMayBeRepeatedNeedNoCheck() {
    let unchecked = OfflineRules.writes.filter { $0.canWait && $0.check == nil }
    #expect(unchecked.allSatisfy { $0.rpc.effect == .idempotent })
  }
}

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
    // The gateway's clock may be up to five minutes slow, and the record may be that of an earlier write.
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

  /// A server may have changed the text of the record, or say that it has more than it sends.
  @Test(arguments: [
    ("great photo of the harbor", nil), (" Great photo of the harbor\n", nil), ("great photo of the ***", nil),
    ("great photo…", nil), ("<p>great photo of the harbor</p>", nil), ("***", nil), ("", nil),
    ("what a day", false as Bool?),
  ])
  func aChangedTextMayBeTheRecord(_ text: String, _ isDone: Bool?) throws {
    let check = try check(
      "social.CreateComment", CreateCommentRequest(postId: "p", userId: user, content: "Great photo of the harbor!"))
    var response = GetCommentsResponse()
    response.comments = [Comment(id: "1", creatorId: user, content: text, createdAt: MockCaller.start + 9)]
    #expect(check.isDone(response, MockCaller.start) == isDone)
    response.comments[0].creatorId = "other"
    #expect(check.isDone(response, MockCaller.start) == false)
  }

  @Test(arguments: [true, false], [0, 5]) func aPageWithMoreBehindItTellsNothing(_ hasMore: Bool, _ total: Int) throws {
    let check = try check("content.CreatePost", CreatePostRequest(creatorId: user, content: "x", status: "draft"))
    var response = GetPostsByAuthorResponse()
    (response.hasMore, response.totalCount) = (hasMore, total)
    let isEnd = !hasMore && total == 0
    #expect(check.isDone(response, MockCaller.start) == (isEnd ? false : nil))
    response.posts = [Post(id: "1", creatorId: user, content: "another", createdAt: MockCaller.start)]
    #expect(check.isDone(response, MockCaller.start) == (!hasMore && total < 2 ? false : nil))
    // One without a time does not show how far back the page goes.
    response.posts[0].createdAt = 0
    #expect(check.isDone(response, MockCaller.start) == (!hasMore && total < 2 ? false : nil))
    response.posts[0].content = "x"
    #expect(check.isDone(response, MockCaller.start) == nil)
    response.posts[0] = Post(id: "1", creatorId: user, content: "another", createdAt: MockCaller.start - 301)
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

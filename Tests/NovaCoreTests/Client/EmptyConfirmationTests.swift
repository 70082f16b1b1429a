import NovaCapture
import NovaContent
import NovaGraph
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// What an answer to a write must contain, and what may be missing.
@Suite struct EmptyConfirmationTests {
  @Test func theseMayBeConfirmedByAnEmptyBody() {
    #expect(
      RPCRegistry.nova.rpcs.filter(\.acceptsEmptyConfirmation).map(\.id).sorted() == [
        "auth.Logout", "capture.DeleteSomething", "content.CreateBookmark", "content.DeleteBookmark",
        "content.DeletePost", "feed.InvalidateFeedCache", "graph.CreateBlock", "graph.CreateFollow", "graph.CreateMute",
        "graph.DeleteBlock", "graph.DeleteFollow", "graph.DeleteMute", "social.CreateLike", "social.CreateShare",
        "social.DeleteComment", "social.DeleteLike",
      ])
  }

  private func client(_ status: Int, _ body: String = "") throws -> (APIClient, RecordingTransport) {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: status, headers: [:], body: Array(body.utf8)) }
    return (try APIClient.test(transport), transport)
  }

  @Test(arguments: [200, 202, 204]) func anEmptyBodyConfirms(status: Int) async throws {
    let client = try client(status).0
    try await ContentService(client: client).deletePost(postId: "p", deletedById: "u")
    try await SocialService(client: client).createLike(postId: "p", userId: "u")
    try await SocialService(client: client).deleteLike(postId: "p", userId: "u")
    try await GraphService(client: client).followUser(followerId: "u", followeeId: "v")
    try await CaptureService(client: client).delete(id: 7)
  }

  @Test func anEmptyBodyIsNoRecordAndNoAnswer() async throws {
    let client = try client(204).0
    let calls: [() async throws -> Void] = [
      { _ = try await ContentService(client: client).createPost(creatorId: "u", content: "x") },
      { _ = try await SocialService(client: client).createComment(postId: "p", userId: "u", content: "x") },
      { _ = try await ContentService(client: client).getPost(postId: "p") },
      { _ = try await GraphService(client: client).isFollowing(followerId: "u", followeeId: "v") },
    ]
    for (index, call) in calls.enumerated() { #expect(await apiError { try await call() } != nil, "\(index)") }
  }

  /// A new record without an id cannot be read, changed, or named by later writes.
  @Test(arguments: [#""id":"","#, #""id":null,"#, ""]) func aNewRecordWithoutAnIDIsUnconfirmed(id: String) async throws
  {
    typealias Call = (APIClient) async throws -> Void
    let calls: [(String, Call)] = [
      (
        #"{"post":{\#(id)"creator_id":"u","content":"x"}}"#,
        { _ = try await ContentService(client: $0).createPost(creatorId: "u", content: "x") }
      ),
      (
        #"{"success":true,"comment":{\#(id)"post_id":"p","creator_id":"u","content":"x"}}"#,
        { _ = try await SocialService(client: $0).createComment(postId: "p", userId: "u", content: "x") }
      ),
      (
        #"{"video":{\#(id)"creator_id":"u","title":"x"}}"#,
        { _ = try await MediaService(client: $0).createVideo(creatorId: "u", title: "x", uploadId: "a") }
      ),
    ]
    for (body, call) in calls {
      let (client, transport) = try client(200, body)
      let error = await apiError { try await call(client) }
      #expect(error?.code == .unconfirmed, "\(body): \(error as Any)")
      #expect(error?.message.contains("without an id") == true && transport.requests.count == 1)
    }
  }

  /// A new record of another post or user is the one that was created, but not as it was meant.
  @Test func aNewRecordOfAnotherOwnerIsAWarning() {
    func changed(_ request: CreateCommentRequest, _ comment: NovaSocial.Comment) -> [String] {
      let response = CreateCommentResponse(success: true, comment: comment)
      let check = EchoCheck(of: SocialRPC.createComment.descriptor, request: request, response: response)
      #expect(check.lost.isEmpty)
      return check.changed.map(\.name)
    }
    let request = CreateCommentRequest(postId: "p1", userId: "u1", content: "x")
    let comment = { (post: String, user: String) in
      NovaSocial.Comment(id: "c", postId: post, creatorId: user, content: "x")
    }
    #expect(changed(request, comment("p1", "u1")) == [])
    #expect(changed(request, comment("posts/p1", "U1")) == [])
    #expect(changed(request, comment("p9", "u1")) == ["post_id"])
    #expect(changed(request, comment("p1", "u9")) == ["user_id"])
    let me = CreateCommentRequest(postId: "p1", userId: "me", content: "x")
    #expect(changed(me, comment("p1", "u9")) == [])
  }
}

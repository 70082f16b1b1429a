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
    let listed = [
      "auth.Logout", "capture.DeleteSomething", "content.CreateBookmark", "content.DeleteBookmark",
      "content.DeletePost", "feed.InvalidateFeedCache", "graph.CreateBlock", "graph.CreateFollow", "graph.CreateMute",
      "graph.DeleteBlock", "graph.DeleteFollow", "graph.DeleteMute", "social.CreateLike", "social.CreateShare",
      "social.DeleteComment", "social.DeleteLike",
    ]
    let difference = ListDifference(
      of: listed, from: RPCRegistry.nova.rpcs.filter(\.acceptsEmptyConfirmation).map(\.id))
    #expect(
      difference.isEmpty,
      """
      \(difference): the client takes an empty body for success if the response has only fields that report success or \
      repeat the request; add the RPC to this list if that is right, and otherwise a message to its response
      """)
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

  /// A new record of another post or upload is not what was sent, and no text that a server moderates.
  @Test func aNewRecordOfAnotherRecordIsUnconfirmed() async throws {
    let (client, transport) = try client(
      200, #"{"success":true,"comment":{"id":"c1","post_id":"p9","creator_id":"u","content":"x"}}"#)
    let error = await apiError {
      try await SocialService(client: client).createComment(postId: "p1", userId: "u", content: "x")
    }
    #expect(error?.code == .unconfirmed && transport.requests.count == 1)
    #expect(error?.message.contains(#"record of another post: expected "p1", got "p9""#) == true, "\(error as Any)")
    #expect(error?.unconfirmedRecord == UnconfirmedRecord(id: "c1", fields: ["post_id"]))
    let (reels, _) = try self.client(200, #"{"reel":{"id":"r","creator_id":"u","upload_id":"b","caption":"x"}}"#)
    let reel = await apiError {
      try await reels.call(MediaRPC.createReel, CreateReelRequest(creatorId: "u", uploadId: "a", caption: "x"))
    }
    #expect(reel?.code == .unconfirmed && reel?.unconfirmedRecord?.fields == ["upload_id"])
    // The same id, written in another way.
    let (same, _) = try self.client(200, #"{"reel":{"id":"r","creator_id":"u","upload_id":"uploads/a","caption":"x"}}"#)
    _ = try await same.call(MediaRPC.createReel, CreateReelRequest(creatorId: "u", uploadId: "a", caption: "x"))
  }

  /// A server may permit less than was asked for, and say so. One that says nothing may not have read it.
  @Test(
    arguments: [
      (#","allow_comments":false"#, nil), (#","allowComments":false"#, nil), ("", "allow_comments"),
      (#","allow_comments":null"#, "allow_comments"),
    ] as [(String, String?)])
  func aPermissionThatIsNotGivenIsAWarning(_ member: String, lost: String?) async throws {
    let (client, _) = try client(200, #"{"reel":{"id":"r","creator_id":"u","upload_id":"a"\#(member)}}"#)
    let request = CreateReelRequest(creatorId: "u", uploadId: "a", allowComments: true)
    let error = await apiError { try await client.call(MediaRPC.createReel, request) }
    #expect(error?.unconfirmedRecord?.fields == lost.map { [$0] })
    guard lost == nil else { return }
    let response = try await client.respond(MediaRPC.createReel, request)
    #expect(response.report.warnings == ["the server changed the allow_comments that was sent"])
  }

  /// Who owns a record, a server may take from the token.
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
    #expect(changed(request, comment("p1", "u9")) == ["user_id"])
    let me = CreateCommentRequest(postId: "p1", userId: "me", content: "x")
    #expect(changed(me, comment("p1", "u9")) == [])
  }
}

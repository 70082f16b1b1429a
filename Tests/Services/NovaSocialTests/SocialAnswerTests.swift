import NovaCore
import NovaSocial
import NovaTestSupport
import Testing

/// What real backends send and the mock does not.
@Suite struct SocialAnswerTests {
  private func service(_ body: String, status: Int = 200) throws -> SocialService {
    SocialService(client: try APIClient.test(RecordingTransport(status: status, body)))
  }

  @Test(arguments: [
    #"{"likes":[{"user_id":"a"},{"user_id":"b"}],"total_count":5}"#,
    #"{"likes":[{"userId":"a","createdAt":"2024-01-02T03:04:05Z"},{"userId":"b"}],"totalCount":"5"}"#,
    #"{"user_ids":["a","b"],"total_count":5}"#,
    #"{"likes":null,"userIds":["a","b"],"totalCount":5,"has_more":true,"new":{}}"#,
  ])
  func likersAreReadFromEitherField(body: String) async throws {
    let page = try await service(body).getPostLikes(postId: "p")
    #expect(page.userIds == ["a", "b"] && page.totalCount == 5 && page.hasMore)
    let same = try await service(body).getPostLikes(GetPostLikesRequest(postId: "p"))
    #expect(same == page, "both overloads return the same")
  }

  @Test(arguments: [
    #"{"comment":{"id":"c","creator_id":"u","created_at":1704164645}}"#,
    #"{"comment":{"id":"c","user_id":"u","created_at":"1704164645"}}"#,
    #"{"comment":{"id":"c","userId":"u","createdAt":"2024-01-02T03:04:05Z","updatedAt":null}}"#,
    #"{"comment":{"id":"c","user_id":"u","created_at":"2024-01-02T04:04:05.000+01:00"}}"#,
    #"{"comment":{"id":"c","user_id":"u","created_at":"2024-01-02 03:04:05"}}"#,
  ])
  func commentsAreReadInEveryForm(body: String) async throws {
    #expect(
      try await service(body).getComment(commentId: "c")
        == Comment(id: "c", creatorId: "u", createdAt: 1_704_164_645))
  }

  @Test(arguments: [
    (200, "{}"), (200, #"{"comment":null}"#), (404, #"{"code":5,"message":"no"}"#),
    (404, #"{"error":{"code":"COMMENT_NOT_FOUND","message":"no"}}"#),
  ])
  func aMissingCommentIsNil(status: Int, body: String) async throws {
    #expect(try await service(body, status: status).getComment(commentId: "c") == nil)
  }

  @Test func aMissingRouteIsNoMissingComment() async throws {
    let social = try service("404 page not found", status: 404)
    #expect(await apiError { try await social.getComment(commentId: "c") }?.code == .notFound)
  }

  @Test(arguments: [
    ("{}", 0), (#"{"count":7}"#, 7), (#"{"count":"9007199254740993"}"#, 9_007_199_254_740_993), (#"{"count":null}"#, 0),
  ])
  func countsAreNumbersStringsOrAbsent(body: String, count: Int) async throws {
    let social = try service(body)
    #expect(try await social.getLikeCount(postId: "p") == count)
    #expect(try await social.getCommentCount(postId: "p") == count)
    #expect(try await social.getShareCount(postId: "p") == count)
  }

  @Test func writesThatWereNotDoneAreErrors() async throws {
    for body in ["{}", #"{"success":false,"message":"not today"}"#] {
      let social = try service(body)
      let errors = [
        await apiError { try await social.createLike(postId: "p", userId: "u") },
        await apiError { try await social.deleteLike(postId: "p", userId: "u") },
        await apiError { try await social.createComment(postId: "p", userId: "u", content: "x") },
        await apiError { try await social.updateComment(commentId: "c", userId: "u", content: "x") },
        await apiError { try await social.deleteComment(commentId: "c", userId: "u") },
        await apiError { try await social.createShare(postId: "p", userId: "u") },
      ]
      for error in errors {
        #expect(error?.code == .failedPrecondition)
        #expect(error?.server?.message == (body == "{}" ? "" : "not today"))
      }
    }
  }

  @Test func aConfirmationWithoutItsCommentIsAnError() async throws {
    let social = try service(#"{"success":true,"message":"done"}"#)
    let error = await apiError { try await social.createComment(postId: "p", userId: "u", content: "x") }
    #expect(error?.code == .invalidResponse && error?.message == "the response has no Comment")
    #expect(error?.requestID == "test-request" && error?.httpStatus == 200 && error?.attempts.count == 1)
    #expect(try await social.createLike(postId: "p", userId: "u") == 0)
  }

  @Test func leftOutAnswersAreNo() async throws {
    let social = try service(#"{"results":{"a":true}}"#)
    #expect(try await social.batchCheckUserLiked(postIds: ["a", "b"], userId: "u") == ["a": true, "b": false])
    let stats = try await service(#"{"stats":{"a":{"likeCount":"3"},"b":{}}}"#).batchGetPostStats(postIds: ["a", "b"])
    #expect(stats == ["a": PostStats(likeCount: 3), "b": PostStats()])
  }

  @Test(arguments: [
    (0, #"{"comments":[{"id":"1"},{"id":"2"}],"total_count":3}"#, true),
    (1, #"{"comments":[{"id":"2"},{"id":"3"}],"total_count":3}"#, false),
    (0, #"{"comments":[],"total_count":3}"#, false),
    (0, #"{"comments":[{"id":"1"}],"has_more":true}"#, true),
    (0, #"{"comments":[{"id":"1"}]}"#, false),
  ])
  func whetherThereIsMoreFollowsFromTheTotal(offset: Int, body: String, hasMore: Bool) async throws {
    #expect(try await service(body).getComments(postId: "p", offset: offset).hasMore == hasMore)
  }

  @Test func sequencesGoOnWithoutHasMore() async throws {
    let transport = RecordingTransport { _, request in
      let offset = try GetUserLikedPostsRequest(jsonUTF8: request.body.bytes ?? []).offset
      let ids = (offset..<min(offset + 2, 6)).map { "\"\($0)\"" }.joined(separator: ",")
      let body = #"{"post_ids":[\#(ids)],"total":6}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let social = SocialService(client: try APIClient.test(transport))
    var ids: [String] = []
    for try await id in social.likedPostIds(by: "u", pageSize: 2) { ids.append(id) }
    #expect(ids == ["0", "1", "2", "3", "4", "5"] && transport.requests.count == 5)
  }
}

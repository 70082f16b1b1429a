import NovaContent
import NovaCore
import NovaTestSupport
import Testing

/// What real backends send and the mock does not.
@Suite struct ContentAnswerTests {
  private func service(_ body: String) throws -> ContentService {
    ContentService(client: try APIClient.test(RecordingTransport(body)))
  }

  @Test(arguments: [
    #"{"found":true,"post":{"id":"p","creator_id":"u","created_at":1704164645}}"#,
    #"{"found":true,"post":{"id":"p","creatorId":"u","createdAt":"1704164645","mediaIds":null}}"#,
    #"{"found":true,"error":null,"post":{"id":"p","creatorId":"u","createdAt":"2024-01-02T03:04:05.000Z"}}"#,
    #"{"found":true,"error":{},"post":{"id":"p","creator_id":"u","created_at":"2024-01-02 03:04:05","tags":[1]}}"#,
    #"{"found":true,"error":{"code":"","message":""},"post":{"id":"p","creatorId":"u","createdAt":1704164645}}"#,
  ])
  func postsAreReadInEveryForm(body: String) async throws {
    #expect(
      try await service(body).getPost(postId: "p") == Post(id: "p", creatorId: "u", createdAt: 1_704_164_645))
  }

  @Test(arguments: [
    "{}", #"{"found":false}"#, #"{"found":false,"post":{"id":""}}"#,
    #"{"found":false,"error":{"code":"NOT_FOUND","message":"no"}}"#,
    #"{"error":{"code":"POST_NOT_FOUND"}}"#,
  ])
  func aMissingPostIsNil(body: String) async throws {
    #expect(try await service(body).getPost(postId: "p") == nil)
  }

  @Test(arguments: [
    (#"{"found":false,"error":{"code":"UNAVAILABLE","message":"later"}}"#, APIError.Code.unavailable),
    (#"{"found":true,"post":{"id":"p"},"error":{"code":"PERMISSION_DENIED"}}"#, .permissionDenied),
    (#"{"found":false,"error":{"message":"strange"}}"#, .serverError),
    (#"{"found":true}"#, .invalidResponse),
  ])
  func anyOtherFailureIsAnError(body: String, code: APIError.Code) async throws {
    let content = try service(body)
    let error = await apiError { try await content.getPost(postId: "p") }
    #expect(error?.code == code && error?.httpStatus == 200 && error?.requestID == "test-request")
  }

  @Test func writesWithoutTheirResultAreErrors() async throws {
    let content = try service("{}")
    let values = [
      await apiError { try await content.createPost(creatorId: "u", content: "x") },
      await apiError { try await content.updatePost(postId: "p", content: "x") },
    ]
    #expect(values.allSatisfy { $0?.code == .invalidResponse && $0?.message == "the response has no Post" })
    let confirmations = [
      await apiError { try await content.createBookmark(postId: "p", userId: "u") },
      await apiError { try await content.deleteBookmark(postId: "p", userId: "u") },
    ]
    #expect(confirmations.allSatisfy { $0?.code == .failedPrecondition })
    #expect(try await content.deletePost(postId: "p", deletedById: "u") == 0)
    #expect(try await !content.checkPostExists(postId: "p"))
  }

  @Test(arguments: [
    (0, #"{"posts":[{"id":"1"},{"id":"2"}],"total":3}"#, 3, true),
    (0, #"{"posts":[{"id":"1"},{"id":"2"}],"total_count":"3"}"#, 3, true),
    (1, #"{"posts":[{"id":"2"},{"id":"3"}],"totalCount":3}"#, 3, false),
    (9, #"{"total":3}"#, 3, false),
    (0, #"{"posts":[{"id":"1"}],"hasMore":true}"#, 0, true),
    (0, "{}", 0, false),
  ])
  func bookmarksAreCountedUnderEitherName(offset: Int, body: String, total: Int, hasMore: Bool) async throws {
    let page = try await service(body).getUserBookmarks(userId: "u", offset: offset)
    #expect(page.total == total && page.hasMore == hasMore)
  }

  @Test func aFailureInsideAListIsAnError() async throws {
    let content = try service(#"{"posts":[],"error":{"code":"UNAUTHENTICATED","message":"who?"}}"#)
    #expect(await apiError { try await content.getUserBookmarks(userId: "u") }?.code == .unauthorized)
    await #expect(throws: APIError.self) { for try await _ in content.bookmarks(of: "u") {} }
  }

  @Test func sequencesGoOnWithoutHasMore() async throws {
    let transport = RecordingTransport { _, request in
      let offset = try GetPostsByAuthorRequest(jsonUTF8: request.body.bytes ?? []).offset
      let posts = (offset..<min(offset + 2, 6)).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
      let body = #"{"posts":[\#(posts)],"total_count":"6"}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let content = ContentService(client: try APIClient.test(transport))
    var ids: [String] = []
    for try await post in content.posts(by: "u", pageSize: 2) { ids.append(post.id) }
    #expect(ids == ["0", "1", "2", "3", "4", "5"] && transport.requests.count == 5)
  }

  @Test func batchesAreOrderedWhateverTheServerDoes() async throws {
    let content = try service(#"{"posts":[{"id":"c"},{"id":"x"},{"id":"a"},{"id":"a","title":"again"}]}"#)
    #expect(try await content.getPostsByIds(postIds: ["a", "b", "c"]).map(\.id) == ["a", "c"])
  }
}

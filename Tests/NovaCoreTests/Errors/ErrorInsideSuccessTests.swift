import NovaContent
import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@Suite struct ErrorInsideSuccessTests {
  private func create(_ answer: String) async throws -> APIError? {
    let client = try APIClient.test(RecordingTransport(answer))
    return await apiError {
      try await client.call(ContentRPC.createPost, CreatePostRequest(creatorId: "u", content: "x"))
    }
  }

  @Test(arguments: [
    ("USER_NOT_FOUND", APIError.Code.notFound, GRPCStatus?.some(.notFound)), ("NOT_FOUND", .notFound, .notFound),
    ("permission_denied", .permissionDenied, .permissionDenied), ("5", .notFound, .notFound),
    ("QUOTA_RESOURCE_EXHAUSTED", .rateLimited, .resourceExhausted), ("SOMETHING_ELSE", .serverError, nil),
    ("0", .invalidResponse, .ok), ("999", .serverError, nil), ("", .serverError, nil),
  ])
  func isAnErrorWithTheServersCode(code: String, expected: APIError.Code, status: GRPCStatus?) async throws {
    let error = try await create(
      #"{"post":{"id":"p"},"error":{"code":"\#(code)","message":"why","metadata":{"a":"b"}}}"#)
    #expect(error?.code == expected)
    #expect(error?.grpcStatus == status)
    #expect(error?.httpStatus == 200)
    #expect(error?.server == ServerError(code: code, message: "why", metadata: ["a": "b"]))
  }

  @Test func anEmptyErrorIsNone() async throws {
    let post = #""post":{"id":"p","creator_id":"u","content":"x"}"#
    for answer in ["{\(post)}", "{\(post),\"error\":null}", "{\(post),\"error\":{}}"] {
      #expect(try await create(answer) == nil, "\(answer)")
    }
  }
}

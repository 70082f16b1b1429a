import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

/// The seven cases of the integration guide's error.
@Suite struct APIErrorKindTests {
  /// A kind as text, so that it can be compared.
  private static func text(_ kind: APIError.Kind) -> String {
    switch kind {
    case .invalidURL: "invalidURL"
    case .invalidResponse: "invalidResponse"
    case .networkError(let cause): "networkError \(type(of: cause))"
    case .decodingError(let cause): "decodingError \(type(of: cause))"
    case .serverError(let statusCode, let message): "serverError \(statusCode) \(message)"
    case .unauthorized: "unauthorized"
    case .notFound: "notFound"
    }
  }

  @Test(arguments: [
    (401, "unauthorized"), (404, "notFound"), (400, "serverError 400 no"), (403, "serverError 403 no"),
    (409, "serverError 409 no"), (412, "serverError 412 no"), (418, "serverError 418 no"), (422, "serverError 422 no"),
    (429, "serverError 429 no"), (499, "serverError 499 no"), (500, "serverError 500 no"), (501, "serverError 501 no"),
    (502, "serverError 502 no"), (503, "serverError 503 no"), (504, "serverError 504 no"), (408, "serverError 408 no"),
    (302, "invalidResponse"),
  ])
  func ofAStatus(_ status: Int, _ expected: String) async throws {
    let answer = HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: Array(#"{"message":"no"}"#.utf8))
    let error = await apiError { try await follow(StubbedTransport(answer)) }
    #expect(error.map { Self.text($0.kind) } == expected)
  }

  @Test(arguments: [
    (#"{"user_ids":3}"#, "decodingError ProtoJSONError"), ("<html>", "decodingError ProtoJSONError"),
    (#"{"error":{"code":"UNAVAILABLE","message":"later"}}"#, "serverError 503 later"),
    (#"{"error":{"code":"USER_NOT_FOUND","message":"who"}}"#, "notFound"),
    (#"{"error":{"code":"UNAUTHENTICATED","message":"who"}}"#, "unauthorized"),
    (#"{"error":"broken"}"#, "serverError 500 broken"),
    (#"{"success":false,"message":"not now"}"#, "serverError 400 not now"),
  ])
  func ofASuccessThatIsNone(_ body: String, _ expected: String) async throws {
    let answer = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    let error = await apiError { try await read(StubbedTransport(answer)) }
    #expect(error.map { Self.text($0.kind) } == expected)
  }

  @Test func withoutAResponse() async throws {
    let lost = TransportError(.connectionLost, "the connection was lost", requestMayHaveLeft: true)
    let error = await apiError { try await read(FailingTransport(error: lost)) }
    guard case .networkError(let cause)? = error?.kind else { throw try #require(error) }
    #expect(cause as? TransportError == lost)
    let cancelled = await apiError { try await read(FailingTransport(error: CancellationError())) }
    #expect(cancelled.map { Self.text($0.kind) } == "networkError CancellationError")
  }

  /// Nothing was sent: what the server would have answered, unless it would have answered nothing.
  @Test(arguments: [
    (APIError.Code.invalidURL, "invalidURL"), (.insecureConnection, "invalidURL"),
    (.invalidResponse, "invalidResponse"),
    (.unconfirmed, "invalidResponse"), (.networkError, "networkError APIError"), (.timeout, "networkError APIError"),
    (.unavailable, "networkError APIError"), (.cancelled, "networkError CancellationError"),
    (.decodingError, "decodingError APIError"), (.unauthorized, "unauthorized"), (.notFound, "notFound"),
    (.invalidArgument, "serverError 400 why"), (.failedPrecondition, "networkError APIError"),
    (.permissionDenied, "serverError 403 why"), (.conflict, "serverError 409 why"),
    (.rateLimited, "serverError 429 why"), (.unimplemented, "serverError 501 why"),
    (.serverError, "serverError 500 why"),
    (.init(rawValue: "of a later version"), "serverError 500 why"),
  ])
  func ofACode(_ code: APIError.Code, _ expected: String) {
    #expect(Self.text(APIError(code, "why").kind) == expected)
  }

  private func follow(_ transport: any HTTPTransport) async throws {
    try await GraphService(client: .unretried(transport)).followUser(followerId: "a", followeeId: "b")
  }

  private func read(_ transport: any HTTPTransport) async throws {
    _ = try await GraphService(client: .unretried(transport)).getFollowers(userId: "a")
  }
}

extension APIClient {
  fileprivate static func unretried(_ transport: any HTTPTransport) -> APIClient {
    APIClient(configuration: .builtIn, transport: transport) { $0.resilience = .none }
  }
}

private struct StubbedTransport: HTTPTransport {
  let answer: HTTPResponse
  init(_ answer: HTTPResponse) { self.answer = answer }
  func send(_ request: HTTPRequest) async throws -> HTTPResponse { answer }
}

private struct FailingTransport: HTTPTransport {
  let error: any Error
  func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw error }
}

import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@Suite struct SessionTests {
  private let mock = MockCaller(dataSet: .guide)
  private let question = IsFollowingRequest(followerId: "a", followeeId: "b")

  private func logIn() throws -> LoginResponse {
    try mock.call(AuthRPC.login, LoginRequest(email: "bruce@nova.social", password: "mock-password"))
  }

  private func verified(_ token: String) throws -> VerifyTokenResponse {
    try mock.call(AuthRPC.verifyToken, VerifyTokenRequest(token: token))
  }

  private func isAccepted(_ token: String) throws -> Bool {
    let refusal = try mock.refusal(GraphRPC.isFollowing, question, token: token)
    if let refusal { #expect(refusal.status == 401 && refusal.grpcStatus == .unauthenticated, "\(refusal)") }
    return refusal == nil
  }

  @Test func accessTokensExpireAfterAnHour() throws {
    let token = try logIn().token
    let good = VerifyTokenResponse(
      isValid: true, userId: "mock-user-id", email: "bruce@nova.social", username: "bruce_li",
      expiresAt: MockCaller.start + 3600)
    #expect(try verified(token) == good)
    mock.advance(seconds: 3599)
    #expect(try isAccepted(token))
    mock.advance(seconds: 1)
    #expect(try !isAccepted(token))
    var expired = good
    expired.isValid = false
    #expect(try verified(token) == expired)
  }

  @Test func refreshingGivesANewTokenAndKeepsTheOldRefreshToken() throws {
    let session = try logIn()
    mock.advance(seconds: 4000)
    for _ in 1...2 {
      let answer = try mock.call(AuthRPC.refresh, RefreshRequest(refreshToken: session.refreshToken))
      #expect(answer.refreshToken == "" && answer.expiresIn == 3600)
      #expect(answer.token != session.token)
      #expect(try isAccepted(answer.token))
    }
  }

  /// Whoever refreshes because a token was refused must get another one, however soon.
  @Test func everyTokenIsANewOne() throws {
    let session = try logIn()
    let renewed = try (1...3).map { _ in
      try mock.call(AuthRPC.refresh, RefreshRequest(refreshToken: session.refreshToken)).token
    }
    #expect(Set(renewed + [session.token, try logIn().token]).count == 5)
  }

  @Test func refreshTokensExpireAfterThirtyDays() throws {
    let request = RefreshRequest(refreshToken: try logIn().refreshToken)
    mock.advance(seconds: 30 * 86_400 - 1)
    #expect(try mock.refusal(AuthRPC.refresh, request) == nil)
    mock.advance(seconds: 1)
    #expect(try mock.refusal(AuthRPC.refresh, request)?.grpcStatus == .unauthenticated)
  }

  @Test func loggingOutEndsOneSessionAndAllOfIt() throws {
    let (one, other) = (try logIn(), try logIn())
    #expect(one.token != other.token && one.refreshToken != other.refreshToken)
    let refreshed = try mock.call(AuthRPC.refresh, RefreshRequest(refreshToken: one.refreshToken)).token
    let logout = LogoutRequest(refreshToken: one.refreshToken)
    // The second comes with the token that the first one revoked, as a client's retry does.
    for _ in 1...2 { #expect(try mock.call(AuthRPC.logout, logout, token: one.token).success) }
    for token in [one.token, refreshed] {
      #expect(try !isAccepted(token))
      let answer = try verified(token)
      #expect(!answer.isValid && answer.isRevoked && answer.userId == "mock-user-id")
    }
    #expect(
      try mock.refusal(AuthRPC.refresh, RefreshRequest(refreshToken: one.refreshToken))?.grpcStatus
        == .unauthenticated)
    #expect(try isAccepted(other.token))
  }

  @Test func loggingOutOfNoSessionSucceeds() throws {
    #expect(try mock.call(AuthRPC.logout, LogoutRequest(refreshToken: "garbage")).success)
    #expect(try mock.refusal(AuthRPC.logout, LogoutRequest())?.grpcStatus == .invalidArgument)
  }

  @Test(arguments: ["", "garbage", "a.b", "a.b.c", "..", "é.é", "eyJhbGciOiJub25lIn0.e30."])
  func malformedTokensAreInvalidWithoutError(text: String) throws {
    #expect(try verified(text) == VerifyTokenResponse())
    #expect(try !isAccepted(text))
    let refusal = try mock.refusal(AuthRPC.refresh, RefreshRequest(refreshToken: text))
    #expect(refusal?.grpcStatus == (text.isEmpty ? .invalidArgument : .unauthenticated))
  }

  @Test func otherSchemesAreRefused() throws {
    for value in ["Bearer", "Basic YTpi", "Bearer  ", try logIn().token] {
      let response = mock.backend.respond(
        to: HTTPRequest(
          method: .post, url: HTTPURL(received: "/api/v1/graph/is-following"), headers: ["Authorization": value],
          body: Array(#"{"follower_id":"a","followee_id":"b"}"#.utf8)))
      #expect(response.status == 401)
    }
  }

  @Test func invalidTokensAreIgnoredByRPCsWithoutAuthentication() throws {
    let request = LoginRequest(email: "bruce@nova.social", password: "mock-password")
    #expect(try mock.refusal(AuthRPC.login, request, token: "expired") == nil)
  }

  @Test func tokensCanBeRequired() throws {
    let strict = MockCaller(dataSet: .guide, requiresTokens: true)
    #expect(try strict.refusal(GraphRPC.isFollowing, question)?.grpcStatus == .unauthenticated)
    #expect(try strict.refusal(CaptureRPC.listSomethings, ListSomethingsRequest(limit: 1))?.status == 401)
    #expect(try strict.refusal(AnnouncementsRPC.listAnnouncements, ListAnnouncementsRequest()) == nil)
    let login = LoginRequest(email: "bruce@nova.social", password: "mock-password")
    let token = try strict.call(AuthRPC.login, login).token
    #expect(try strict.refusal(GraphRPC.isFollowing, question, token: token) == nil)
    let chunk = HTTPRequest(method: .put, url: "/api/v1/media/upload/upload-1/bytes", body: [1])
    #expect(strict.backend.respond(to: chunk).status == 401)
  }

  @Test func backendsOfOneSeedAcceptEachOthersTokensAndNoOthers() throws {
    let session = try logIn()
    for (seed, isKnown) in [(UInt64(1), true), (2, false)] {
      let other = MockCaller(seed: seed, dataSet: .guide)
      #expect((try other.refusal(GraphRPC.isFollowing, question, token: session.token) == nil) == isKnown)
      let refresh = RefreshRequest(refreshToken: session.refreshToken)
      #expect((try other.refusal(AuthRPC.refresh, refresh) == nil) == isKnown)
    }
    // The user of the token has to be there.
    let empty = MockCaller(dataSet: .empty)
    #expect(try empty.refusal(GraphRPC.isFollowing, question, token: session.token)?.status == 401)
  }
}

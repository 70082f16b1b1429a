import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// What ends a session: the service's own refusal, in the contract's form, and nothing else.
@Suite struct RefusalTests {
  static let refusals = [
    #"{"code":16,"message":"revoked"}"#, #"{"code":16}"#, #"{"code":16,"details":[{"reason":"TOKEN_EXPIRED"}]}"#,
    #"{"error":{"code":"UNAUTHENTICATED","message":"revoked"}}"#, #"{"error":{"code":"TOKEN_EXPIRED"}}"#,
    #"{"error":{"code":"REFRESH_TOKEN_REVOKED","message":"x"}}"#, #"{"error":{"code":"INVALID_TOKEN"}}"#,
    #"{"error":{"code":"SESSION_EXPIRED","message":""}}"#, #"{"error":{"code":16,"message":"x"}}"#,
    #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#, #"{"error":"expired","code":16,"message":"expired"}"#,
    #"{"error":null,"code":16}"#,
  ]
  /// Responses of proxies, portals, API gateways and other services.
  static let others = [
    "", "{}", "[]", "null", "16", "Jwt is expired", "<html><h1>401 Authorization Required</h1></html>",
    #"{"message":"Unauthorized"}"#, #"{"code":401,"message":"no"}"#, #"{"code":"16"}"#, #"{"code":"UNAUTHENTICATED"}"#,
    #"{"code":7,"message":"no"}"#, #"{"code":14,"message":"no"}"#, #"{"error":"invalid_token"}"#, #"{"error":16}"#,
    #"{"error":{}}"#, #"{"error":{"message":"UNAUTHENTICATED"}}"#, #"{"error":{"code":""}}"#,
    #"{"error":{"code":401,"message":"no"}}"#, #"{"error":{"code":1001,"message":"no"}}"#,
    #"{"error":{"code":401,"status":"Unauthorized"}}"#, #"{"status":"UNAUTHENTICATED","message":"no"}"#,
    #"{"error":"Unauthorized","code":401,"message":"no"}"#, #"{"error":{"code":"RATE_LIMITED"}}"#,
    #"{"error":{"code":"UNAVAILABLE"}}"#, #"{"detail":"Not authenticated"}"#, #"[{"code":16}]"#, #"{"code":16"#,
    #"{"type":"about:blank","title":"Unauthorized","status":401}"#, #"{"fault":{"faultstring":"Invalid token"}}"#,
  ]
  static let statuses = [
    200, 204, 301, 400, 401, 403, 404, 407, 408, 409, 418, 419, 422, 429, 440, 451, 499, 500, 501, 502, 503, 504, 511,
    599,
  ]

  @Test(arguments: statuses) func onlyTheServiceEndsASession(status: Int) async throws {
    for body in Self.refusals + Self.others {
      let isRefused = status == 401 && Self.refusals.contains(body)
      let me = try SignedIn(expiresIn: -1)
      let before = await me.store.load()
      me.backend.rule = .reply(status, body)
      let error = await apiError { try await me.sessions.accessToken() }
      let row: Comment = "\(status) \(body): \(error.map { "\($0)" } ?? "no error")"
      #expect(error != nil && (error?.code == .unauthorized) == isRefused, row)
      #expect(await me.store.load() == (isRefused ? nil : before), row)
      #expect((me.sessions.current == nil) == isRefused, row)
      guard !isRefused else { continue }
      expectKept(error, row)
      me.backend.rule = .answer
      #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1), row)
    }
  }

  /// A gateway that leaves the gRPC status in the header fields: the same answers as in JSON end a session.
  @Test(arguments: [
    (401, "16", "", true), (401, "16", "[]", true), (200, "16", "", true), (403, "16", "", false),
    (401, "7", "", false),
    (503, "14", "", false), (200, "14", "", false), (401, "0", "", false), (401, "", "", false),
    (401, "16", "<html>x</html>", true),
  ])
  func aStatusInTheFieldsEndsASession(status: Int, grpcStatus: String, body: String, isRefused: Bool) async throws {
    let me = try SignedIn(expiresIn: -1)
    let before = await me.store.load()
    let headers: HTTPHeaders = ["Content-Type": "application/grpc", "grpc-status": grpcStatus, "grpc-message": "no"]
    me.backend.rule = .respond(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
    let error = await apiError { try await me.sessions.accessToken() }
    let row: Comment = "\(status) \(grpcStatus) \(body): \(error.map { "\($0)" } ?? "no error")"
    #expect(error != nil && (error?.code == .unauthorized) == isRefused, row)
    #expect(await me.store.load() == (isRefused ? nil : before), row)
    if !isRefused { expectKept(error, row) }
  }

  private func expectKept(_ error: APIError?, _ row: Comment) {
    let message = error?.message ?? ""
    #expect(message.hasPrefix("the session was not refreshed: "), row)
    #expect(message.hasSuffix(" (auth.Refresh, request test-request); you stay signed in, try again later"), row)
    // Calls that wait for the refresh fail with it, and none of them has been refused.
    #expect(error?.isOfRefresh == true, row)
    let codes: [APIError.Code] = [.notFound, .conflict, .invalidArgument, .failedPrecondition, .unimplemented]
    #expect(error.map { codes.contains($0.code) } != true, row)
  }

  /// The error codes that end a session with HTTP 401. Others concern another token, such as a proxy's.
  static let endingCodes = [
    "UNAUTHENTICATED", "UNAUTHORIZED", "INVALID_REFRESH_TOKEN", "INVALID_SESSION", "INVALID_TOKEN", "INVALID_GRANT",
    "REFRESH_TOKEN_EXPIRED", "REFRESH_TOKEN_INVALID", "REFRESH_TOKEN_REVOKED", "REFRESH_TOKEN_REUSED",
    "REFRESH_TOKEN_UNKNOWN", "REFRESH_TOKEN_NOT_FOUND", "SESSION_EXPIRED", "SESSION_INVALID", "SESSION_REVOKED",
    "SESSION_REUSED", "SESSION_UNKNOWN", "SESSION_NOT_FOUND", "TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_REVOKED",
    "TOKEN_REUSED", "TOKEN_UNKNOWN", "TOKEN_NOT_FOUND",
  ]
  static let keepingCodes = [
    "PROXY_TOKEN_INVALID", "CSRF_TOKEN_INVALID", "INVALID_API_TOKEN", "INVALID_SESSION_COOKIE", "ACCESS_TOKEN_EXPIRED",
    "ID_TOKEN_EXPIRED", "INVALID_CSRF_TOKEN", "INVALID_ACCESS_TOKEN", "PROXY_UNAUTHORIZED", "UNAUTHORIZED_CLIENT",
    "UNAUTHENTICATED_PROXY", "TOKEN", "SESSION", "REFRESH_TOKEN", "EXPIRED", "INVALID", "TOKEN_EXPIRED_SOON",
    "TOKEN__EXPIRED", " TOKEN_EXPIRED", "TOKEN EXPIRED", "TOKEN_MISSING", "EXPIRED_TOKEN", "NOT_FOUND",
    "INVALID_CLIENT", "SESSION_TOKEN_EXPIRED", "REFRESH_TOKENS_REVOKED",
  ]

  @Test(arguments: endingCodes + keepingCodes) func onlyCodesOfTheSessionEndIt(code: String) async throws {
    let isRefused = Self.endingCodes.contains(code)
    let me = try SignedIn(expiresIn: -1)
    let before = await me.store.load()
    me.backend.rule = .reply(401, #"{"error":{"code":"\#(code)","message":"no"}}"#)
    let error = await apiError { try await me.sessions.accessToken() }
    #expect(error != nil && (error?.code == .unauthorized) == isRefused, "\(code)")
    #expect(await me.store.load() == (isRefused ? nil : before), "\(code)")
    if !isRefused { expectKept(error, "\(code)") }
  }

  /// Failed refreshes with a response, as captive portals, proxies and failing services send them.
  static let failedRefreshes: [(rule: AuthBackend.Rule, code: APIError.Code, reason: String)] = [
    (page(200, "<html>Sign in to the Wi-Fi</html>"), .invalidResponse, "expected a JSON response, got text/html"),
    (page(200, ""), .invalidResponse, "expected a JSON response, got text/html"),
    (.reply(200, ""), .decodingError, "the response does not match the contract: "),
    (.reply(204, ""), .decodingError, "the response does not match the contract: "),
    (.reply(200, "[]"), .decodingError, "the response does not match the contract: "),
    (.reply(200, "<html>"), .decodingError, "the response does not match the contract: "),
    (.reply(200, "{}"), .invalidResponse, "expected an access token; it is missing or malformed"),
    (.reply(200, #"{"token":"a b"}"#), .invalidResponse, "expected an access token; it is missing or malformed"),
    (page(302, ""), .invalidResponse, "the response with HTTP 302 is not in the service's form"),
    (page(401, ""), .invalidResponse, "the response with HTTP 401 is not in the service's form"),
    (page(511, "<html>"), .networkError, "the response with HTTP 511 is not in the service's form"),
    (.reply(200, #"{"error":{"code":"REFRESH_TOKEN_REUSED"}}"#), .serverError, "the server failed"),
    (
      .reply(200, #"{"error":{"code":"UNAUTHENTICATED"}}"#), .invalidResponse,
      "the response with HTTP 200 does not end the session"
    ),
    (
      .reply(200, #"{"code":16,"message":"x"}"#), .invalidResponse,
      "the response with HTTP 200 does not end the session"
    ),
    (.reply(503, #"{"code":14,"message":"x"}"#), .unavailable, "the service is not available"),
    (fault(.redirectRefused), .invalidResponse, "the network said something"),
    (fault(.malformedResponse), .invalidResponse, "the network said something"),
    (fault(.responseTooLarge), .invalidResponse, "the network said something"),
  ]

  private static func page(_ status: Int, _ body: String) -> AuthBackend.Rule {
    .respond(HTTPResponse(status: status, headers: ["Content-Type": "text/html"], body: Array(body.utf8)))
  }

  private static func fault(_ kind: TransportError.Kind) -> AuthBackend.Rule {
    .fault(TransportError(kind, "the network said something", requestMayHaveLeft: true))
  }

  /// A call that waits for a refresh is never sent, so its error describes the refresh.
  @Test func aWaitingCallReportsTheRefresh() async throws {
    for (rule, code, reason) in Self.failedRefreshes {
      let me = try SignedIn(expiresIn: -1)
      let before = await me.store.load()
      me.backend.rule = rule
      let client = try me.backend.client(tokens: me.sessions)
      let error = await apiError {
        try await client.respond(
          AuthRPC.getUser, GetUserRequest(userId: "u"), options: CallOptions(requestID: "waiting-call"))
      }
      let row: Comment = "\(rule): \(error.map { "\($0)" } ?? "no error")"
      #expect(error?.rpc == "auth.GetUser" && error?.requestID == "waiting-call" && error?.code == code, row)
      #expect(error?.message.hasPrefix("the session was not refreshed: \(reason)") == true, row)
      expectKept(error, row)
      #expect(await me.store.load() == before && me.sessions.current != nil, row)
    }
  }

  /// The same after a call's 401, whatever its body: the token is replaced, and the session lives on if it cannot be.
  @Test func aRefusedCallEndsNoSession() async throws {
    for body in Self.others {
      let me = try SignedIn()
      let token = try #require(try await me.sessions.accessToken())
      me.backend.rule = .reply(401, body)
      let error = await apiError { try await me.sessions.replacement(for: token) }
      #expect(error != nil && error?.code != .unauthorized, "\(body)")
      expectKept(error, "\(body)")
      #expect(await me.store.load() != nil && me.sessions.current != nil, "\(body)")
    }
  }

  @Test func aRefreshOfOnesOwnDecidesItself() async throws {
    let failures: [(APIError, Bool)] = [
      (APIError(.unauthorized, "over"), true), (APIError(.unauthorized, "proxy", httpStatus: 401), false),
      (APIError(.unavailable, "later"), false), (APIError(.permissionDenied, "no", httpStatus: 403), false),
    ]
    for (failure, isRefused) in failures {
      let backend = AuthBackend()
      let store = MemorySessionStore(
        StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
      let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock) { _ in
        throw failure
      }
      #expect(await apiError { try await sessions.session() } != nil)
      #expect((await store.load() == nil) == isRefused, "\(failure)")
    }
  }

  @Test func signingInIsRefusedByTheServiceOnly() async throws {
    // These are the service's own responses.
    for body in Self.others where !["RATE_LIMITED", #""UNAVAILABLE""#, "1001"].contains(where: body.contains) {
      for status in [401, 407, 503] { try await expectNoAuthError(status, body) }
    }
    for body in Self.refusals { try await expectNoAuthError(503, body) }
    try await expectNoAuthError(401, #"{"code":7,"message":"account locked"}"#)
    try await expectNoAuthError(503, #"{"code":7,"message":"account locked"}"#)
    try await expectNoAuthError(409, "<html>Conflict</html>")
    try await expectNoAuthError(409, "")
    try await expectNoAuthError(502, #"{"code":6,"message":"e-mail"}"#)
  }

  private func expectNoAuthError(_ status: Int, _ body: String) async throws {
    let auth = AuthService(client: try APIClient.test(RecordingTransport(status: status, body)))
    let row: Comment = "\(status) \(body)"
    let login = await apiError { try await auth.signIn(email: "e@x.example", password: Canary.secret) }
    #expect(login != nil && login?.code != .unauthorized, row)
    #expect(
      await apiError { try await auth.signUp(email: "e@x.example", username: "eve", password: "12345678") } != nil, row)
  }

  /// Signing out reports a response from a proxy.
  @Test(arguments: others + refusals) func signingOutIsRefusedByTheServiceOnly(body: String) async throws {
    let store = MemorySessionStore(StoredSession(session: try .canary(1), origin: "http://localhost:8080"))
    let client = try APIClient.test(RecordingTransport(status: 401, body))
    let sessions = SessionManager(store: store, auth: AuthService(client: client), clock: ManualClock())
    let error = await apiError { try await sessions.signOut() }
    #expect((error == nil) == Self.refusals.contains(body), "\(body): \(error.map { "\($0)" } ?? "")")
    #expect(await store.load() == nil)
  }
}

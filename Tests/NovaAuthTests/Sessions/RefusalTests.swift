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
  ]
  /// Responses of proxies, portals, API gateways and other services.
  static let others = [
    "", "{}", "[]", "null", "16", "Jwt is expired", "<html><h1>401 Authorization Required</h1></html>",
    #"{"message":"Unauthorized"}"#, #"{"code":401,"message":"no"}"#, #"{"code":"16"}"#, #"{"code":"UNAUTHENTICATED"}"#,
    #"{"code":7,"message":"no"}"#, #"{"code":14,"message":"no"}"#, #"{"error":"invalid_token"}"#, #"{"error":16}"#,
    #"{"error":{}}"#, #"{"error":{"message":"UNAUTHENTICATED"}}"#, #"{"error":{"code":""}}"#,
    #"{"error":null,"code":16}"#,
    #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#, #"{"error":{"code":"RATE_LIMITED"}}"#,
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
      if status >= 400, !isRefused { #expect(error?.message.contains("you stay signed in") == true, row) }
      guard !isRefused else { continue }
      me.backend.rule = .answer
      #expect(try await me.sessions.accessToken()?.secretValue == Canary.access(1), row)
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
    // These two are the service's own responses.
    for body in Self.others where !body.contains("RATE_LIMITED") && !body.contains(#""UNAVAILABLE""#) {
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

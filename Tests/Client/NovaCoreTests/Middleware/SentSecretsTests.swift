import Logging
import NovaAuth
@testable import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

/// What a server quotes of the secrets it was sent; `CanaryTests` does the same for every call.
@Suite struct SentSecretsTests {
  private func answer(_ status: Int, _ body: String) -> RecordingTransport {
    RecordingTransport(status: status, body)
  }

  @Test func aQuotedTokenIsMasked() async throws {
    let client = try APIClient.test(answer(401, #"{"code":16,"message":"\#(Canary.secret), is no token"}"#))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.server?.message == "****, is no token")
  }

  @Test(arguments: [401, 200]) func aQuotedPasswordIsMasked(status: Int) async throws {
    let body = #"{"error":{"code":"BAD","message":"not \#(Canary.secret)","metadata":{"was":"\#(Canary.secret)"}}}"#
    let client = try APIClient.test(answer(status, body), token: nil)
    let request = LoginRequest(email: "e@x.example", password: Canary.secret)
    let error = await apiError { try await client.call(AuthRPC.login, request) }
    #expect(error?.server == ServerError(code: "BAD", message: "not ****", metadata: ["was": "****"]))
  }

  @Test func aQuoteThatDoesNotFitTheContractIsHidden() async throws {
    let client = try APIClient.test(answer(200, #"{"is_muted":"\#(Canary.secret)"}"#))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.message.contains("****") == true && error?.decoding?.found == "another value (hidden)")
  }

  /// The token that was refused was sent as well.
  @Test func theTokenOfAnEarlierAttemptIsMasked() async throws {
    struct Tokens: TokenProvider {
      let prefix = Locked("first")
      func accessToken() async throws -> AccessToken? { try AccessToken("\(prefix.withLock { $0 })-\(Canary.secret)") }
      func replacement(for refused: AccessToken) async throws -> AccessToken? {
        prefix.withLock { $0 = "second" }
        return try await accessToken()
      }
    }
    let transport = RecordingTransport { number, _ in
      let body = number == 0 ? "" : #"{"message":"not first-\#(Canary.secret), not second-\#(Canary.secret)"}"#
      return HTTPResponse(status: number == 0 ? 401 : 403, body: Array(body.utf8))
    }
    let client = try APIClient.test(transport, tokens: Tokens())
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.server?.message == "not ****, not ****")
  }

  /// A search that could take longer than the call is not begun.
  @Test(arguments: [(400, "message"), (200, "is_muted"), (502, nil)])
  func largeFailuresAreNeitherSearchedNorShown(status: Int, field: String?) async throws {
    let text = Canary.secret + String(repeating: #"\\"#, count: SecretRedactor.largestFailure)
    let body = field.map { #"{"\#($0)":"\#(text)"}"# } ?? text
    let client = try APIClient.test(answer(status, body))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.server == nil && error?.description.contains(Canary.secret.prefix(8)) == false, "\(error as Any)")
    if status == 200 { #expect(error?.decoding?.found == "another value (hidden)", "\(error as Any)") }
  }

  /// It is what was asked for.
  @Test func anAnswerThatSucceedsIsLeftAlone() async throws {
    let client = try APIClient.test(answer(200, #"{"token":"\#(Canary.secret)"}"#), token: nil)
    let answer = try await client.call(AuthRPC.refresh, RefreshRequest(refreshToken: Canary.secret))
    #expect(answer.token == Canary.secret)
  }

  /// To mask every `a` would tell what the password is.
  @Test func whatIsTooShortIsNoSecret() async throws {
    let client = try APIClient.test(answer(401, #"{"message":"a bad password"}"#), token: nil)
    let error = await apiError {
      try await client.call(AuthRPC.login, LoginRequest(email: "e@x.example", password: "a"))
    }
    #expect(error?.server?.message == "a bad password")
  }

  // MARK: Every spelling

  /// A response that quotes a secret: the status, the type, and the body.
  private static let refusals: [(status: Int, type: String, body: @Sendable (SpelledSecret) -> String)] = [
    (401, "application/json", { #"{"code":16,"message":"no: \#($0.inJSON)!"}"# }),
    (
      400, "application/json",
      { #"{"error":{"code":"\#($0.inJSON)","message":"\#($0.inJSON)","metadata":{"\#($0.inJSON)":"\#($0.inJSON)"}}}"# }
    ),
    (
      200, "application/json",
      { #"{"error":{"code":"BAD","message":"\#($0.inJSON)","metadata":{"was":"\#($0.inJSON)"}}}"# }
    ),
    (200, "application/json", { #"{"expires_in":"\#($0.inJSON)","is_muted":"\#($0.inJSON)"}"# }),
    (200, "application/json", { #"{"user":{"\#($0.inJSON)":1,"id":[]},"is_muted":{"\#($0.inJSON)":1}}"# }),
    (200, "application/json", { "\($0.text) is no JSON" }), (502, "text/html", { "<p>\($0.text)</p>" }),
    // Cut in the middle of what an error may quote.
    (500, "text/plain", { String(repeating: "x", count: 1000 - $0.text.utf8.count / 2) + $0.text }),
    (400, "application/json", { #"{"message":"\#($0.inJSON)"# }),
  ]

  @Test(arguments: 1...3) func noSpellingOfAPasswordShows(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(2000 + seed))
    let password = SecretSpellings.password(using: &generator)
    for spelled in TestDepth.cases(SecretSpellings.all(of: password, using: &generator), sample: 12) {
      try await expectSecrecy(of: password, spelled, token: nil) { client in
        _ = try await client.call(AuthRPC.login, LoginRequest(email: "e@x.example", password: password))
      }
    }
  }

  @Test(arguments: 1...2) func noSpellingOfATokenShows(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(3000 + seed))
    let token = SecretSpellings.token(using: &generator)
    for spelled in TestDepth.cases(SecretSpellings.all(of: token, using: &generator), sample: 12) {
      try await expectSecrecy(of: token, spelled, token: token) { client in
        _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
      }
    }
  }

  /// Searches everything that an error shows, and the log with its bodies.
  private func expectSecrecy(
    of secret: String, _ spelled: SpelledSecret, token: String?, _ call: (APIClient) async throws -> Void
  ) async throws {
    for (status, type, body) in Self.refusals {
      let answer = HTTPResponse(
        status: status,
        headers: [
          "Content-Type": type, "Server": spelled.text, "WWW-Authenticate": spelled.text,
          "Location": "/?\(spelled.text)",
        ],
        body: Array(body(spelled).utf8))
      let log = CapturedLog()
      let client = try APIClient.test(
        RecordingTransport { _, _ in answer },
        overrides: ConfigurationOverrides(logLevel: .trace, logBodyBytes: 65_536), token: token, logger: log.logger)
      var text = ""
      do { try await call(client) } catch {
        dump(error, to: &text)
        let error = error as? APIError
        text += "\n\(error as Any) \(error?.server as Any) \(error?.decoding as Any) \(error?.report as Any)"
      }
      text += "\n" + log.lines.joined(separator: "\n")
      let leaks = SecretSpellings.leaks(of: secret, spelled, in: text)
      #expect(leaks == [], "\(status) \(type), \(spelled) of \(secret): \(text)")
    }
  }

  /// Each attempt has a token of its own, and another one may be ready by the time that the answer comes.
  private final class ChangingToken: TokenProvider {
    private let count = Locked(0)

    var availableToken: AccessToken? {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return try? AccessToken("token-number-\(number)")
    }

    func accessToken() async throws -> AccessToken? { availableToken }
  }

  @Test(arguments: [200, 200, 500]) func theTokenThatWasSentIsTheOneThatIsMasked(status: Int) async throws {
    let transport = RecordingTransport { _, request in
      let token = request.headers["Authorization"] ?? "none"
      return HTTPResponse(
        status: status, headers: ["Content-Type": "application/json"],
        body: Array(#"{"error":{"code":"X","message":"\#(token)"}}"#.utf8))
    }
    let client = try APIClient.test(transport, tokens: ChangingToken())
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.server?.message == "Bearer ****")
  }

  /// Whatever puts it there.
  @Test func credentialsOfMiddlewaresAreMasked() async throws {
    struct KeyMiddleware: Middleware {
      func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
        var request = request
        request.headers["X-Api-Key"] = "key-of-a-middleware"
        return try await next(request)
      }
    }
    let client = try APIClient.test(
      answer(200, #"{"error":{"code":"X","message":"key-of-a-middleware"}}"#), middlewares: [KeyMiddleware()])
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.server?.message == "****")
  }

  @Test func refusalsInAnswersThatSucceedAreMasked() async throws {
    let client = try APIClient.test(answer(200, #"{"success":false,"message":"no: \#(Canary.secret)"}"#))
    let error = await apiError { try await GraphService(client: client).muteUser(muterId: "a", muteeId: "b") }
    #expect(error?.server?.message == "no: ****")
  }

  @Test func reasonsOfTransportsAreMasked() async throws {
    let transport = RecordingTransport { _, request in
      throw TransportError(.other, "sent \(request.headers["Authorization"] ?? "")", requestMayHaveLeft: true)
    }
    let client = try APIClient.test(transport)
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.message == "sent Bearer ****")
    #expect(error?.transport?.message == "sent Bearer ****")
  }
}

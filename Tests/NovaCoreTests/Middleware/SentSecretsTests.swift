import NovaAuth
import NovaCore
import NovaGraph
import NovaTestSupport
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
}

import NovaAuth
import NovaCore
import NovaGraph
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// What follows a 401.
@Suite struct TokenReplacementTests {
  /// Gives the tokens `token-0`, `token-1` …, one more with each replacement, as long as there are any.
  private final class Tokens: TokenProvider {
    private let state = Locked((number: 0, replacements: 0))
    private let last: Int

    init(last: Int = 1) { self.last = last }

    var replacements: Int { state.withLock { $0.replacements } }

    func accessToken() async throws -> AccessToken? {
      try AccessToken("token-\(state.withLock { $0.number })")
    }

    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      let number: Int? = state.withLock { state in
        state.replacements += 1
        guard state.number < last else { return nil }
        state.number += 1
        return state.number
      }
      return try number.map { try AccessToken("token-\($0)") }
    }
  }

  private func transport(accepting token: String) -> RecordingTransport {
    RecordingTransport { _, request in
      let isGood = request.headers["Authorization"] == "Bearer \(token)"
      return HTTPResponse(status: isGood ? 200 : 401, body: Array(#"{"success":true}"#.utf8))
    }
  }

  private let write = CreateShareRequest(userId: "a", postId: "b", shareType: "dm")

  @Test func aRefusedTokenIsReplacedOnceAndTheCallRepeated() async throws {
    let transport = transport(accepting: "token-1")
    let tokens = Tokens()
    // Even where nothing is tried again, and even a write: what is refused with 401 was not done.
    let client = try APIClient.test(transport, tokens: tokens, resilience: .none)
    let response = try await client.respond(SocialRPC.createShare, write)
    #expect(transport.requests.map { $0.headers["Authorization"] } == ["Bearer token-0", "Bearer token-1"])
    #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
    #expect(response.attempts.map(\.httpStatus) == [401, 200] && tokens.replacements == 1)
  }

  @Test func aSecondRefusalEndsTheCall() async throws {
    let transport = transport(accepting: "none of them")
    let tokens = Tokens(last: 5)
    let client = try APIClient.test(transport, tokens: tokens, resilience: Resilience())
    let error = await apiError { try await client.call(SocialRPC.createShare, write) }
    #expect(error?.code == .unauthorized && transport.requests.count == 2 && tokens.replacements == 1)
    #expect(error?.attempts.last?.consequence == .stop(reason: .permanentFailure))
  }

  @Test func withoutAnotherTokenThe401IsTheAnswer() async throws {
    let transport = transport(accepting: "none")
    let client = try APIClient.test(transport, tokens: Tokens(last: 0))
    let error = await apiError { try await client.call(SocialRPC.createShare, write) }
    #expect(error?.code == .unauthorized && transport.requests.count == 1)
  }

  @Test func aFailureToGetAnotherTokenIsTheCallsError() async throws {
    struct Refusing: TokenProvider {
      func accessToken() async throws -> AccessToken? { try AccessToken("old") }
      func replacement(for refused: AccessToken) async throws -> AccessToken? {
        throw APIError(.unavailable, "the auth service is away")
      }
    }
    let client = try APIClient.test(transport(accepting: "new"), tokens: Refusing())
    let error = await apiError { try await client.call(SocialRPC.createShare, write) }
    #expect(error?.code == .unavailable && error?.rpc == "social.CreateShare" && error?.attempts.count == 1)
  }

  @Test func callsWithoutATokenAskForNone() async throws {
    let transport = RecordingTransport(status: 401, "")
    let tokens = Tokens()
    let client = try APIClient.test(transport, tokens: tokens)
    _ = await apiError { try await client.call(AuthRPC.login, LoginRequest(email: "a@b.c", password: "12345678")) }
    #expect(transport.requests.first?.headers["Authorization"] == nil && tokens.replacements == 0)
  }

  @Test func waitingForATokenKeepsToTheDeadlineAndToCancellation() async throws {
    /// Does not listen to cancellation.
    struct Hanging: TokenProvider {
      let gate: AsyncStream<Void>
      func accessToken() async throws -> AccessToken? {
        await Task.detached { for await _ in gate {} }.value
        return nil
      }
    }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    defer { continuation.finish() }
    let clock = ManualClock()
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, tokens: Hanging(gate: stream), resilience: Resilience(), clock: clock)
    let late = Task { await apiError { try await client.call(SocialRPC.createShare, write) } }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    #expect(await late.value?.code == .timeout)
    let cancelled = Task { await apiError { try await client.call(SocialRPC.createShare, write) } }
    await clock.waitForSleepers(1)
    cancelled.cancel()
    #expect(await cancelled.value?.code == .cancelled && transport.requests.isEmpty)
  }
}

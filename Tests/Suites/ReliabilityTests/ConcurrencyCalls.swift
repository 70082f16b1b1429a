import NovaAuth
import NovaCore
import NovaGraph
import NovaSocial
import NovaTestSupport
import Testing

/// Many calls at once, and what came of them.
struct ConcurrencyCalls: Sendable {
  enum Kind: CaseIterable, Sendable { case read, idempotent, write }

  /// A call that somebody makes.
  struct Plan: Sendable {
    var kind: Kind
    /// After how many turns of other tasks its caller gives up; nil for never.
    var givesUpAfter: Int?

    init(using random: inout SeededGenerator) {
      kind = Kind.allCases.randomElement(using: &random) ?? .read
      if random.one(in: 20) { givesUpAfter = Int.random(in: 0...20, using: &random) }
    }
  }

  let client: APIClient

  /// Makes the call. Its error, checked for what every error has; nil for an answer.
  func outcome(of plan: Plan) async -> APIError? {
    let task = Task { try await make(plan.kind) }
    if let turns = plan.givesUpAfter {
      for _ in 0..<turns { await Task.yield() }
      task.cancel()
    }
    do {
      try await task.value
      return nil
    } catch let error as APIError {
      #expect(error.report?.failure == error.code && error.requestID != nil, "\(error)")
      #expect(error.code != .cancelled || plan.givesUpAfter != nil, "\(error)")
      return error
    } catch {
      Issue.record("not an APIError: \(error)")
      return nil
    }
  }

  func make(_ kind: Kind) async throws {
    switch kind {
    case .read: _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    case .idempotent:
      _ = try await client.call(GraphRPC.createFollow, CreateFollowRequest(followerId: "a", followeeId: "b"))
    case .write:
      _ = try await client.call(SocialRPC.createShare, CreateShareRequest(userId: "a", postId: "b", shareType: "dm"))
    }
  }
}

/// Counts calls, and those among them that have not ended.
final class CallCounter: CallObserver {
  private let counts = Locked((begun: 0, ended: 0))

  var begun: Int { counts.withLock { $0.begun } }
  var ended: Int { counts.withLock { $0.ended } }

  func callBegan(_ rpc: RPCDescriptor) { counts.withLock { $0.begun += 1 } }
  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) { counts.withLock { $0.ended += 1 } }
  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {}
}

extension SessionManager {
  /// Somebody who is signed in at a ``ConcurrencyGateway``.
  static func signedIn(
    at gateway: ConcurrencyGateway, _ auth: APIClient, clock: any CallClock = ContinuousClock()
  ) throws -> SessionManager {
    let session = Session(
      accessToken: try AccessToken(Canary.access(0)), refreshToken: try #require(RefreshToken(Canary.refresh(0))),
      expiresAt: gateway.firstExpiry, user: User(id: "a"))
    let origin = auth.configuration.baseURL(for: AuthRPC.refresh.descriptor.service).text
    return SessionManager(
      store: MemorySessionStore(StoredSession(session: session, origin: origin)), auth: AuthService(client: auth),
      policy: RefreshPolicy(random: { 0.5 }), clock: clock)
  }
}

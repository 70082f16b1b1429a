import NovaCore
import NovaCrypto

/// Exchanges refresh tokens for access tokens at the server.
struct TokenExchange: Sendable {
  let auth: AuthService
  let customRefresh: SessionManager.Refresh?
  let cache: SessionCache
  let storage: SessionStorage
  let clock: any CallClock
  /// The key that this process sent last, and when it sent it first.
  private let lastKey = Locked<(key: String, firstSent: ContinuousClock.Instant)?>(nil)

  struct Result: Sendable {
    let session: Session
    /// Whether the server repeated an earlier answer.
    let isRepeated: Bool
    /// Whether it made that for another process, so that the access token may have ended.
    let isOfUnknownAge: Bool
  }

  /// Returns the session with a new access token. Nothing is stored.
  ///
  /// - Throws: ``APIError``; what a custom refresh closure throws.
  func refreshed(_ session: Session, until deadline: ContinuousClock.Instant) async throws -> Result {
    let key = customRefresh == nil ? RefreshKey.of(session) : nil
    let firstSent = firstSending(of: key)
    let (answer, response): (RefreshResponse, APIResponse<RefreshResponse>?)
    do { (answer, response) = try await send(session, under: key, until: deadline) } catch let error as APIError
      where error.certainlySentNothing && firstSent == nil
    {
      lastKey.withLock { $0 = nil }
      throw error
    }
    guard let accessToken = try? AccessToken(answer.token) else {
      let (problem, rpc) = ("expected an access token; it is missing or malformed", AuthRPC.refresh.descriptor)
      throw response.map { APIError(.invalidResponse, problem, rpc: rpc, response: $0) }
        ?? APIError(.invalidResponse, problem, rpc: rpc.id)
    }
    // A call must never carry another user's token, even if a server mixes up its responses.
    if let user = session.accessToken.claimedUser, let other = accessToken.claimedUser, other != user {
      throw APIError(
        .invalidResponse, "the server sent a token of another user, which is not used",
        rpc: AuthRPC.refresh.descriptor.id)
    }
    var session = session
    session.accessToken = accessToken
    // Without a new one, the old refresh token stays valid.
    session.refreshToken = RefreshToken(answer.refreshToken) ?? session.refreshToken
    let isRepeated = response?.isRepeated ?? false
    // The answer to an earlier call of this process is at most as old as that call.
    let age = isRepeated ? (firstSent ?? clock.now).duration(to: clock.now) / .seconds(1) : 0
    session.expiresAt = Int64(cache.serverNow - age) + AccessLifetime.bounded(answer.expiresIn)
    let isOfThisProcess = firstSent != nil || (response?.attempts.count ?? 0) > 1
    return Result(
      session: session, isRepeated: isRepeated, isOfUnknownAge: isRepeated && !isOfThisProcess)
  }

  /// Records that a key is sent now.
  ///
  /// - Returns: when this process sent it first; nil if it has not.
  private func firstSending(of key: String?) -> ContinuousClock.Instant? {
    guard let key else { return nil }
    let now = clock.now
    return lastKey.withLock { last in
      if let last, last.key == key { return last.firstSent }
      last = (key, now)
      return nil
    }
  }

  /// Whether the error means that the refresh token is no longer valid. A custom refresh closure may report that
  /// without a response.
  func refuses(_ error: APIError) -> Bool {
    error.isRefusedToken || customRefresh != nil && error.httpStatus == nil && error.code == .unauthorized
  }

  /// - Returns: the response message, and the response itself, which is nil for a custom refresh.
  private func send(
    _ session: Session, under key: String?, until deadline: ContinuousClock.Instant
  ) async throws -> (answer: RefreshResponse, response: APIResponse<RefreshResponse>?) {
    let token = session.refreshToken
    if let customRefresh {
      return (try await storage.bounded(until: deadline) { try await customRefresh(token) }, nil)
    }
    try auth.requireSafe("a refresh token")
    var options = auth.ending(at: deadline, clock).options
    options.idempotencyKey = key
    do {
      let response = try await auth.client.respond(
        AuthRPC.refresh, RefreshRequest(refreshToken: token.secretValue), options: options)
      cache.note(ClockReading(response.headers.serverTime, at: clock.unixTime))
      return (response.value, response)
    } catch let error as APIError {
      // By the server's clock, the token in use may still be valid.
      cache.note(ClockReading(error.serverTime, at: clock.unixTime))
      throw error
    }
  }
}

extension APIError {
  fileprivate var certainlySentNothing: Bool {
    sent == .nothing || attempts.count < 2 && transport?.requestMayHaveLeft == false
  }
}

extension APIResponse {
  /// Whether the server made it for an earlier request with the same key.
  fileprivate var isRepeated: Bool { headers[ContractHeaders.idempotencyReplayed]?.lowercased() == "true" }
}

/// The `Idempotency-Key` of a refresh.
///
/// It is computed from the session, so that every process with this session sends the same key, even after a crash. A
/// server that supports idempotency keys then repeats a lost response. The access token and its expiry are part of it,
/// because a refresh token may stay valid: with the same key, the server would return the same access token again.
enum RefreshKey {
  private static let purpose = "nova refresh key 1\n"

  /// Returns 32 hexadecimal digits, which reveal neither token; nil if libcrypto is missing.
  static func of(_ session: Session) -> String? {
    let message = "\(purpose)\(session.expiresAt)\n\(session.accessToken.secretValue)".utf8Bytes
    let code = try? HMACSHA256.code(for: message, key: session.refreshToken.secretValue.utf8Bytes)
    return code.map { Hexadecimal.encode($0.part(0..<16)) }
  }
}

/// The lifetime of access tokens.
enum AccessLifetime {
  /// Returns the server's value within reasonable bounds; without one, the contract's default of an hour.
  static func bounded(_ seconds: Int64) -> Int64 { seconds <= 0 ? 3600 : min(seconds, 366 * 86_400) }
}

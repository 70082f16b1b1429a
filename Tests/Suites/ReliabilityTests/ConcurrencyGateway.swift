import NovaCore
import NovaTestSupport
import NovaTesting

/// A gateway whose tokens wear out: each is good for so many requests and so many seconds. Whoever comes with an old one
/// gets 401, and a refresh token brings one new pair, ever.
final class ConcurrencyGateway: Sendable {
  struct Counts: Sendable, Equatable {
    /// Access tokens that ended, seen by a request that was refused.
    var expiries = 0
    /// Refresh tokens that were traded in.
    var refreshes = 0
    /// Refreshes of a token that was good and not nearly over.
    var needless = 0
    /// Refresh tokens that came a second time under another key.
    var reused = 0
    var refusals = 0
  }

  private struct State {
    var counts = Counts()
    var generation = 0
    var uses = 0
    var hasExpired = false
    var expiresAt: Double
    var answers: [String: HTTPResponse] = [:]
  }

  /// How many requests each access token is good for, in order; those after the last for any number.
  private let uses: [Int]
  private let lifetime: Int
  private let clock: any CallClock
  private let state: Locked<State>

  init(uses: [Int] = [], lifetime: Int = 86_400, clock: any CallClock = ContinuousClock()) {
    self.uses = uses
    self.lifetime = lifetime
    self.clock = clock
    state = Locked(State(expiresAt: clock.unixTime + Double(lifetime)))
  }

  var counts: Counts { state.withLock { $0.counts } }
  /// When the first access token expires.
  var firstExpiry: Int64 { Int64(state.withLock { $0.expiresAt }) }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    if request.url.text.hasSuffix("/auth/refresh") { return refresh(request) }
    let now = clock.unixTime
    let isGood = state.withLock { state in
      let isCurrent = request.headers["Authorization"] == "Bearer \(Canary.access(state.generation))"
      if isCurrent, !isOver(state, now) {
        state.uses += 1
        return true
      }
      if isCurrent, !state.hasExpired {
        state.hasExpired = true
        state.counts.expiries += 1
      }
      state.counts.refusals += 1
      return false
    }
    guard isGood else { return response(401, #"{"code":16,"message":"expired"}"#) }
    return response(200, #"{"success":true,"is_muted":true,"is_blocked":false,"share_count":1}"#)
  }

  private func isOver(_ state: State, _ now: Double) -> Bool {
    state.hasExpired || now >= state.expiresAt
      || uses.indices.contains(state.generation) && state.uses >= uses[state.generation]
  }

  private func refresh(_ request: HTTPRequest) -> HTTPResponse {
    let (now, key) = (clock.unixTime, request.headers["Idempotency-Key"] ?? "")
    let token = (try? JSONValue(jsonUTF8: request.body.inMemory))?["refresh_token"]?.stringValue
    return state.withLock { state in
      if var known = state.answers[key] {
        known.headers["Idempotency-Replayed"] = "true"
        return known
      }
      guard token == Canary.refresh(state.generation) else {
        state.counts.reused += 1
        return response(401, #"{"code":16,"message":"revoked"}"#)
      }
      // A session manager replaces a token when half of a short life is left.
      if !isOver(state, now), state.expiresAt - now > Double(lifetime) / 2 { state.counts.needless += 1 }
      state.counts.refreshes += 1
      state.generation += 1
      (state.uses, state.hasExpired, state.expiresAt) = (0, false, now + Double(lifetime))
      let (access, refresh) = (Canary.access(state.generation), Canary.refresh(state.generation))
      let answer = response(200, #"{"token":"\#(access)","refresh_token":"\#(refresh)","expires_in":\#(lifetime)}"#)
      state.answers[key] = answer
      return answer
    }
  }

  private func response(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}

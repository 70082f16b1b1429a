import NovaAuth
import NovaCore
import NovaTesting
import NovaTestSupport
import Testing

/// A gateway that refreshes: counts the refreshes, and can be told to fail, to wait and to have a clock of its own.
final class AuthBackend: Sendable {
  enum Rule: Sendable {
    case answer
    case fail(Int)
    case reply(Int, String)
    /// With any content type.
    case respond(HTTPResponse)
    case lose
    case fault(TransportError)
    /// Does what it was asked to, and the answer is lost.
    case answerAndLose
  }

  private struct State {
    var rule = Rule.answer
    var refreshes = 0
    var grants = 0
    var logouts: [String] = []
    var keys: [String] = []
    /// Refresh tokens that are good.
    var good: Set<String> = [Canary.refresh(0)]
    var rotates = false
    /// What was answered under each key, by a backend that recognizes them.
    var answers: [String: String]?
    var gate: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  let clock: ManualClock
  /// How far the server's clock is ahead.
  let skew: Int64
  let lifetime: Int64
  private let state = Locked(State())

  init(clock: ManualClock = ManualClock(), skew: Int64 = 0, lifetime: Int64 = 3600) {
    self.clock = clock
    self.skew = skew
    self.lifetime = lifetime
  }

  var serverNow: Int64 { Int64(clock.unixTime) + skew }
  var refreshes: Int { state.withLock { $0.refreshes } }
  var logouts: [String] { state.withLock { $0.logouts } }
  /// The `Idempotency-Key`s of the refreshes.
  var keys: [String] { state.withLock { $0.keys } }
  var rule: Rule {
    get { state.withLock { $0.rule } }
    set { state.withLock { $0.rule = newValue } }
  }
  /// Whether each refresh uses its token up and brings the next one.
  var rotates: Bool {
    get { state.withLock { $0.rotates } }
    set { state.withLock { $0.rotates = newValue } }
  }

  /// Whether a refresh with a known `Idempotency-Key` gets its first answer again.
  var honoursKeys: Bool {
    get { state.withLock { $0.answers != nil } }
    set { state.withLock { $0.answers = newValue ? [:] : nil } }
  }

  /// From now on refreshes wait until ``open()``.
  func shut() { state.withLock { $0.isClosed = true } }

  func open() {
    let gate = state.withLock { state in
      defer {
        state.gate = []
        state.isClosed = false
      }
      return state.gate
    }
    for continuation in gate { continuation.resume() }
  }

  /// Returns once a refresh waits.
  func waitForRefresh() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.gate.isEmpty { state.watchers.append(continuation) }
        return !state.gate.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  func revoke() { state.withLock { $0.good = [] } }

  /// The session that somebody has from before.
  func session(expiresIn: Int64? = nil) throws -> Session {
    try .canary(0, expiresAt: serverNow + (expiresIn ?? lifetime))
  }

  func service() throws -> AuthService { AuthService(client: try client()) }

  func client(tokens: (any TokenProvider)? = nil) throws -> APIClient {
    try .test(RecordingTransport { _, request in try await self.answer(request) }, tokens: tokens)
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    let json = try JSONValue(jsonUTF8: request.body.inMemory)
    if request.url.text.hasSuffix("/auth/logout") {
      state.withLock { $0.logouts.append(json["refresh_token"]?.stringValue ?? "") }
      return response(#"{"success":true}"#)
    }
    guard request.url.text.hasSuffix("/auth/refresh") else { return response("{}", status: 404) }
    await pass()
    return try refresh(json["refresh_token"]?.stringValue ?? "", key: request.headers["Idempotency-Key"] ?? "")
  }

  private func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
        guard state.isClosed else { return (true, []) }
        state.gate.append(continuation)
        defer { state.watchers = [] }
        return (false, state.watchers)
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  private func refresh(_ token: String, key: String) throws -> HTTPResponse {
    let (rule, body, isRepeated) = state.withLock { state -> (Rule, String?, Bool) in
      state.refreshes += 1
      state.keys.append(key)
      switch state.rule {
      case .answer, .answerAndLose: break
      case .fail, .reply, .respond, .lose, .fault: return (state.rule, nil, false)
      }
      let known = state.answers?[key]
      let body = known ?? grant(token, &state)
      state.answers?[key] = body
      return (state.rule, body, known != nil)
    }
    switch rule {
    case .fail(let status): return response("", status: status)
    case .reply(let status, let body): return response(body, status: status)
    case .respond(let response): return response
    case .fault(let error): throw error
    case .lose, .answerAndLose:
      throw TransportError(.connectionLost, "the connection broke", requestMayHaveLeft: true)
    case .answer:
      guard let body else { return response(#"{"code":16,"message":"revoked"}"#, status: 401) }
      var answer = response(body)
      if isRepeated { answer.headers["Idempotency-Replayed"] = "true" }
      return answer
    }
  }

  /// The answer; nil for a token that is not good.
  private func grant(_ token: String, _ state: inout State) -> String? {
    guard state.good.contains(token) else { return nil }
    state.grants += 1
    let access = Canary.access(state.grants)
    guard state.rotates else { return #"{"token":"\#(access)","expires_in":\#(lifetime)}"# }
    let next = Canary.refresh(state.grants)
    state.good = [next]
    return #"{"token":"\#(access)","expires_in":\#(lifetime),"refresh_token":"\#(next)"}"#
  }

  private func response(_ body: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json", "Date": HTTPDate.text(serverNow)],
      body: Array(body.utf8))
  }
}

extension Session {
  /// A session whose tokens nobody should ever see.
  static func canary(_ number: Int, expiresAt: Int64 = 2_000_000_000, user: String = "u") throws -> Session {
    Session(
      accessToken: try AccessToken(Canary.access(number)),
      refreshToken: try #require(RefreshToken(Canary.refresh(number))),
      expiresAt: expiresAt, user: User(id: user, email: "e@x.example", username: "eve"))
  }
}

/// A manager with a session in a store, on a backend.
struct SignedIn {
  let backend: AuthBackend
  let store: MemorySessionStore
  let sessions: SessionManager

  init(
    _ backend: AuthBackend = AuthBackend(), expiresIn: Int64? = nil, jitter: Double = 0, inBackground: Bool = true
  ) throws {
    self.backend = backend
    let auth = try backend.service()
    let origin = "http://localhost:8080"
    store = MemorySessionStore(StoredSession(session: try backend.session(expiresIn: expiresIn), origin: origin))
    sessions = SessionManager(
      store: store, auth: auth, policy: RefreshPolicy(refreshesInBackground: inBackground, random: { jitter }),
      clock: backend.clock)
  }
}

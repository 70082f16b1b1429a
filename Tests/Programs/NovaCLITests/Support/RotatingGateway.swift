import NovaAuth
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// A gateway on a loopback port whose refresh tokens are good for one refresh, and which stops where it is told to.
final class RotatingGateway: Sendable {
  /// Where the next refresh, or another call, ends.
  enum Stop: Sendable, Equatable {
    case never
    /// The request is there, and nothing was done.
    case requested
    /// The refresh token is used up, and nothing was answered.
    case rotated
    /// Half of the answer is sent.
    case halfAnswered
    /// The refresh token is used up, and the connection is closed.
    case closed
    /// The refresh is answered, and the call that needed it waits.
    case saved
  }

  private struct State {
    var stop = Stop.never
    /// Whether a request waits at the stop.
    var isStopped = false
    var generation = 0
    var answers: [String: [UInt8]] = [:]
    var refreshes = 0
    var refusals = 0
  }

  private let server: RawServer
  private let state: Locked<State>

  /// - Parameter honoursKeys: whether a refresh under a known `Idempotency-Key` gets its first answer again.
  init(honoursKeys: Bool) throws {
    let state = Locked(State())
    self.state = state
    server = try RawServer { connection in
      while let request = try connection.readRequest() {
        guard try Self.answer(request, on: connection, state: state, honoursKeys: honoursKeys) else { return }
      }
    }
  }

  deinit { server.stop() }

  var url: String { server.url("") }
  var requestCount: Int { server.requests.count }
  /// How many refreshes it was asked for, and how many of them it refused.
  var refreshes: Int { state.withLock { $0.refreshes } }
  var refusals: Int { state.withLock { $0.refusals } }
  var stop: Stop {
    get { state.withLock { $0.stop } }
    set { state.withLock { ($0.stop, $0.isStopped) = (newValue, false) } }
  }

  /// Returns once a request has come to the stop.
  func waitUntilStopped() async throws {
    while !state.withLock({ $0.isStopped }) { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// Puts a session there whose access token has expired.
  func signIn(_ path: String) async throws {
    let session = Session(
      accessToken: try AccessToken(Self.token("access", 0)),
      refreshToken: try #require(RefreshToken(Self.token("refresh", 0))), expiresAt: 1, user: User(id: "ada"))
    try await FileSessionStore(path: path).save(StoredSession(session: session, origin: url))
  }

  /// Long, so that a session is larger than what a program writes otherwise.
  private static func token(_ kind: String, _ number: Int) -> String {
    "\(kind)-\(number)-" + String(repeating: "x", count: 3000)
  }

  /// False when the connection is to be closed.
  private static func answer(
    _ request: RawRequest, on connection: RawConnection, state: Locked<State>, honoursKeys: Bool
  ) throws -> Bool {
    if request.requestLine.contains("/auth/login") {
      let (access, refresh) = (Self.token("access", 0), Self.token("refresh", 0))
      let body = #"{"user_id":"ada","token":"\#(access)","refresh_token":"\#(refresh)","expires_in":3600}"#
      try respond(connection, Array(body.utf8))
      return true
    }
    guard request.requestLine.contains("/auth/refresh") else {
      let token = request.header("Authorization")
      let isGood = state.withLock { token == "Bearer \(Self.token("access", $0.generation))" }
      if try halt(at: .saved, connection, state) { return false }
      try respond(connection, isGood ? Array(#"{"user_ids":["bob"],"total_count":1}"#.utf8) : nil)
      return true
    }
    if try halt(at: .requested, connection, state) { return false }
    let body = state.withLock { refresh(request, in: &$0, honoursKeys: honoursKeys) }
    if state.withLock({ $0.stop == .closed }) { return false }
    if try halt(at: .rotated, connection, state) { return false }
    if state.withLock({ $0.stop == .halfAnswered }), let body {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
      try connection.write(Array(head.utf8) + body.prefix(body.count / 2))
      if try halt(at: .halfAnswered, connection, state) { return false }
    }
    try respond(connection, body)
    return true
  }

  private static func refresh(_ request: RawRequest, in state: inout State, honoursKeys: Bool) -> [UInt8]? {
    state.refreshes += 1
    let key = request.header("Idempotency-Key") ?? ""
    if honoursKeys, let known = state.answers[key] { return known }
    let token = (try? JSONValue(jsonUTF8: request.body))?["refresh_token"]?.stringValue
    guard token == Self.token("refresh", state.generation) else {
      state.refusals += 1
      return nil
    }
    state.generation += 1
    let (access, next) = (Self.token("access", state.generation), Self.token("refresh", state.generation))
    let body = Array(#"{"token":"\#(access)","refresh_token":"\#(next)","expires_in":3600}"#.utf8)
    state.answers[key] = body
    return body
  }

  private static func respond(_ connection: RawConnection, _ body: [UInt8]?) throws {
    let headers = ["Content-Type: application/json"]
    guard let body else {
      return try connection.respond(
        "401 Unauthorized", headers: headers, body: Array(#"{"code":16,"message":"revoked"}"#.utf8))
    }
    try connection.respond(headers: headers, body: body)
  }

  /// Waits if this is where to stop, until it is no longer or the client has gone; whether the client has gone.
  private static func halt(at stop: Stop, _ connection: RawConnection, _ state: Locked<State>) throws -> Bool {
    while state.withLock({ state in
      if state.stop == stop { state.isStopped = true }
      return state.stop == stop
    }) {
      if connection.isClosed(within: .milliseconds(5)) { return true }
    }
    return false
  }
}

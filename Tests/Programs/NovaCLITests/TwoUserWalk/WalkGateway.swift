import NovaCore
import NovaTestSupport
import NovaTesting

/// The gateway of a walk, on a loopback port, and the server that its media redirects lead to, on another one.
///
/// It marks each answer with the user of the token that asked, requires that a request names nobody else, and has the
/// faults that the walk has chosen for a step.
final class WalkGateway: Sendable {
  struct State: Sendable {
    var accounts = WalkAccounts()
    var uploads = WalkUploads()
    /// The last token of each user that came from no sign-in.
    var tokens: [WalkUser: String] = [:]
    var eventCounts: [WalkUser: Int] = [:]
    /// Answers to writes, by user, path and `Idempotency-Key`.
    var answers: [[String]: WalkAnswer] = [:]
    var plan = WalkFaultPlan()
    /// Whether every request gets 503.
    var isDown = false
    /// The requests of the step, and how they were answered.
    var log: [String] = []
    /// What was wrong with requests.
    var problems: [String] = []
  }

  private let state: Locked<State>
  private let server: RawServer
  private let files: RawServer

  init() throws {
    let state = Locked(State())
    self.state = state
    files = try RawServer { connection in
      while let request = try connection.readRequest() {
        guard try Self.serveFile(WalkRequest(request), on: connection, state) else { return }
      }
    }
    let place = files.url("")
    server = try RawServer { connection in
      while let request = try connection.readRequest() {
        guard try Self.serve(WalkRequest(request), on: connection, state, files: place) else { return }
      }
    }
  }

  deinit { stop() }

  func stop() {
    // A held request is released, so that its thread ends.
    release()
    server.stop()
    files.stop()
  }

  var url: String { server.url("") }
  /// The name of its session files.
  var place: String { "http-127.0.0.1-\(server.port)" }
  var log: [String] { state.withLock { $0.log } }
  var problems: [String] { state.withLock { $0.problems } }
  var completedUploadCount: Int { state.withLock { $0.uploads.completedCount } }
  var hasHeld: Bool { state.withLock { $0.plan.hasHeld } }

  /// Begins a step.
  func begin(_ faults: [Int: WalkFault] = [:], isDown: Bool = false) {
    state.withLock { state in
      (state.plan, state.isDown, state.log) = (WalkFaultPlan(faults), isDown, [])
    }
  }

  /// Releases a held request.
  func release() { state.withLock { $0.plan.release() } }

  /// A token of a user that is good: an earlier one, if it still is.
  func goodToken(of user: WalkUser) -> String {
    state.withLock { state in
      if let token = state.tokens[user], state.accounts.isGood(token) { return token }
      let token = state.accounts.issue(user).access
      state.tokens[user] = token
      return token
    }
  }

  /// Whose a token is.
  func user(of token: String) -> WalkUser? { state.withLock { $0.accounts.user(of: token) } }

  /// Tokens of a user, as those of a sign-in.
  func issue(_ user: WalkUser) -> (access: String, refresh: String) { state.withLock { $0.accounts.issue(user) } }

  // MARK: Requests

  /// False when the connection is to be closed.
  private static func serve(
    _ request: WalkRequest, on connection: RawConnection, _ state: Locked<State>, files: String
  ) throws -> Bool {
    let fault = note(request, in: state)
    guard let fault = wait(fault, connection, in: state) else { return false }
    if state.withLock({ $0.isDown }) {
      try connection.respond("503 Service Unavailable", headers: ["Retry-After: 0"])
      return true
    }
    switch fault {
    case .unavailable(let seconds)?:
      try connection.respond("503 Service Unavailable", headers: ["Retry-After: \(seconds)"])
      return true
    case .expired?: state.withLock { $0.accounts.expire(request.token) }
    default: break
    }
    let answer = state.withLock { state in
      let answer = state.answer(request, files: files)
      state.log.append(
        "\(state.accounts.user(of: request.token)?.rawValue ?? "nobody"): \(request.raw.requestLine) -> "
          + "\(answer.status)\(fault.map { " (\($0))" } ?? "")")
      return answer
    }
    if fault == .lost {
      if WalkMedia(rawValue: request.path) != nil { try answer.writeHalf(to: connection) }
      return false
    }
    try answer.write(to: connection)
    return !answer.isStream
  }

  /// Checks a request, and returns its fault.
  private static func note(_ request: WalkRequest, in state: Locked<State>) -> WalkFault? {
    state.withLock { state in
      let problem = WalkRequestCheck.problem(
        request, by: state.accounts.user(of: request.token),
        uploadOwner: state.uploads.owner(of: request.uploadID), accounts: state.accounts)
      if let problem { state.problems.append("\(request.raw.requestLine): \(problem)") }
      return request.path.hasPrefix("/api/v1/auth/") ? nil : state.plan.next()
    }
  }

  /// Waits while a request is held.
  ///
  /// - Returns: the fault that it has then; nil if its client has gone.
  private static func wait(
    _ fault: WalkFault?, _ connection: RawConnection, in state: Locked<State>
  ) -> WalkFault?? {
    guard case .held(let then)? = fault else { return .some(fault) }
    while state.withLock({ $0.plan.isHolding }) {
      if connection.isClosed(within: .milliseconds(3)) { return nil }
    }
    return .some(then)
  }

  /// Serves a file to anyone who knows its URL, and may be stored by all.
  private static func serveFile(
    _ request: WalkRequest, on connection: RawConnection, _ state: Locked<State>
  ) throws -> Bool {
    let fault = state.withLock { state in
      if request.token != nil { state.problems.append("\(request.raw.requestLine): a token for another origin") }
      state.log.append("files: \(request.raw.requestLine) \(request.raw.header("Range") ?? "")")
      return state.plan.next()
    }
    guard let fault = wait(fault, connection, in: state) else { return false }
    if case .unavailable(let seconds)? = fault {
      try connection.respond("503 Service Unavailable", headers: ["Retry-After: \(seconds)"])
      return true
    }
    let words = request.path.split(separator: "/").map(String.init)
    guard words.count == 2, let user = WalkUser(rawValue: words[0]),
      let bytes = WalkMedia(rawValue: "/media/\(words[1])")?.bytes(for: user)
    else {
      try connection.respond("404 Not Found")
      return true
    }
    let answer = WalkAnswer.file(
      // Files of different users can have equal ETags.
      bytes, of: request, headers: ["Cache-Control: public, max-age=600", #"ETag: "v1""#])
    guard fault == .lost else {
      try answer.write(to: connection)
      return true
    }
    try answer.writeHalf(to: connection)
    return false
  }
}

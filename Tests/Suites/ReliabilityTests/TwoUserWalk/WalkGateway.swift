import NovaCore
import NovaTestSupport
import NovaTesting

/// A gateway whose every answer, file, and event says whose token asked for it, and that notes what was asked in whose name.
///
/// Tokens are `kind.user.number`; requests without one are nobody's.
final class WalkGateway: HTTPTransport {
  static let users = ["ada", "bob", "eve"], nobody = "nobody", everyone = "all"
  static let gatewayURL: HTTPURL = "https://gateway.example"
  static let origin = gatewayURL.text, storage = "https://cdn.example"

  struct State {
    var isUp = true
    var random: SeededGenerator
    var number = 0
    /// The tokens of sessions that were ended or replaced.
    var revoked: Set<String> = []
    var refreshTokens: [String: String] = [:]
    /// The answers to sign-ins and refreshes by their key.
    var answers: [String: HTTPResponse] = [:]
    /// Whose tokens came with the requests of each operation, by its request ID.
    var askers: [String: Set<String>] = [:]
    /// Whose tokens brought each write, by what it was about.
    var writers: [String: Set<String>] = [:]
    /// The users whom the body of a write names, by what it was about.
    var named: [String: String] = [:]
    var uploads: [String: Upload] = [:]
    var events = WalkEvents()
    /// What must not have happened.
    var faults: [String] = []
  }

  struct Upload {
    let owner: String
    let userId: String
    let size: Int
    var bytes: [UInt8] = []
    var isComplete = false
  }

  let state: Locked<State>
  let hold: WalkHold

  init(seed: UInt64) {
    state = Locked(State(random: SeededGenerator(seed: seed)))
    hold = WalkHold(seed: seed)
  }

  func set(isUp: Bool) { state.withLock { $0.isUp = isUp } }

  func shutdown() async {}

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard state.withLock({ $0.isUp }) else {
      throw TransportError(.connectionRefused, "nothing listens", requestMayHaveLeft: false)
    }
    note(request)
    var request = request
    request.body = try await request.body.collected(upTo: 1 << 20)
    let outcome = await hold.pass()
    try Task.checkCancellation()
    switch outcome {
    case .served: return try respond(to: request)
    case .lostBefore: throw TransportError(.connectionLost, "lost", requestMayHaveLeft: true)
    case .lostAfter:
      _ = try respond(to: request)
      throw TransportError(.connectionLost, "lost", requestMayHaveLeft: true)
    case .unavailable: return HTTPResponse(status: 503, headers: ["Retry-After": "0"])
    case .rateLimited: return HTTPResponse(status: 429, headers: ["Retry-After": "0"])
    }
  }

  /// Records whose token a request has, before the request can fail.
  private func note(_ request: HTTPRequest) {
    let owner = Self.owner(of: request)
    state.withLock { state in
      if request.url.text.hasPrefix(Self.origin) {
        // Sign-ins and refreshes need no token.
        guard !request.url.path.contains("/auth/"), let id = request.headers["X-Request-ID"] else { return }
        state.askers[id, default: []].insert(owner)
      } else if owner != Self.nobody {
        state.faults.append("\(request.url.text) got the token of \(owner)")
      }
    }
  }

  /// Whose token a request carries.
  static func owner(of request: HTTPRequest) -> String {
    token(of: request).map { String($0.split(separator: ".")[1]) } ?? nobody
  }

  static func token(of request: HTTPRequest) -> String? {
    request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
  }

  private func respond(to request: HTTPRequest) throws -> HTTPResponse {
    let path = request.url.path
    if let token = Self.token(of: request), state.withLock({ $0.revoked.contains(token) }) { return .status(401) }
    if path.hasPrefix("/files/") { return file(request) }
    if path.hasPrefix("/put/") || path.contains("/media/upload") { return try upload(request) }
    if path.contains("/auth/") { return try authenticate(request) }
    if path.contains("/events/") { return try events(request) }
    return try record(request)
  }
}

extension HTTPResponse {
  static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
  }

  static func status(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
  }
}

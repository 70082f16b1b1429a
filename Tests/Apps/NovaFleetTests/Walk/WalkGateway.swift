import NovaAuth
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting

#if os(Linux)
  /// The gateway of a walk, on a loopback port: the mock backend, behind tokens that expire after seconds and rotate. It
  /// records what reaches it, and can hold a request whose process is then killed.
  final class WalkGateway: Sendable {
    enum Trap: Sendable { case refresh, delivery, write, read }

    struct State: Sendable {
      var tokens = WalkTokens()
      var traffic = WalkTraffic()
      /// The mock's tokens, by user.
      var mockTokens: [String: String] = [:]
      /// What is in the images of each user.
      var marks: [String: String] = [:]
      var trap: Trap?
      /// The process whose request is held.
      var caught: String?
    }

    let backend = MockBackend(requiresTokens: true)
    private let state: Locked<State>
    private let server: RawServer
    /// Calls the mock without the tokens of the walk.
    private let direct: APIClient

    init() throws {
      direct = try .test(MockTransport(backend), token: nil, clock: ContinuousClock())
      let state = Locked(State())
      self.state = state
      server = try RawServer { [backend] connection in
        while let raw = try connection.readRequest() {
          let request = WalkRequest(raw)
          let response = Self.respond(to: request, backend, state)
          guard Self.isSent(response, to: request, on: connection, state) else { return }
          try connection.write(response.bytes)
        }
      }
    }

    deinit { server.stop() }

    func stop() { server.stop() }

    var port: Int { server.port }
    var traffic: WalkTraffic { state.withLock { $0.traffic } }
    var tokens: WalkTokens { state.withLock { $0.tokens } }
    var caught: String? { state.withLock { $0.caught } }

    /// Sets what is in the images of a user.
    func mark(_ user: String, _ mark: String) { state.withLock { $0.marks[user] = mark } }

    /// Holds the next request of a kind, after it has taken effect, until its process is gone or ``release()``.
    func hold(_ trap: Trap) { state.withLock { ($0.trap, $0.caught) = (trap, nil) } }
    func release() { state.withLock { ($0.trap, $0.caught) = (nil, nil) } }

    /// Calls an RPC of the mock as a user, without the tokens of the walk.
    func call<Request, Response>(
      _ rpc: RPC<Request, Response>, _ request: Request, as user: String? = nil
    ) async throws -> Response {
      let token = user.flatMap { user in state.withLock { $0.mockTokens[user] } }
      return try await direct.call(rpc, request, options: CallOptions(token: try token.map { try AccessToken($0) }))
    }

    /// Opens an account, and returns its user's ID.
    func register(email: String, name: String) async throws -> String {
      let answer = try await call(
        AuthRPC.register, RegisterRequest(email: email, username: name, password: "password of \(name)"))
      state.withLock { $0.mockTokens[answer.userId] = answer.token }
      return answer.userId
    }

    // MARK: Requests

    private static func respond(to request: WalkRequest, _ backend: MockBackend, _ state: Locked<State>) -> HTTPResponse
    {
      switch request.path {
      case "/api/v1/auth/login", "/api/v1/auth/register": signIn(request, backend, state: state)
      case "/api/v1/auth/refresh": refresh(request, state)
      default: authorized(request, backend, state: state)
      }
    }

    private static func signIn(_ request: WalkRequest, _ backend: MockBackend, state: Locked<State>) -> HTTPResponse {
      let response = backend.respond(to: request.http)
      guard response.isSuccess, let json = try? JSONValue(jsonUTF8: response.body.inMemory),
        let user = json["user_id"]?.stringValue, let token = json["token"]?.stringValue
      else { return response }
      let grant = state.withLock { state in
        state.mockTokens[user] = token
        return state.tokens.issue(user)
      }
      return .walk(200, .members(("user_id", .string(user))), grant: grant)
    }

    private static func refresh(_ request: WalkRequest, _ state: Locked<State>) -> HTTPResponse {
      let token = (try? JSONValue(jsonUTF8: request.http.body.inMemory))?["refresh_token"]?.stringValue ?? ""
      return state.withLock { state in
        switch state.tokens.refresh(token, key: request.key) {
        case .success(let grant): return .walk(200, .members(), grant: grant)
        case .failure(let problem):
          state.traffic.problems.append("process \(request.process): \(problem)")
          return .walk(401, .members(("code", .number(16)), ("message", .string("\(problem)"))))
        }
      }
    }

    private static func authorized(
      _ request: WalkRequest, _ backend: MockBackend, state: Locked<State>
    ) -> HTTPResponse {
      let known = state.withLock { state -> (user: String, mockToken: String?)? in
        if let time = request.time { state.traffic.times.append(time) }
        guard let (user, isValid) = state.tokens.user(of: request.token) else { return nil }
        state.traffic.requests["\(request.process) \(user)", default: 0] += 1
        guard isValid else {
          state.traffic.refusals["\(request.process) \(user)", default: 0] += 1
          return nil
        }
        return (user, state.mockTokens[user])
      }
      guard let known else { return .walk(401, .members(("code", .number(16)), ("message", .string("expired token")))) }
      if request.path.hasPrefix("/media/") { return .walkImage(state.withLock { $0.marks[known.user] ?? "" }) }
      var forwarded = request.http
      forwarded.headers["Authorization"] = known.mockToken.map { "Bearer \($0)" }
      let response = backend.respond(to: forwarded)
      state.withLock { $0.note(request, by: known.user, response) }
      return response
    }

    /// - Returns: false if the request was held, and the connection is of no use anymore.
    private static func isSent(
      _ response: HTTPResponse, to request: WalkRequest, on connection: RawConnection, _ state: Locked<State>
    ) -> Bool {
      let isHeld = state.withLock { state in
        guard let trap = state.trap, trap.matches(request), response.isSuccess else { return false }
        (state.trap, state.caught) = (nil, request.process)
        return true
      }
      guard isHeld else { return true }
      while state.withLock({ $0.caught == request.process }) {
        if connection.isClosed(within: .milliseconds(20)) { return false }
      }
      return true
    }
  }
#endif

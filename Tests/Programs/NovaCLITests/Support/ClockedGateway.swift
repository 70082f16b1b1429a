import NovaCore
import NovaMock
import NovaTesting

/// The mock backend on a loopback port with a clock of its own, which it reports in `Date`.
final class ClockedGateway: Sendable {
  private struct State {
    var ahead: Int64
    var failsRefreshes = false
    var refreshes = 0
    var refusals = 0
  }

  private let state: Locked<State>
  private let server: FaultServer

  /// - Parameter ahead: how many seconds the server's clock is ahead of the machine's.
  init(ahead: Int64) throws {
    let state = Locked(State(ahead: ahead))
    self.state = state
    let backend = MockBackend(requiresTokens: true) { Self.now(state) }
    server = try FaultServer { request in
      var response = Self.answer(request, of: backend, state)
      response.headers["Date"] = HTTPDate.text(Self.now(state))
      return response
    }
  }

  deinit { server.stop() }

  var url: String { server.url }
  /// The time of the server's clock.
  var now: Int64 { Self.now(state) }
  /// How many refreshes were requested.
  var refreshes: Int { state.withLock { $0.refreshes } }
  /// How many calls were refused with 401.
  var refusals: Int { state.withLock { $0.refusals } }
  var ahead: Int64 {
    get { state.withLock { $0.ahead } }
    set { state.withLock { $0.ahead = newValue } }
  }
  /// Whether refreshes fail with 503.
  var failsRefreshes: Bool {
    get { state.withLock { $0.failsRefreshes } }
    set { state.withLock { $0.failsRefreshes = newValue } }
  }

  private static func now(_ state: Locked<State>) -> Int64 { SystemTime.seconds + state.withLock { $0.ahead } }

  private static func answer(
    _ request: HTTPRequest, of backend: MockBackend, _ state: Locked<State>
  ) -> HTTPResponse {
    let isFailing = state.withLock { state in
      guard request.url.path.hasSuffix("/auth/refresh") else { return false }
      state.refreshes += 1
      return state.failsRefreshes
    }
    let response = isFailing ? HTTPResponse(status: 503) : backend.respond(to: request)
    if response.status == 401 { state.withLock { $0.refusals += 1 } }
    return response
  }
}

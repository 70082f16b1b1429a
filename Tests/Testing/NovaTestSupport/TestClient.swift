public import Logging
public import NovaCore
public import NovaTesting

extension APIClient {
  /// A client for tests: nothing from the environment, one attempt per call, a clock that stands still, and calls named
  /// `test-request`, `test-request-2`, … (an `Idempotency-Key` is the call's id, so no two may have the same).
  ///
  /// - Parameter token: the token of its calls, unless there are `tokens`; nil for none, as the mock backend wants it,
  ///   which knows only its own.
  public static func test(
    _ transport: any HTTPTransport,
    baseURL: String = "http://localhost:8080",
    overrides: ConfigurationOverrides = ConfigurationOverrides(),
    ownsTransport: Bool = false,
    token: String? = Canary.secret,
    tokens: (any TokenProvider)? = nil,
    middlewares: [any Middleware] = [],
    observer: (any CallObserver)? = nil,
    resilience: Resilience = .none,
    logger: Logger? = nil,
    store: (any CallStore)? = nil,
    tracker: (any Tracker)? = nil,
    clock: any CallClock = ManualClock(),
    random: @escaping @Sendable () -> Double = { 0.5 }
  ) throws -> APIClient {
    var overrides = overrides
    overrides.baseURL = overrides.baseURL ?? baseURL
    overrides.token = try overrides.token ?? token.map { try AccessToken($0) }
    let calls = Locked(0)
    var options = ClientOptions()
    options.middlewares = middlewares
    options.resilience = resilience
    options.observer = observer
    options.logger = logger
    options.store = store
    options.tracker = tracker
    options.clock = clock
    options.random = random
    options.makeRequestID = {
      let number = calls.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? "test-request" : "test-request-\(number)"
    }
    return APIClient(
      configuration: try APIConfiguration(overrides), transport: transport, ownsTransport: ownsTransport,
      tokens: tokens, options: options)
  }
}

/// The ``APIError`` that `body` throws; nil, with a recorded issue left to the caller, if it throws none.
public func apiError(_ body: () async throws -> some Any) async -> APIError? {
  do {
    _ = try await body()
    return nil
  } catch {
    Canary.capture(error)
    return error as? APIError
  }
}

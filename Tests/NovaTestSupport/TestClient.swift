public import Logging
public import NovaCore
public import NovaTesting

extension APIClient {
  /// A client for tests: nothing from the environment, a fixed request id, one attempt per call, and a clock
  /// that stands still.
  public static func test(
    _ transport: any HTTPTransport,
    baseURL: String = "http://localhost:8080",
    overrides: ConfigurationOverrides = ConfigurationOverrides(),
    tokens: (any TokenProvider)? = nil,
    middlewares: [any Middleware] = [],
    observer: (any CallObserver)? = nil,
    resilience: Resilience = .none,
    logger: Logger? = nil,
    clock: any CallClock = ManualClock(),
    random: @escaping @Sendable () -> Double = { 0.5 }
  ) throws -> APIClient {
    var overrides = overrides
    overrides.baseURL = overrides.baseURL ?? baseURL
    return APIClient(
      configuration: try APIConfiguration(overrides), transport: transport, tokens: tokens, middlewares: middlewares,
      resilience: resilience, observer: observer, logger: logger, clock: clock, makeRequestID: { "test-request" },
      random: random)
  }
}

/// The ``APIError`` that `body` throws; nil, with a recorded issue left to the caller, if it throws none.
public func apiError(_ body: () async throws -> some Any) async -> APIError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? APIError
  }
}

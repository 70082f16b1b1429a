package import CoreMetrics

/// Measures each HTTP request under OpenTelemetry's name, `http.client.request.duration`, through swift-metrics.
///
/// ```swift
/// let nova = NovaClient(configuration: configuration) { $0.middlewares = [HTTPClientMetrics()] }
/// ```
///
/// It is a histogram in seconds, with the attributes of OpenTelemetry's stable semantic conventions for HTTP clients:
/// `http.request.method`, `server.address`, `server.port`, `http.response.status_code`, and `error.type`. Every attempt of
/// a call is a request. The time ends with the response's body, or with its head if the body is streamed. Put it last among
/// your middlewares, so that their time does not count.
///
/// Nothing is recorded while the program has set up no metrics, nor of mock backends.
public struct HTTPClientMetrics: Middleware {
  private let histograms: Histograms
  private let factory: (any MetricsFactory)?
  private let clock: any CallClock

  /// Creates the middleware.
  ///
  /// - Parameters:
  ///   - omitsAbsentAttributes: whether series lack the attributes that they have no value for: the status without a
  ///     response, and `error.type` after success. OpenTelemetry's exporters want that. Default `false`: they are there and
  ///     empty, because Prometheus requires the same attributes of all series, and swift-prometheus stops the program
  ///     otherwise.
  ///   - clock: measures. Default: the system's.
  public init(omitsAbsentAttributes: Bool = false, clock: any CallClock = ContinuousClock()) {
    self.init(omitsAbsentAttributes: omitsAbsentAttributes, clock: clock, factory: nil)
  }

  /// - Parameter factory: nil for the one the program has set up.
  package init(omitsAbsentAttributes: Bool, clock: any CallClock, factory: (any MetricsFactory)?) {
    histograms = Histograms(omitsAbsentAttributes: omitsAbsentAttributes)
    self.factory = factory
    self.clock = clock
  }

  public func intercept(
    _ request: HTTPRequest, _ context: CallContext, next: Next
  ) async throws -> HTTPResponse {
    guard !context.isMock, let factory = factory ?? MetricsSystem.factoryOfProgram else {
      return try await next(request)
    }
    let (result, duration) = await clock.timed { try await next(request) }
    histograms.histogram(of: Series(request, result), factory).record(duration / .seconds(1))
    return try result.get()
  }
}

/// What distinguishes one histogram from another.
private struct Series: Hashable {
  let method: String
  let origin: HTTPOrigin
  let status: String
  let errorType: String

  init(_ request: HTTPRequest, _ result: Result<HTTPResponse, any Error>) {
    method = request.method.rawValue
    origin = request.url.origin
    switch result {
    case .success(let response):
      // Only the status codes that HTTP defines, so that a server cannot create any number of series.
      status = (100...599).contains(response.status) ? String(response.status) : "_OTHER"
      errorType = response.status >= 400 ? status : ""
    case .failure(let error):
      status = ""
      errorType = error.errorType
    }
  }
}

private final class Histograms: Sendable {
  /// A program that gets media from ever new hosts must not fill its metrics with them.
  private static let hostLimit = 100

  private struct State {
    var made: [Series: Recorder] = [:]
    var origins: Set<HTTPOrigin> = []
  }

  private let state = Locked(State())
  private let omitsAbsentAttributes: Bool

  init(omitsAbsentAttributes: Bool) { self.omitsAbsentAttributes = omitsAbsentAttributes }

  func histogram(of series: Series, _ factory: any MetricsFactory) -> Recorder {
    state.withLock { state in
      if let made = state.made[series] { return made }
      let isNamed = state.origins.contains(series.origin) || state.origins.count < Self.hostLimit
      let histogram = make(series, isNamed: isNamed, factory)
      // The others are created each time: a map of them would grow without a limit, too.
      guard isNamed else { return histogram }
      state.origins.insert(series.origin)
      state.made[series] = histogram
      return histogram
    }
  }

  private func make(_ series: Series, isNamed: Bool, _ factory: any MetricsFactory) -> Recorder {
    let attributes = [
      ("http.request.method", series.method),
      ("server.address", isNamed ? series.origin.host : "_OTHER"),
      ("server.port", isNamed ? String(series.origin.port) : ""),
      ("http.response.status_code", series.status),
      ("error.type", series.errorType),
    ]
    return Recorder(
      label: "http.client.request.duration",
      dimensions: omitsAbsentAttributes ? attributes.filter { !$0.1.isEmpty } : attributes, aggregate: true,
      factory: factory)
  }
}

import NovaCore

/// Sends requests one at a time, within the bounds of a check.
struct RequestPacer {
  private let transport: any HTTPTransport
  private let clock: any CallClock
  private let options: ContractCheck.Options
  private let deadline: ContinuousClock.Instant
  private var nextStart: ContinuousClock.Instant
  /// The number of requests sent so far.
  private(set) var count = 0

  init(_ check: ContractCheck) {
    transport = check.transport
    clock = check.clock
    options = check.options
    nextStart = clock.now
    deadline = clock.now.advanced(by: options.maximumTime)
  }

  /// Sends a request as soon as the rate allows it.
  ///
  /// - Parameters:
  ///   - untilEvent: whether to read a stream up to its first event.
  ///   - reading: turns a streamed response into server-sent events.
  ///   - size: the maximum size of a streamed response that is read to its end. Default: nil, for its beginning only.
  /// - Throws: ``CheckStopped`` when a bound is reached; `CancellationError`.
  mutating func send(
    _ request: HTTPRequest, untilEvent: Bool = false,
    reading: @escaping @Sendable (HTTPResponse) -> HTTPResponse = { $0 }, collecting size: Int? = nil
  ) async throws -> (result: Result<HTTPResponse, any Error>, Duration) {
    try Task.checkCancellation()
    guard count < options.maximumRequests else {
      throw CheckStopped(reason: .maximumRequests(options.maximumRequests))
    }
    try await pause(for: clock.now.duration(to: nextStart))
    let timeUp = CheckStopped(reason: .maximumTime(options.maximumTime))
    guard clock.now < deadline else { throw timeUp }
    if let rate = options.requestsPerSecond {
      nextStart = clock.now.advanced(by: .seconds(1) / max(rate, 0.001))
    }
    let limited = limited(request)
    let timed = await clock.timed { [transport, options] in
      let response = try await transport.send(limited)
      guard limited.streamsResponse else { return response }
      if let size {
        var whole = response
        whole.body = .bytes(try await response.body.collect(upTo: size))
        return whole
      }
      return try await reading(response).openingOfStream(
        untilEvent: untilEvent, within: untilEvent ? options.quietStream * 3 : options.quietStream)
    }
    if case .failure(let error) = timed.0 {
      if error is CancellationError { throw error }
      // The check's own limit ended it, which proves nothing about the gateway.
      if clock.now >= deadline { throw timeUp }
    }
    count += 1
    return timed
  }

  /// A request that ends with the check.
  private func limited(_ request: HTTPRequest) -> HTTPRequest {
    let rest = clock.now.duration(to: deadline)
    var request = request
    request.limits.connectTimeout = min(request.limits.connectTimeout, rest)
    request.limits.idleTimeout = min(request.limits.idleTimeout, rest)
    request.limits.totalTimeout = min(request.limits.totalTimeout, rest)
    return request
  }

  /// The waits between requests to an overloaded gateway.
  private static let overload = Pacing(
    Backoff(base: .seconds(1), maximum: .seconds(4)), floor: .milliseconds(200), ceiling: .seconds(60))

  /// Waits as long as an overloaded gateway asks for, up to a minute: one second unless it sends `Retry-After`.
  ///
  /// - Parameter attempt: the number of the attempt, counted from 1.
  func backOff(after response: HTTPResponse, attempt: Int) async throws {
    let requested = RetryAfter.wait(response.headers, unixTime: clock.unixTime) ?? .seconds(1)
    try await pause(for: Self.overload.wait(after: attempt, requested: requested, random: 0))
  }

  /// Waits, at most until the end of the check.
  func pause(for duration: Duration) async throws {
    guard duration > .zero else { return }
    try await clock.sleep(until: min(clock.now.advanced(by: duration), deadline), tolerance: nil)
  }
}

/// The check cannot continue.
struct CheckStopped: Error {
  let reason: ContractReport.Stop
}

extension TransportError {
  /// Whether another request would fail in the same way.
  var isNoConnection: Bool {
    switch kind {
    case .connectionRefused, .nameResolution, .connectionFailed, .connectTimeout, .tls, .offline, .unavailable,
      .invalidURL, .shutDown:
      true
    default: false
    }
  }
}

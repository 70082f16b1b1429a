import NovaCore

/// What a load has measured. Its memory does not grow with the number of requests.
struct LoadMeasurement: Sendable {
  /// One request that was due.
  struct Request: Sendable {
    /// The part of the measured time in which it was due; see ``LoadSchedule/slice(of:)``.
    let slice: Int
    let outcome: LoadOutcome
    /// From the time when it was due until it ended, or until the load was stopped.
    let latency: Duration
    /// From the time when it was sent until it ended.
    let service: Duration
    /// How late the generator was, for which the gateway is not responsible.
    let lag: Duration
    /// How long it waited because as many requests as allowed were in flight.
    let wait: Duration
  }

  /// From the time when a request was due until it ended: all requests, whatever became of them.
  private(set) var latencies = LatencyHistogram()
  /// The same of those that succeeded.
  private(set) var successes = LatencyHistogram()
  /// From the time when a request was sent until it ended; without those that were not sent.
  private(set) var services = LatencyHistogram()
  /// How late the generator was.
  private(set) var lags = LatencyHistogram()
  /// How long requests waited because as many as allowed were in flight.
  private(set) var waits = LatencyHistogram()
  /// ``latencies`` in parts of the time, to find out how much results vary.
  private(set) var slices = Array(repeating: LatencyHistogram(), count: LoadSchedule.slices)

  /// The number of measured requests that were sent.
  private(set) var sent = 0
  private(set) var succeeded = 0
  /// The number of requests that were sent, and had no result when the load was stopped.
  private(set) var unfinished = 0
  /// The number of requests that were due, and could not be sent because as many as allowed were in flight.
  private(set) var unsent = 0
  /// The failures, with how many requests had them, in the order of their first occurrence.
  private(set) var failures: [(failure: LoadFailure, count: Int)] = []
  /// The number of requests that failed.
  private(set) var failed = 0
  /// The number of requests before the measured ones.
  var warmUp = 0
  /// The time from the first measured request until nothing more was sent.
  var duration = Duration.zero
  /// Whether requests were not sent because the generator was too slow, and not the gateway.
  var isGeneratorTooSlow = false

  /// The number of requests that were due.
  var due: Int { sent + unsent }

  /// Counts a request that was sent.
  mutating func add(_ request: Request) {
    sent += 1
    addLatency(request.latency, in: request.slice)
    services.add(request.service)
    lags.add(request.lag)
    waits.add(request.wait)
    switch request.outcome {
    case .success:
      succeeded += 1
      successes.add(request.latency)
    case .failure(let failure): add(failure)
    case .unfinished: unfinished += 1
    }
  }

  /// Counts a request that was due and could not be sent. The time it has waited counts as its latency, which would have
  /// been longer: leaving it out would make the results of a slow gateway look better.
  mutating func addUnsent(waiting time: Duration, in slice: Int) {
    unsent += 1
    addLatency(time, in: slice)
  }

  private mutating func addLatency(_ latency: Duration, in slice: Int) {
    latencies.add(latency)
    slices[slice].add(latency)
  }

  private mutating func add(_ failure: LoadFailure) {
    failed += 1
    guard let index = failures.firstIndex(where: { $0.failure == failure }) else {
      return failures.append((failure, 1))
    }
    failures[index].count += 1
  }
}

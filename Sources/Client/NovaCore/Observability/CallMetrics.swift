package import CoreMetrics

/// Counts and times calls through swift-metrics; docs/observability.md lists the names.
///
/// Nothing is made while the program has set up no metrics, and ``CallRunner`` leaves it out of calls that begin then.
package final class CallMetrics: CallObserver {
  /// Nil for the program's own, which is looked up in each call until it is set up.
  private let factory: (any MetricsFactory)?
  private let instruments = Locked(AllInstruments())

  package init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

  /// Whether there is anything to report to.
  var isSetUp: Bool { currentFactory != nil }

  package func callBegan(_ rpc: RPCDescriptor) {
    guard let factory = currentFactory else { return }
    let inFlight = instruments.withLock { $0.all[$0.place(of: rpc.id, factory)].inFlight }
    inFlight.increment()
  }

  package func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    guard let factory = currentFactory else { return }
    let outcome = report.failure?.rawValue ?? "success"
    let (inFlight, calls, attempts) = instruments.withLock { instruments in
      let place = instruments.place(of: rpc.id, factory)
      let calls = instruments.all[place].calls(outcome: outcome, factory: factory)
      let attempts = report.attempts.map {
        instruments.all[place].attempts(outcome: $0.outcome, factory: factory)
      }
      return (instruments.all[place].inFlight, calls, attempts)
    }
    inFlight.decrement()
    calls.count.increment()
    calls.duration.recordNanoseconds(report.duration.clampedNanoseconds)
    for attempt in attempts { attempt.increment() }
  }

  private var currentFactory: (any MetricsFactory)? {
    factory ?? MetricsSystem.factoryOfProgram
  }
}

extension MetricsSystem {
  /// What the program has set up; nil if it has set up nothing.
  static var factoryOfProgram: (any MetricsFactory)? {
    let factory = factory
    // Much faster than a cast.
    return type(of: factory) == NOOPMetricsHandler.self ? nil : factory
  }
}

extension CallAttempt {
  /// The status of the response, or why there is no response. Only HTTP's statuses, so that servers cannot create labels.
  fileprivate var outcome: String {
    if let httpStatus { return (100...599).contains(httpStatus) ? String(httpStatus) : "other" }
    return failure?.rawValue ?? "none"
  }
}

private struct AllInstruments {
  var all: [Instruments] = []
  private var places: [String: Int] = [:]

  /// Where the instruments of an RPC are; they are made if there are none.
  mutating func place(of rpc: String, _ factory: any MetricsFactory) -> Int {
    if let place = places[rpc] { return place }
    all.append(Instruments(rpc: rpc, factory: factory))
    places.set(all.count - 1, for: rpc)
    return all.count - 1
  }
}

/// The instruments of an RPC that have been made so far: one of each kind for an outcome, of which there are only so many.
private struct Instruments {
  let inFlight: Meter
  private var calls: [(outcome: String, count: Counter, duration: CoreMetrics.Timer)] = []
  private var attempts: [(outcome: String, count: Counter)] = []
  private let rpc: String

  init(rpc: String, factory: any MetricsFactory) {
    self.rpc = rpc
    inFlight = Meter(label: "nova_client_calls_in_flight", dimensions: [("rpc", rpc)], factory: factory)
    // A meter has no value, not even 0, before it is given one.
    inFlight.set(0)
  }

  mutating func calls(outcome: String, factory: any MetricsFactory) -> (count: Counter, duration: CoreMetrics.Timer) {
    for made in calls where made.outcome == outcome { return (made.count, made.duration) }
    let dimensions = [("rpc", rpc), ("outcome", outcome)]
    let count = Counter(label: "nova_client_calls", dimensions: dimensions, factory: factory)
    let duration = CoreMetrics.Timer(label: "nova_client_call_duration", dimensions: dimensions, factory: factory)
    calls.append((outcome, count, duration))
    return (count, duration)
  }

  mutating func attempts(outcome: String, factory: any MetricsFactory) -> Counter {
    for made in attempts where made.outcome == outcome { return made.count }
    let dimensions = [("rpc", rpc), ("outcome", outcome)]
    let count = Counter(label: "nova_client_attempts", dimensions: dimensions, factory: factory)
    attempts.append((outcome, count))
    return count
  }
}

package import CoreMetrics

/// Counts and times calls through swift-metrics; docs/observability.md lists the names.
///
/// Nothing is made and hardly anything done while the program has set up no metrics. Set them up before the first call:
/// one that is under way then is taken out of those in flight without ever having been counted in.
package final class CallMetrics: CallObserver {
  /// Nil for the one the program has set up, asked for anew until there is one.
  private let factory: (any MetricsFactory)?
  private let instruments = Locked(Instruments())

  package init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

  package func callBegan(_ rpc: RPCDescriptor) {
    guard let factory = currentFactory else { return }
    instruments.withLock { $0.inFlight(rpc.id, factory) }.increment()
  }

  package func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    guard let factory = currentFactory else { return }
    let outcome = report.failure?.rawValue ?? "success"
    let attempts = report.attempts.map(\.outcome)
    let (inFlight, calls, tries) = instruments.withLock { instruments in
      (
        instruments.inFlight(rpc.id, factory), instruments.calls(rpc.id, outcome, factory),
        attempts.map { instruments.attempts(rpc.id, $0, factory) }
      )
    }
    inFlight.decrement()
    calls.count.increment()
    calls.duration.recordNanoseconds(report.duration.clampedNanoseconds)
    for count in tries { count.increment() }
  }

  private var currentFactory: (any MetricsFactory)? {
    let factory = factory ?? MetricsSystem.factory
    return factory is NOOPMetricsHandler ? nil : factory
  }
}

extension CallAttempt {
  /// The status of the response, or why there is none. Of statuses only those that HTTP has, lest a server makes up
  /// labels.
  fileprivate var outcome: String {
    if let httpStatus { return (100...599).contains(httpStatus) ? String(httpStatus) : "other" }
    return failure?.rawValue ?? "none"
  }
}

/// What has been made so far: one of each kind for an RPC and an outcome, of which there are only so many.
private struct Instruments {
  private struct Labels: Hashable {
    var rpc: String
    var outcome: String

    var dimensions: [(String, String)] { [("rpc", rpc), ("outcome", outcome)] }
  }

  private var inFlight: [String: Meter] = [:]
  private var calls: [Labels: (count: Counter, duration: CoreMetrics.Timer)] = [:]
  private var attempts: [Labels: Counter] = [:]

  mutating func inFlight(_ rpc: String, _ factory: any MetricsFactory) -> Meter {
    if let meter = inFlight[rpc] { return meter }
    let meter = Meter(label: "nova_client_calls_in_flight", dimensions: [("rpc", rpc)], factory: factory)
    // A meter has no value, not even 0, before it is given one.
    meter.set(0)
    inFlight[rpc] = meter
    return meter
  }

  mutating func calls(
    _ rpc: String, _ outcome: String, _ factory: any MetricsFactory
  ) -> (count: Counter, duration: CoreMetrics.Timer) {
    let labels = Labels(rpc: rpc, outcome: outcome)
    if let both = calls[labels] { return both }
    let count = Counter(label: "nova_client_calls", dimensions: labels.dimensions, factory: factory)
    let duration = CoreMetrics.Timer(
      label: "nova_client_call_duration", dimensions: labels.dimensions, factory: factory)
    calls[labels] = (count, duration)
    return (count, duration)
  }

  mutating func attempts(_ rpc: String, _ outcome: String, _ factory: any MetricsFactory) -> Counter {
    let labels = Labels(rpc: rpc, outcome: outcome)
    if let count = attempts[labels] { return count }
    let count = Counter(label: "nova_client_attempts", dimensions: labels.dimensions, factory: factory)
    attempts[labels] = count
    return count
  }
}

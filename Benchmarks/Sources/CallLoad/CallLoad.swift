import Synchronization

/// Runs a client's calls with a fixed number of workers, and prints what they cost as one line of JSON.
///
/// Every client is measured by this code, so that the clients differ in their calls only.
public enum CallLoad {
  /// Makes one call and checks its result.
  public typealias Call = @Sendable () async throws -> Void

  /// Warms up, measures `options.calls` calls, and prints the result.
  /// - Parameter makeCall: called once for each worker, so that workers can keep state of their own, such as a decoder.
  public static func measure(
    _ options: LoadOptions, client: String, makeCall: @Sendable () throws -> Call
  ) async throws {
    let workers = try (0..<options.inFlight).map { _ in try makeCall() }
    // Opens the connections, fills caches, and lets the allocator grow.
    _ = try await run(workers, calls: max(4 * options.inFlight, 512))
    let start = ProcessUsage.current
    let latencies = try await run(workers, calls: options.calls)
    let (end, memory) = (ProcessUsage.current, ProcessUsage.peakMemory)
    let sorted = latencies.joined().sorted()
    let counts = [
      ("client", "\"\(client)\""), ("in_flight", "\(options.inFlight)"), ("calls", "\(sorted.count)"),
    ]
    let values = [
      ("peak_kb", "\(memory)"), ("p50_us", "\(Double(sorted[sorted.count / 2]) / 1e3)"),
      ("p99_us", "\(Double(sorted[sorted.count * 99 / 100]) / 1e3)"),
    ]
    printLine(counts + end.fields(since: start) + values)
  }

  /// The latencies in nanoseconds, by worker.
  private static func run(_ workers: [Call], calls: Int) async throws -> [[UInt32]] {
    let started = Counter()
    return try await withThrowingTaskGroup(of: [UInt32].self) { group in
      for call in workers {
        group.addTask {
          var latencies: [UInt32] = []
          latencies.reserveCapacity(2 * calls / workers.count)
          var before = ProcessUsage.now
          while started.next() <= calls {
            try await call()
            let now = ProcessUsage.now
            latencies.append(UInt32(clamping: now - before))
            before = now
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Hands out the calls, so that all workers end at the same time however unevenly they are served.
  private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
  }
}

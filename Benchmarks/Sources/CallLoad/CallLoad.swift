#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    _ = try await run(workers, callsEach: max(4, 512 / options.inFlight))
    let (start, processor) = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    let latencies = try await run(workers, callsEach: options.calls / options.inFlight)
    let used = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor
    let elapsed = nanoseconds(CLOCK_MONOTONIC) - start
    let memory = peakMemory()
    let sorted = latencies.joined().sorted()
    let fields: [(String, String)] = [
      ("client", "\"\(client)\""), ("in_flight", "\(options.inFlight)"), ("calls", "\(sorted.count)"),
      ("seconds", "\(Double(elapsed) / 1e9)"), ("cpu_us", "\(Double(used) / 1e3)"), ("peak_kb", "\(memory)"),
      ("p50_us", "\(Double(sorted[sorted.count / 2]) / 1e3)"),
      ("p99_us", "\(Double(sorted[sorted.count * 99 / 100]) / 1e3)"),
    ]
    print("{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}")
  }

  /// The latencies in nanoseconds, by worker.
  private static func run(_ workers: [Call], callsEach count: Int) async throws -> [[UInt32]] {
    try await withThrowingTaskGroup(of: [UInt32].self) { group in
      for call in workers {
        group.addTask {
          var latencies: [UInt32] = []
          latencies.reserveCapacity(count)
          var before = nanoseconds(CLOCK_MONOTONIC)
          for _ in 0..<count {
            try await call()
            let now = nanoseconds(CLOCK_MONOTONIC)
            latencies.append(UInt32(clamping: now - before))
            before = now
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The most memory that the process has had, in KiB (`VmHWM`); 0 where the system has no /proc.
  private static func peakMemory() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
  }
}

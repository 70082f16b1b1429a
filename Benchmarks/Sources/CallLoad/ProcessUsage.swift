#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What this process has used so far.
public struct ProcessUsage: Sendable {
  /// A moment on the monotonic clock, in nanoseconds.
  public let time: Int
  /// CPU time of all threads, user and system, in nanoseconds.
  public let processor: Int

  /// The usage until now.
  public static var current: ProcessUsage {
    ProcessUsage(time: nanoseconds(of: CLOCK_MONOTONIC), processor: nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID))
  }

  /// The monotonic clock in nanoseconds.
  public static var now: Int { nanoseconds(of: CLOCK_MONOTONIC) }

  /// The most memory that the process has had, in KiB (`VmHWM`); 0 where the system has no /proc.
  public static var peakMemory: Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmHWM:") { return Int(text.filter(\.isNumber)) ?? 0 }
    }
    return 0
  }

  /// Fields of a line of JSON: the time and the CPU time since an earlier usage.
  public func fields(since earlier: ProcessUsage) -> [(String, String)] {
    [
      ("seconds", "\(Double(time - earlier.time) / 1e9)"),
      ("cpu_us", "\(Double(processor - earlier.processor) / 1e3)"),
    ]
  }

  private static func nanoseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// Prints names and values, which must be JSON, as one line.
public func printLine(_ fields: [(String, String)]) {
  print("{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}")
}

import NovaCore
import NovaLibc

/// The time since the machine was started. Changes of the machine's clock do not affect it, so it gives the age of an
/// event until the next restart, to all processes.
struct Uptime: Sendable, Equatable {
  /// Identifies the start of the machine. Empty if the system has no ID for it; such times cannot be compared.
  var boot = ""
  var milliseconds: Int64 = 0
}

extension Uptime {
  /// The uptime at an instant.
  init(_ instant: ContinuousClock.Instant) {
    self.init(boot: Self.currentBoot, milliseconds: Self.milliseconds(at: instant))
  }

  /// Reads the system's clock, because the standard library does not expose the origin of its own.
  private static func milliseconds(at instant: ContinuousClock.Instant) -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    return now + Int64((ContinuousClock.now.duration(to: instant) / .milliseconds(1)).rounded())
  }

  private static let currentBoot: String = {
    #if canImport(Darwin)
      var (bytes, count) = ([UInt8](repeating: 0, count: 64), 64)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return "" }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let bytes = (try? SystemIO.readFile("/proc/sys/kernel/random/boot_id", limit: 100)) ?? nil
      return String(decoding: (bytes ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
    #endif
  }()
}

/// Unix times in milliseconds, within the range that the contract allows, whatever a clock reports.
enum Milliseconds {
  static func clamped(_ value: Double) -> Int64 {
    value.isNaN ? 1 : Int64(min(max(value, 1), 9_007_199_254_740_991))
  }
}

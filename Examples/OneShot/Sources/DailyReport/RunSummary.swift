import Logging
import NovaSDK
import Synchronization

/// What the calls of a run took, for one line at its end.
final class RunSummary: CallObserver {
  private struct Numbers {
    var calls = 0
    var failures = 0
    var attempts = 0
    var slowest: (rpc: String, duration: Duration)?
  }

  private let numbers = Mutex(Numbers())

  func callBegan(_ rpc: RPCDescriptor) {}

  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    numbers.withLock {
      $0.calls += 1
      $0.failures += report.failure == nil ? 0 : 1
      $0.attempts += report.attempts.count
      if report.duration > $0.slowest?.duration ?? .zero { $0.slowest = (rpc.id, report.duration) }
    }
  }

  func metadata(status: Int32, duration: Duration) -> Logger.Metadata {
    let numbers = numbers.withLock { $0 }
    var metadata: Logger.Metadata = [
      "status": "\(status)", "duration_ms": "\(Int(duration / .milliseconds(1)))", "calls": "\(numbers.calls)",
      "failures": "\(numbers.failures)", "attempts": "\(numbers.attempts)",
    ]
    if let slowest = numbers.slowest { metadata["slowest"] = "\(slowest.rpc)" }
    return metadata
  }
}

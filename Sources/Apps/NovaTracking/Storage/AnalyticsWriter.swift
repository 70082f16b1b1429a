import Dispatch
import NovaCore

/// Runs work with an ``AnalyticsStorage`` in the order of the calls, one at a time, on a thread outside Swift's pool.
final class AnalyticsWriter: @unchecked Sendable {
  // Sendable because the storage is only touched on the queue.
  private let queue = DispatchQueue(label: "social.nova.tracking", qos: .utility)
  private let storage: AnalyticsStorage

  init(_ directory: TrackingDirectory, options: TrackingOptions, clock: any CallClock) {
    storage = AnalyticsStorage(directory, options: options, clock: clock)
  }

  /// Calls `body` after all earlier calls.
  func run<Value: Sendable>(_ body: @escaping @Sendable (AnalyticsStorage) -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(self.storage)) }
    }
  }

  /// Calls `body` after all earlier calls, without waiting for it.
  func enqueue(_ body: @escaping @Sendable (AnalyticsStorage) -> Void) {
    queue.async { body(self.storage) }
  }
}

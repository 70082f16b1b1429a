import Dispatch
import NovaCore

/// Uses an ``AnalyticsStorage`` on one thread at a time, in the order of the calls, and off Swift's threads.
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

  /// The same, without waiting for it.
  func enqueue(_ body: @escaping @Sendable (AnalyticsStorage) -> Void) {
    queue.async { body(self.storage) }
  }
}

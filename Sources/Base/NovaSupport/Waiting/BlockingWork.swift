import Dispatch

/// Work that blocks its thread for long, such as writing a large file to the disk.
package enum BlockingWork {
  /// Runs the work on a thread of its own, so that no thread of Swift's pool is blocked. It cannot be cancelled.
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}

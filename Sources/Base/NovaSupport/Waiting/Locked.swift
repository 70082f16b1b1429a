internal import NovaLibc

/// A value that a mutex protects.
///
/// It does not use `Synchronization.Mutex`, because the thread sanitizer does not recognize its futex and reports false
/// races. It does recognize `pthread_mutex`.
package final class Locked<Value>: @unchecked Sendable {
  // Sendable, because `value` is used only inside `withLock`, and values enter and leave through `sending`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // The mutex ensures exclusive access; Swift's own check would cost as much as the mutex.
  @exclusivity(unchecked) private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init failed with \(status)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value. Keep it short, and never wait inside.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

import NovaCore

/// The right to send the events of a directory. At most one tracker of all processes has it.
final class SenderLease: Sendable {
  /// Nil if no lock can be created; then no other process can have events there, either.
  private let lock: FileLock?

  /// Acquires the lease; nil if another tracker has it.
  init?(_ directory: TrackingDirectory) {
    do {
      guard let lock = try FileLock(acquiring: directory.lock) else { return nil }
      self.lock = lock
    } catch { lock = nil }
  }

  deinit { lock?.unlock() }
}

import NovaCore

/// The right to send the events of a directory, which one tracker of all processes has at a time.
final class SenderLease: Sendable {
  /// Nil where no lock can be created: no other process has events there either.
  private let lock: FileLock?

  /// Takes the lease; nil if another tracker has it.
  init?(_ directory: TrackingDirectory) {
    do {
      guard let lock = try FileLock(acquiring: directory.lock) else { return nil }
      self.lock = lock
    } catch { lock = nil }
  }

  deinit { lock?.unlock() }
}

internal import NovaLibc

/// A lock that only one process has at a time: `flock` on a file that is never removed. The system releases it when the
/// process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Acquires the lock if it is free; nil if another process, or another task of this one, has it.
  ///
  /// - Parameter path: the file, which is created if necessary, with mode 0600.
  package init?(acquiring path: String) throws(SystemError) {
    let descriptor = try Self.open(path)
    do throws(SystemError) {
      if try SystemIO.lock(descriptor) {
        self.descriptor = descriptor
        return
      }
    } catch {
      close(descriptor)
      throw error
    }
    close(descriptor)
    return nil
  }

  /// Waits for the lock and blocks the thread. Use it only if the lock is held briefly.
  package init(waitingFor path: String) throws(SystemError) {
    descriptor = try Self.open(path)
    while flock(descriptor, LOCK_EX) != 0 {
      let error = SystemError.last
      guard error.code == EINTR else {
        close(descriptor)
        throw error
      }
    }
  }

  /// Releases the lock. Call it once, as the last method.
  package func unlock() { SystemIO.unlockAndClose(descriptor) }

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    try SystemIO.opened(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
  }
}

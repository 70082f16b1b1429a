import NovaSQLite
import NovaSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock of one process at a time. It ends with the process.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock if it is free; nil if another process, or another task of this one, has it.
  ///
  /// - Parameter path: the file, which is created with mode 0600 if needed.
  /// - Throws: `SQLiteError` for a file that cannot be opened.
  init?(taking path: String) throws(SQLiteError) {
    let descriptor = try Self.open(path)
    do throws(SystemError) {
      if try SystemIO.lock(descriptor) {
        self.descriptor = descriptor
        return
      }
    } catch {
      close(descriptor)
      throw SQLiteError(.cannotOpen, error.reason, path: path)
    }
    close(descriptor)
    return nil
  }

  /// Waits for the lock, and blocks the thread. Only for locks that are held for a moment.
  init(waitingFor path: String) throws(SQLiteError) {
    descriptor = try Self.open(path)
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let reason = SystemError.last.reason
        close(descriptor)
        throw SQLiteError(.cannotOpen, reason, path: path)
      }
    }
  }

  /// Releases the lock. Call it once, as the last method.
  func unlock() { SystemIO.unlockAndClose(descriptor) }

  private static func open(_ path: String) throws(SQLiteError) -> Int32 {
    let descriptor = SystemIO.descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
    guard descriptor >= 0 else {
      let error = SystemError.last
      let kind: SQLiteError.Kind =
        switch error.code {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES: .readOnly
        default: .cannotOpen
        }
      throw SQLiteError(kind, error.reason, path: path)
    }
    return descriptor
  }
}

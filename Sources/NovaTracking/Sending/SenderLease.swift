import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The right to send the events of a directory, which one tracker of all processes has at a time.
final class SenderLease: Sendable {
  private let descriptor: Int32?

  /// Takes the lease; nil if another tracker has it.
  init?(_ directory: TrackingDirectory) {
    let descriptor = open(directory.lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    if descriptor >= 0, (try? SystemIO.lock(descriptor)) == false {
      // Before the property has it: `deinit` would close it once more, by then maybe another thread's file.
      close(descriptor)
      return nil
    }
    // Where nothing can be created, no other process has events, either.
    self.descriptor = descriptor < 0 ? nil : descriptor
  }

  deinit { if let descriptor { SystemIO.unlockAndClose(descriptor) } }
}

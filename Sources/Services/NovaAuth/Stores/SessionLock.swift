package import NovaCore
import NovaLibc

/// A lock between processes: `flock` on a file that is never removed. The system releases it when the process ends.
package struct SessionLock: Sendable {
  let path: String
  let timeout: Duration
  let clock: any CallClock
  let files: PrivateFiles

  /// - Parameters:
  ///   - path: the file that is locked. It and its directory are created if necessary.
  ///   - timeout: how long to wait for another process.
  package init(
    path: String, timeout: Duration, clock: any CallClock = ContinuousClock(), files: PrivateFiles = PrivateFiles()
  ) {
    self.path = path
    self.timeout = timeout
    self.clock = clock
    self.files = files
  }

  /// Runs `body` with the lock acquired. Waiting blocks no thread: the lock is polled.
  ///
  /// - Throws: ``SessionStoreError``; what `body` throws; `CancellationError`.
  package func withLock<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    let descriptor = try await acquire()
    defer { SystemIO.unlockAndClose(descriptor) }
    return try await body()
  }

  private func acquire() async throws -> Int32 {
    try PrivateFiles.requirePath(path)
    let deadline = clock.now.advanced(by: timeout)
    while true {
      try files.makeDirectory(of: path)
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { throw SessionStoreError.system(errno, at: path, verb: "lock") }
      do {
        try PrivateFiles.requirePrivate(descriptor, path)
        try await wait(for: descriptor, until: deadline)
        if SystemIO.isOpen(descriptor, at: path) { return descriptor }
      } catch {
        close(descriptor)
        throw error
      }
      // The file was removed: other processes lock a new file, so this lock is useless.
      close(descriptor)
    }
  }

  private func lock(_ descriptor: Int32) throws(SessionStoreError) -> Bool {
    do { return try SystemIO.lock(descriptor) } catch { throw .system(error.code, at: path, verb: "lock") }
  }

  private func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant) async throws {
    var pause = Duration.milliseconds(2)
    while try !lock(descriptor) {
      guard clock.now < deadline else {
        throw SessionStoreError(
          .locked, at: path, "another process has held it for \(timeout); find the process with `fuser`, and end it"
        )
      }
      try await clock.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(50))
    }
  }
}

public import NovaCore

/// Keeps a session in a file, encrypted (AES-256-GCM) and readable by its owner only, for programs that run more than
/// once. Several processes may share it: one of them refreshes, the others find the result.
///
/// ```swift
/// let store = FileSessionStore(path: "\(home)/.config/nova/session")
/// let sessions = SessionManager(store: store, auth: nova.auth)
/// ```
///
/// Beside the file stand `<path>.lock`, which is empty, and unless a key is given `<path>.key`. The directory is made
/// with mode 0700. See docs/sessions.md for what the encryption does and does not protect from.
public final class FileSessionStore: SessionStore {
  /// Where the session is.
  public let path: String

  private let key: SessionKey
  private let lock: FileLock
  private let processLock = AsyncLock()
  private let files: PrivateFiles
  private let onWait: @Sendable () -> @Sendable () -> Void

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: the file. Its directory is made if it is not there.
  ///   - key: what it is encrypted with. Default: a key in the file `<path>.key`, made with the first session.
  ///   - lockTimeout: how long to wait for another process that uses the store. Default: 90 s, longer than a refresh.
  ///   - clock: what waiting is measured by.
  public convenience init(
    path: String, key: SessionKey? = nil, lockTimeout: Duration = .seconds(90),
    clock: any CallClock = ContinuousClock()
  ) {
    self.init(path: path, key: key, lockTimeout: lockTimeout, clock: clock, files: PrivateFiles())
  }

  /// Creates a store that reports when a caller waits for it.
  ///
  /// - Parameter onWait: called when a wait begins, however short; what it returns is called when the wait is over, and
  ///   may be called again after that.
  package convenience init(
    path: String, key: SessionKey?, onWait: @escaping @Sendable () -> @Sendable () -> Void
  ) {
    self.init(
      path: path, key: key, lockTimeout: .seconds(90), clock: ContinuousClock(), files: PrivateFiles(), onWait: onWait)
  }

  init(
    path: String, key: SessionKey?, lockTimeout: Duration, clock: any CallClock, files: PrivateFiles,
    onWait: @escaping @Sendable () -> @Sendable () -> Void = { {} }
  ) {
    self.path = path
    self.onWait = onWait
    self.key = key ?? .file("\(path).key")
    self.files = files
    lock = FileLock(path: "\(path).lock", timeout: lockTimeout, clock: clock, files: files)
  }

  /// The session; nil when there is no file.
  ///
  /// - Throws: ``SessionStoreError``.
  public func load() async throws -> StoredSession? {
    guard let bytes = try files.read(path, limit: SealedSession.maximumByteCount) else { return nil }
    guard let key = try key.load(files) else {
      throw SessionStoreError(
        .missingKey, path, "the file with its key is gone. Bring \(key) back, or remove the session and sign in again.")
    }
    return try SealedSession.open(bytes, key: key, path: path)
  }

  /// Writes the session. When this fails the old file is as it was, unless only the last step failed: then the new file
  /// is there, but might not outlive a crash of the machine.
  ///
  /// - Throws: ``SessionStoreError``.
  public func save(_ session: StoredSession) async throws {
    // Before the key is made, lest one appears for a path that is none.
    try PrivateFiles.requirePath(path)
    let bytes = try SealedSession.seal(session, key: try key.loadOrCreate(files), path: path)
    try files.replace(path, with: bytes)
  }

  /// Removes the file, whatever it holds; the key stays.
  ///
  /// - Throws: ``SessionStoreError``.
  public func clear() async throws { try files.remove(path) }

  public func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let endWait = onWait()
    defer { endWait() }
    // Tasks of this process acquire it in order; between processes the order is undefined.
    return try await processLock.withLock {
      try await lock.withLock {
        endWait()
        return try await body()
      }
    }
  }
}

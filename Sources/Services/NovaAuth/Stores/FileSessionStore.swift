public import NovaCore

/// Stores a session in an encrypted file (AES-256-GCM) that only its owner can read, for programs that run more than
/// once. Several processes can share it: one of them refreshes, the others read the result.
///
/// ```swift
/// let store = FileSessionStore(path: "\(home)/.config/nova/session")
/// let sessions = SessionManager(store: store, auth: nova.auth)
/// ```
///
/// Next to the file are `<path>.lock`, which is empty, and `<path>.key`, unless you pass a key. The directory is
/// created with mode 0700. See docs/sessions.md for what the encryption protects from.
public final class FileSessionStore: SessionStore {
  /// The path of the session file.
  public let path: String

  private let key: SessionKey
  private let lock: SessionLock
  private let processLock = AsyncLock()
  private let files: PrivateFiles
  private let onWait: @Sendable () -> @Sendable () -> Void

  /// Creates a store. Reads and writes nothing yet.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Its directory is created if necessary.
  ///   - key: the encryption key. Default: a key in the file `<path>.key`, created with the first session.
  ///   - lockTimeout: how long to wait for another process that uses the store. Default: 90 s, longer than a refresh.
  ///   - clock: the clock for waits.
  public convenience init(
    path: String, key: SessionKey? = nil, lockTimeout: Duration = .seconds(90),
    clock: any CallClock = ContinuousClock()
  ) {
    self.init(path: path, key: key, lockTimeout: lockTimeout, clock: clock, files: PrivateFiles())
  }

  /// Creates a store that reports when a caller waits for it.
  ///
  /// - Parameter onWait: called when a wait begins, however short. The returned closure is called when the wait ends,
  ///   and possibly again later.
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
    lock = SessionLock(path: "\(path).lock", timeout: lockTimeout, clock: clock, files: files)
  }

  /// Returns the session; nil if the file does not exist.
  ///
  /// - Throws: ``SessionStoreError``.
  public func load() async throws -> StoredSession? {
    guard let bytes = try files.read(path, limit: SealedSession.maximumByteCount) else { return nil }
    guard let key = try key.load(files) else {
      throw SessionStoreError(
        .missingKey, at: path, "its key file is missing; restore \(key), or remove the session and sign in again")
    }
    return try SealedSession.open(bytes, key: key, path: path)
  }

  /// Writes the session. If this fails, the old file is unchanged. Exception: if only the last step fails, the new file
  /// exists, but may not survive a crash of the machine.
  ///
  /// - Throws: ``SessionStoreError``.
  public func save(_ session: StoredSession) async throws {
    // Before a key file is created.
    try PrivateFiles.requirePath(path)
    let bytes = try SealedSession.seal(session, key: try key.loadOrCreate(files), path: path)
    try files.replace(path, with: bytes)
  }

  /// Removes the file, whatever its content; the key stays.
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

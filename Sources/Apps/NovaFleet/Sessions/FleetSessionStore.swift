public import NovaAuth
internal import NovaCore

/// One user's session in a store that machines share, on Redis or PostgreSQL. ``FleetSessions`` creates it.
///
/// Exclusive access is a lease: it has a random owner, belongs to one refresh token, is extended while its holder
/// works, and is released only by its owner. A holder that was stopped for longer than its lease cannot overwrite
/// anything, because each write names the generation that it replaces.
public final class FleetSessionStore: SessionStore {
  private struct State {
    /// The newest content that this process has seen or written.
    var known: (record: SessionRecord, session: StoredSession?)?
    /// A session that the store could not save yet, and the generation that it replaces.
    var unsaved: (session: StoredSession, base: Int64)?
    /// How far the store's clock is ahead of this machine's, in seconds; nil until it was read.
    var storeAhead: Double?
  }

  let name: String
  let records: any SessionRecords
  private let keys: FleetKeys
  let options: FleetSessionOptions
  let clock: any CallClock
  private let state = Locked(State())
  let tasks = AsyncLock()
  private let saves = SingleFlight<NoKey, Void>()

  init(
    name: String, records: any SessionRecords, keys: FleetKeys, options: FleetSessionOptions, clock: any CallClock
  ) {
    (self.name, self.records, self.keys, self.options, self.clock) = (name, records, keys, options, clock)
  }

  // MARK: Reading

  /// Returns the session; nil if no user is signed in.
  ///
  /// If the store has lost what this process has seen (`FLUSHALL`, or a failover to a replica without the last writes), the
  /// newest session in memory is saved again.
  ///
  /// - Throws: ``SessionStoreError``, `unavailable` if the store fails.
  public func load() async throws -> StoredSession? {
    if let access = ownAccess, access.isOffline { return state.withLock { $0.unsaved?.session ?? $0.known?.session } }
    var record = try await read()
    if let lost = state.withLock({ $0.known }), lost.record.generation > record.generation {
      _ = try await stored {
        try await self.records.replace(self.name, with: lost.record, expected: nil, write: RandomName.make())
      }
      record = try await read()
    }
    let session = try opened(record)
    ownAccess?.note(record)
    note(record, session)
    return session
  }

  private func read() async throws -> SessionRecord {
    let start = clock.unixTime
    let record = try await stored { try await self.records.read(self.name) }
    noteTime(of: record, since: start)
    return record
  }

  /// Compares the store's clock with this machine's.
  ///
  /// - Parameter start: this machine's time before the record was asked for.
  func noteTime(of record: SessionRecord, since start: Double) {
    let end = clock.unixTime
    // A slow answer is not exact, and neither is one during which the clock was set.
    guard let time = record.time, (0...5).contains(end - start) else { return }
    state.withLock { $0.storeAhead = time - (start + end) / 2 }
  }

  func note(_ record: SessionRecord, _ session: StoredSession?) {
    state.withLock { state in
      if record.generation >= state.known?.record.generation ?? 0 { state.known = (record, session) }
    }
  }

  func opened(_ record: SessionRecord) throws -> StoredSession? {
    guard !record.sealed.isEmpty else { return nil }
    let bytes: [UInt8]
    do { bytes = try keys.open(record.sealed, at: place(record.generation)) } catch {
      throw SessionStoreError(.wrongKey, at: location, error.description)
    }
    guard let session = StoredSession(jsonUTF8: bytes) else {
      throw SessionStoreError(.unknownVersion, at: location, "its content is of another version; use a newer program")
    }
    return session.with(clockShiftedBy: state.withLock { $0.storeAhead })
  }

  // MARK: Writing

  /// Saves the session, unless another process has saved one since this one loaded its own.
  ///
  /// - Throws: ``SessionStoreError``: `changed`; `unavailable`, and then saving continues in the background.
  public func save(_ session: StoredSession) async throws {
    let base = try await baseGeneration()
    if let known = state.withLock({ $0.known }), known.record.generation == base,
      known.session?.isSame(as: session) == true
    {
      return
    }
    if let access = ownAccess, access.isOffline {
      keepUnsaved(session, base: base)
      throw SessionStoreError(.unavailable, at: location, "it is saved when the store is back")
    }
    do { try await write(session, base: base) } catch let error as SessionStoreError where error.kind == .unavailable {
      keepUnsaved(session, base: base)
      throw error
    }
  }

  private func write(_ session: StoredSession, base: Int64) async throws {
    let token = try tokenName(session)
    let generation = nextGeneration(after: base)
    let sealed = try sealed(session, generation)
    try await replace(
      SessionRecord(generation: generation, sealed: sealed, token: token), session, base: base, overRefused: token)
  }

  /// Removes the session. The store remembers that, so that no process restores it.
  ///
  /// - Throws: ``SessionStoreError``.
  public func clear() async throws { try await end(.signedOut, base: try await baseGeneration()) }

  public func clear(refused session: StoredSession) async throws -> StoredSession? {
    let base = try await baseGeneration()
    let record = try await read()
    if record.generation != base, let newer = try opened(record),
      newer.session.refreshToken != session.session.refreshToken
    {
      note(record, newer)
      return newer
    }
    try await end(.refused(try tokenName(session)), base: base)
    return nil
  }

  private func end(_ end: SessionRecord.End, base: Int64) async throws {
    state.withLock { $0.unsaved = nil }
    // A refusal must not count as newer than a session that another process has saved since.
    let generation = end == .signedOut ? nextGeneration(after: base) : base + 1
    try await replace(SessionRecord(generation: generation, end: end), nil, base: base)
  }

  /// The generation of a session that is saved or signed out now: the time in milliseconds. So it is newer than the memory of
  /// any process, also after the store has lost its data.
  private func nextGeneration(after base: Int64) -> Int64 {
    state.withLock { state in
      let time = max(0, min((clock.unixTime + (state.storeAhead ?? 0)) * 1000, 1e15))
      return max(base, state.known?.record.generation ?? 0, Int64(time)) + 1
    }
  }

  /// Writes until the store has reported whether it did, or the time is up.
  private func replace(
    _ record: SessionRecord, _ session: StoredSession?, base: Int64, overRefused token: String? = nil
  ) async throws {
    let write = RandomName.make()
    let deadline = clock.now.advanced(by: options.saveTimeout)
    var attempt = 0
    while true {
      attempt += 1
      do {
        let isWritten = try await stored {
          try await self.records.replace(self.name, with: record, expected: base, write: write)
        }
        guard isWritten else { return try await conflict(record, session, over: base, token: token) }
        ownAccess?.note(record)
        return note(record, session)
      } catch let error as SessionStoreError where error.kind == .unavailable && clock.now < deadline {
        try await clock.sleep(for: Self.pacing.wait(after: attempt, random: .random(in: 0..<1)))
      }
    }
  }

  /// Throws, unless the other write was only that the server refused the token that this process had just used.
  private func conflict(
    _ record: SessionRecord, _ session: StoredSession?, over base: Int64, token: String?
  ) async throws {
    let latest = try await read()
    if let session, let refreshed = state.withLock({ $0.known }), refreshed.record.generation == base,
      latest.end == .refused(refreshed.record.token)
    {
      return try await write(session, base: latest.generation)
    }
    throw SessionStoreError(.changed, at: location, "another process has changed the session; load it again")
  }

  private func baseGeneration() async throws -> Int64 {
    if let access = ownAccess { return access.generation }
    return try await read().generation
  }

  // MARK: Tokens that are not saved

  private static let pacing = Pacing(
    Backoff(base: .milliseconds(50), factor: 2, maximum: .seconds(1)), floor: .milliseconds(20))

  private func keepUnsaved(_ session: StoredSession, base: Int64) {
    state.withLock { $0.unsaved = (session, base) }
    saves.start { [weak self] in
      var failures = 0
      while let self, let unsaved = self.state.withLock({ $0.unsaved }) {
        do {
          try await self.write(unsaved.session, base: unsaved.base)
          self.state.withLock { if $0.unsaved?.session == unsaved.session { $0.unsaved = nil } }
        } catch let error as SessionStoreError where error.kind == .unavailable {
          failures += 1
          try await self.clock.sleep(for: Self.pacing.wait(after: failures, random: .random(in: 0..<1)))
        } catch {
          // Another process has saved a newer session, or this one cannot be sealed.
          self.state.withLock { $0.unsaved = nil }
        }
      }
    }
  }

  // MARK: Parts

  var ownAccess: SessionAccess? {
    SessionAccess.current.flatMap { $0.store == ObjectIdentifier(self) ? $0 : nil }
  }

  /// The generation of the session in memory; nil without one.
  var generationInMemory: Int64? {
    state.withLock { $0.unsaved?.base ?? $0.known?.record.generation }
  }

  /// Whether the store could not save the session yet.
  var isUnsaved: Bool { state.withLock { $0.unsaved != nil } }

  var location: String { "session in \(records.engine)" }

  private func place(_ generation: Int64) -> String { "session \(name) \(generation)" }

  private func sealed(_ session: StoredSession, _ generation: Int64) throws -> [UInt8] {
    let shared = session.with(clockShiftedBy: state.withLock { $0.storeAhead.map { -$0 } })
    do { return try keys.seal(shared.jsonUTF8(), at: place(generation)) } catch let error as FleetKeyError {
      throw SessionStoreError(.noCryptography, at: location, error.description)
    }
  }

  private func tokenName(_ session: StoredSession) throws -> String {
    do { return try keys.name(of: session.session.refreshToken.secretValue, for: "refresh token") } catch {
      throw SessionStoreError(.noCryptography, at: location, error.description)
    }
  }

  /// Runs a command, and throws its failure as an error of the store.
  func stored<Result: Sendable>(_ command: () async throws -> Result) async throws -> Result {
    do { return try await command() } catch let error as CancellationError { throw error } catch {
      throw SessionStoreError(
        .unavailable, at: location, (error as? any NovaError)?.description ?? "\(type(of: error))")
    }
  }
}

// The difference between the clocks of the gateway and of this machine is true only here. So the store has the difference
// between the gateway's clock and its own, which every machine can compare with its clock.
extension StoredSession {
  /// The same session with the gateway's clock compared with another clock, to which the clock so far is `seconds` ahead;
  /// without the gateway's clock if that is unknown.
  fileprivate func with(clockShiftedBy seconds: Double?) -> StoredSession {
    var session = self
    session.serverClock = seconds.flatMap { seconds in
      guard let known = serverClock, abs(seconds) < 1e10 else { return nil }
      return ServerClock(
        secondsAhead: known.secondsAhead &+ Int64(seconds.rounded()), readAt: known.readAt &- Int64(seconds.rounded()))
    }
    return session
  }

  /// Whether there is nothing to save: the sessions are the same, and the clocks about the same, or unknown.
  fileprivate func isSame(as other: StoredSession) -> Bool {
    guard session == other.session, origin == other.origin else { return false }
    guard let new = other.serverClock?.secondsAhead else { return true }
    return serverClock.map { abs(Double($0.secondsAhead) - Double(new)) <= 10 } ?? false
  }
}

import NovaCore

/// The parts of an ``OfflineStore`` while any of its clients lives.
final class OfflineEngine: Sendable {
  let cache: OfflineCache
  let outbox: OutboxEngine
  let reads: ReadPath
  let writes: WritePath
  let gatewayClocks: GatewayClocks
  let options: OfflineOptions
  let clock: any CallClock

  private let loading = SingleFlight<Void>()
  private let state = Locked(State())
  private let watching = Locked<Task<Void, Never>?>(nil)

  private struct State {
    var isOver = false
    /// Whether the waiting writes were read from the file.
    var isLoaded = false
    var parts: [ObjectIdentifier: OfflinePart] = [:]
  }

  init(directory: String, options: OfflineOptions, clock: any CallClock) {
    self.options = options
    self.clock = clock
    cache = OfflineCache(path: "\(directory)/cache.db", maximumBytes: options.maximumBytes, clock: clock)
    outbox = OutboxEngine(OutboxEnvironment(directory: directory, clock: clock))
    reads = ReadPath(cache: cache, outbox: outbox, policy: options.policy, clock: clock)
    writes = WritePath(cache: cache, outbox: outbox, reads: reads, clock: clock)
    gatewayClocks = GatewayClocks(clock)
    watching.withLock { $0 = watch() }
  }

  deinit { cancel() }

  // MARK: Clients

  /// Works for a client from now on.
  func begin(with client: APIClient) {
    let part = OfflinePart(client, self)
    let dropped = state.withLock { state in
      state.parts[ObjectIdentifier(client)] = part
      return Self.takeDropped(&state)
    }
    for part in dropped { part.end() }
    part.start()
  }

  /// Ends the work for a client.
  ///
  /// - Returns: whether no client is left.
  func end(for client: APIClient) -> Bool {
    let (part, isLast) = state.withLock { state in
      let part = state.parts.removeValue(forKey: ObjectIdentifier(client))
      return (part, part != nil && !state.parts.values.contains { $0.client != nil })
    }
    part?.end()
    return isLast
  }

  /// What the store has for a client; nil after the client's end.
  func part(of client: APIClient) -> OfflinePart? { state.withLock { $0.parts[ObjectIdentifier(client)] } }

  /// Removes the parts of clients that were dropped without a shutdown.
  private static func takeDropped(_ state: inout State) -> [OfflinePart] {
    let dropped = state.parts.filter { $0.value.client == nil }
    for key in dropped.keys { state.parts[key] = nil }
    return Array(dropped.values)
  }

  /// Another identity makes a client's own calls: observers show its values.
  func showAnotherCaller() {
    cache.announce()
    outbox.statuses.announce()
  }

  /// Forgets what is stored for an identity that has signed out.
  func forget(_ identity: Identity) async {
    for part in state.withLock({ Array($0.parts.values) }) { part.signOut(identity) }
    try? await cache.forget(identity: identity)
  }

  /// Reads the waiting writes the first time; later, only what other processes have written, from time to time.
  func load(_ identity: Identity) async {
    if identity.isAnonymous { return }
    if state.withLock({ $0.isLoaded }) { return await noticeOtherProcesses() }
    try? await loading.join { [outbox, writes] in
      try? await outbox.refresh()
      await writes.showWaiting(nil)
    }
    if !Task.isCancelled { state.withLock { $0.isLoaded = true } }
  }

  // MARK: The end

  /// How long the end waits for what is in progress. The files can also close later: their contents are valid at any time.
  private static let longestEnd: Duration = .seconds(2)

  /// Ends all work, and closes the files permanently.
  func end() async {
    state.withLock { $0.isOver = true }
    cancel()
    try? await Race.run(
      until: clock.now.advanced(by: Self.longestEnd), clock, timeUp: CancellationError()
    ) { [outbox, cache] in
      await outbox.end()
      await cache.end()
    }
  }

  private func cancel() {
    watching.withLock { $0 }?.cancel()
    let parts = state.withLock { state in
      defer { state.parts = [:] }
      return state.parts.values
    }
    for part in parts { part.end() }
    outbox.cancel()
    cache.changes.finish()
  }

  /// - Throws: ``APIError`` `cancelled` after the end.
  func checkIsOpen() throws { if state.withLock({ $0.isOver }) { throw APIError.shutDown } }

  // MARK: Other processes

  /// How often to look for writes of other processes while nothing is observed.
  private static let idleInterval: Duration = .seconds(5)

  /// An observer was added.
  func watchOtherProcesses() { outbox.statuses.observed.wake() }

  /// Looks for changes by other processes: the writes that they have queued are shown, and sent from here if they have ended.
  private func watch() -> Task<Void, Never> {
    Task { [weak self, clock, observed = outbox.statuses.observed] in
      var version: Int?
      while !Task.isCancelled, let interval = self?.watchInterval {
        await observed.wait(until: clock.now.advanced(by: interval), clock)
        if Task.isCancelled { return }
        await self?.lookForChanges(&version)
      }
    }
  }

  private var watchInterval: Duration {
    cache.changes.isObserved || outbox.statuses.isObserved ? options.observationInterval : Self.idleInterval
  }

  private func lookForChanges(_ version: inout Int?) async {
    for part in state.withLock({ Self.takeDropped(&$0) }) { part.end() }
    await outbox.notice()
    guard cache.changes.isObserved else { return }
    let latest = await cache.dataVersion()
    // Also the first time: the file may have changed since the observer read it.
    if version != latest { cache.announce() }
    version = latest
  }

  /// Shows what other processes have queued.
  private func noticeOtherProcesses() async {
    let version = outbox.store.version
    await outbox.notice(after: options.observationInterval)
    if outbox.store.version != version { await writes.showWaiting(nil) }
  }
}

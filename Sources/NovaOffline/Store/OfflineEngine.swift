import NovaAuth
import NovaCore

/// The parts of an ``OfflineStore`` while any of its clients lives.
final class OfflineEngine: Sendable {
  let cache: OfflineCache
  let outbox: OutboxEngine
  let options: OfflineOptions
  let clock: any CallClock

  /// The request belongs to the call that comes first, and to its trace.
  let flights = SingleFlight<ReadFlightKey, APIResponse<any ProtoMessage>>(owner: .firstTask)
  /// What was known when each entry was sent that the outbox has not confirmed yet.
  let sentWrites = Locked<[Int64: OfflineCache.Start]>([:])
  /// How many writes have ended, so that later reads do not share a request that was sent before one.
  let endedWrites = Locked(0)
  /// Entries of the outbox that are stored already, and are deleted next: no longer shown on top.
  let confirmedEntries = Locked<Set<Int64>>([])
  /// What is known of the gateways' clocks, by gateway.
  let serverClocks = Locked<[String: SessionClock]>([:])
  private let loading = SingleFlight<NoKey, Void>()
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
    outbox = OutboxEngine(
      OutboxEngine.Environment(
        directory: directory, clock: clock, rule: { OfflineRules.write($0) }, makeKey: { RequestID.random() },
        random: { Double.random(in: 0..<1) }, step: { _ in }))
    outbox.attach(self)
    watching.withLock { $0 = watch() }
  }

  deinit { cancel() }

  // MARK: Clients

  /// Works for a client from now on.
  func begin(with client: APIClient) {
    let part = OfflinePart(client, self)
    let gone = state.withLock { state in
      state.parts[ObjectIdentifier(client)] = part
      return Self.takeDropped(&state)
    }
    for part in gone { part.end() }
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

  /// What there is for a client; nil after its end.
  func part(of client: APIClient) -> OfflinePart? { state.withLock { $0.parts[ObjectIdentifier(client)] } }

  /// The parts of clients that were dropped without a shutdown.
  private static func takeDropped(_ state: inout State) -> [OfflinePart] {
    let gone = state.parts.filter { $0.value.client == nil }
    for key in gone.keys { state.parts[key] = nil }
    return Array(gone.values)
  }

  /// Another caller than before makes a client's own calls: observers show what is theirs.
  func showAnotherCaller() {
    cache.signal.send()
    outbox.ticks.update { $0 += 1 }
  }

  /// What is stored for an identity is forgotten, because it has signed out.
  func forget(_ identity: Identity) async {
    for part in state.withLock({ Array($0.parts.values) }) { part.signOut(identity) }
    try? await cache.forget(identity: identity)
  }

  /// Reads the waiting writes; later, only those of other processes, now and then.
  func load(_ identity: Identity) async {
    if identity.isAnonymous { return }
    if state.withLock({ $0.isLoaded }) { return await noticeOtherProcesses() }
    try? await loading.join { [self] in
      try? await outbox.refresh()
      await showWaiting(nil)
    }
    if !Task.isCancelled { state.withLock { $0.isLoaded = true } }
  }

  // MARK: The end

  /// How long the end waits for what is in progress. The files can be closed later: what is in them is whole at any time.
  private static let longestEnd: Duration = .seconds(2)

  /// Ends all work, and closes the files for good.
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
    cache.signal.end()
  }

  /// - Throws: ``APIError`` `cancelled` after the end.
  func checkIsOpen(_ rpc: String? = nil) throws {
    guard state.withLock({ $0.isOver }) else { return }
    throw APIError.shutDown(rpc)
  }

  // MARK: Other processes

  /// How often to look for writes of other processes while nothing is observed.
  private static let idleInterval: Duration = .seconds(5)

  /// Something is observed from now on.
  func watchOtherProcesses() { outbox.observed.wake() }

  /// Looks for changes by other processes: what they have queued is shown, and sent from here if they have ended.
  private func watch() -> Task<Void, Never> {
    Task { [weak self, clock, observed = outbox.observed] in
      var version: Int?
      while !Task.isCancelled, let interval = self?.watchInterval {
        await observed.wait(until: clock.now.advanced(by: interval), clock)
        if Task.isCancelled { return }
        await self?.lookForChanges(&version)
      }
    }
  }

  private var isObserved: Bool { cache.signal.isObserved || outbox.ticks.isObserved }
  private var watchInterval: Duration { isObserved ? options.observationInterval : Self.idleInterval }

  private func lookForChanges(_ version: inout Int?) async {
    for part in state.withLock({ Self.takeDropped(&$0) }) { part.end() }
    await outbox.notice()
    guard cache.signal.isObserved else { return }
    let latest = await cache.dataVersion()
    // The first time as well: it may have changed since the observer looked.
    if version != latest { cache.signal.send() }
    version = latest
  }

  /// Shows what other processes have queued a short while ago.
  private func noticeOtherProcesses() async {
    let version = outbox.version
    await outbox.notice(after: options.observationInterval)
    if outbox.version != version { await showWaiting(nil) }
  }
}

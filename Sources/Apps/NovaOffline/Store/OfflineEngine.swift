import NovaAuth
import NovaCore

/// The work of an ``OfflineStore`` for all its clients: owns the cache, the outbox, and the two paths of calls. Looks
/// for changes by other processes.
final class OfflineEngine: Sendable {
  let cache: OfflineCache
  let outbox: OutboxEngine
  let reads: ReadPath
  let writes: WritePath
  let gatewayClocks: GatewayClocks
  let options: OfflineOptions
  let clock: any CallClock

  /// Ends the work for clients that were dropped without a shutdown. Called from time to time.
  private let endDropped: @Sendable () -> Void
  private let loading = SingleFlight<NoKey, Void>()
  private let state = Locked(State())
  private let watching = Locked<Task<Void, Never>?>(nil)

  private struct State {
    var isOver = false
    /// Whether the waiting writes were read from the file.
    var isLoaded = false
  }

  init(
    directory: String, options: OfflineOptions, clock: any CallClock, endDropped: @escaping @Sendable () -> Void
  ) {
    self.endDropped = endDropped
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

  // MARK: Identities

  /// Another identity makes a client's own calls: observers show its values.
  func showAnotherCaller() {
    cache.announce()
    outbox.statuses.announce()
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

  /// How long the end waits for what is in progress. The files can also close later: their contents are valid at any
  /// time.
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

  /// Looks for changes by other processes: the writes that they have queued are shown, and sent from here if they have
  /// ended.
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
    endDropped()
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

/// The clocks of gateways, by the times in their responses.
final class GatewayClocks: Sendable {
  private let clock: any CallClock
  private let clocks = Locked<[String: SessionClock]>([:])

  init(_ clock: any CallClock) { self.clock = clock }

  /// A response of a gateway had this time, in Unix seconds; nil for none.
  func note(_ serverTime: Int64?, of gateway: String) {
    guard let reading = ClockReading(serverTime, at: clock.unixTime) else { return }
    clocks.withLock { $0[gateway, default: SessionClock()].note(reading, isDecisive: false) }
  }

  /// The time of a gateway's clock, in Unix seconds.
  func time(of gateway: String) -> Double {
    let time = clock.unixTime
    return clocks.withLock { $0[gateway]?.time(at: time) } ?? time
  }
}

import NovaCore

/// The parts of an ``OfflineStore`` while its client lives.
final class OfflineEngine: Sendable {
  let cache: OfflineCache
  let outbox: Outbox
  let connectivity: Connectivity
  let options: OfflineOptions
  let clock: any CallClock
  let isOfflineMode: Bool

  let flights = Locked<[ReadFlightKey: SingleFlight<APIResponse<any ProtoMessage>>]>([:])
  /// What was known when each write was sent that the outbox has not confirmed yet, by their keys.
  let sentWrites = Locked<[String: OfflineCache.Start]>([:])
  /// How many writes have ended, so that later reads do not share a request that was sent before one.
  let endedWrites = Locked(0)
  /// Entries of the outbox that are stored already, and are deleted next: no longer shown on top.
  let confirmedEntries = Locked<Set<Int64>>([])
  private let client: WeakClient
  private let gateway: String
  private let loading = SingleFlight<Void>()
  private let state = Locked(State())
  private let tasks = Locked<[Task<Void, Never>]>([])

  private struct State {
    var isOver = false
    /// The accounts whose waiting writes were read from the file.
    var loaded: Set<String> = []
    /// The account of the last call.
    var lastAccount: String?
  }

  init(client: APIClient, directory: String, options: OfflineOptions, clock: any CallClock) {
    let configuration = client.configuration
    self.client = WeakClient(client)
    self.options = options
    self.clock = clock
    isOfflineMode = configuration.isOffline
    let gateway = configuration.baseURL.origin.text + configuration.baseURL.path
    cache = OfflineCache(
      path: "\(directory)/cache.db", gateway: gateway, maximumBytes: options.maximumBytes, clock: clock)
    connectivity = Connectivity(isAlwaysOffline: isOfflineMode, clock: clock)
    outbox = Outbox(
      directory: directory, connectivity: connectivity, clock: clock, rule: { OfflineRules.write($0) })
    self.gateway = gateway
  }

  deinit { cancel() }

  /// Begins to send what waits, and to find out whether the gateway can be reached again after it could not.
  func start() {
    outbox.attach(self)
    connectivity.use { [client] in try await client.value?.reach(timeout: .seconds(10)) }
    if options.sendsInBackground { outbox.start() }
    tasks.withLock { $0.append(watch()) }
  }

  /// The client; nil when the program has dropped it.
  var currentClient: APIClient? { client.value }

  /// Names the account of the calls that are made now, without asking the gateway. The outbox of several gateways can be
  /// in one directory.
  func accountName() async throws -> String {
    guard let client = client.value else { throw APIError(.cancelled, "the client is gone") }
    return name(of: try await client.identity())
  }

  /// Names an account of this gateway.
  func name(of identity: Identity) -> String {
    let account = AccountName.text(identity)
    return account.isEmpty ? "" : "\(account) at \(gateway)"
  }

  /// Reads the waiting writes of an account; later, only those of other processes, now and then.
  func load(_ account: String) async {
    let last = state.withLock { state in
      defer { state.lastAccount = account }
      return state.lastAccount
    }
    // Observers show the new one's from now on.
    if let last, last != account { cache.signal.send() }
    if account.isEmpty { return }
    if state.withLock({ $0.loaded.contains(account) }) { return await noticeOtherProcesses() }
    try? await loading.join { [self] in
      await outbox.load()
      await showWaiting()
    }
    if !Task.isCancelled { state.withLock { _ = $0.loaded.insert(account) } }
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
    for task in tasks.withLock({ $0 }) { task.cancel() }
    connectivity.stop()
    cache.signal.end()
  }

  /// - Throws: ``APIError`` `cancelled` after the end.
  func checkIsOpen(_ rpc: String? = nil) throws {
    guard state.withLock({ $0.isOver }) else { return }
    var error = APIError.shutDown
    error.rpc = rpc
    throw error
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

  private var isObserved: Bool { cache.signal.isObserved || outbox.isObserved }
  private var watchInterval: Duration { isObserved ? options.observationInterval : Self.idleInterval }

  private func lookForChanges(_ version: inout Int?) async {
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
    if outbox.version != version { await showWaiting() }
  }
}

/// A client that is not kept alive.
final class WeakClient: Sendable {
  private struct Reference { weak var client: APIClient? }

  private let reference: Locked<Reference>

  init(_ client: APIClient) { reference = Locked(Reference(client: client)) }

  var value: APIClient? { reference.withLock { $0.client } }
}

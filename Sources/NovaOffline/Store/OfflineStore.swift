public import NovaCore

/// Lets a client work without a network: it answers reads from what it has read before, and keeps writes until they can
/// be sent.
///
/// ```swift
/// let store = OfflineStore(directory: "/var/lib/my-app")
/// let nova = NovaClient(configuration: try .load(), store: store)
/// let page = try await nova.graph.getFollowers(userId: "mock-user-id")  // from the store if the gateway is away
/// ```
///
/// Users, posts, comments, counts and relations are stored once, and shown wherever they occur: a like changes the post in
/// the feed, among the bookmarks and on its own. What is stored is kept apart by gateway and account, and forgotten for an
/// account when it signs out. Tokens, passwords, and the RPCs of AuthService are never stored.
///
/// A store belongs to one client. Any number of processes may use the same directory.
public final class OfflineStore: CallStore {
  /// Where `cache.db` and `outbox.db` are.
  public let directory: String
  private let options: OfflineOptions
  private let clock: any CallClock
  private let attached = Locked<OfflineEngine?>(nil)
  /// Whether it was given to a second client.
  private let isShared = Locked(false)

  /// Creates a store. Opens and sends nothing yet.
  ///
  /// - Parameters:
  ///   - directory: a private directory, which must exist.
  ///   - options: the settings.
  ///   - clock: the clock for ages and waits.
  public init(directory: String, options: OfflineOptions = OfflineOptions(), clock: any CallClock = ContinuousClock()) {
    self.directory = directory
    self.options = options
    self.clock = clock
  }

  /// The parts that work for the client.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` before the store is given to a client.
  var engine: OfflineEngine {
    get throws {
      if isShared.withLock({ $0 }) {
        throw APIError(.failedPrecondition, "the store was given to two clients: make one for each")
      }
      if let engine = attached.withLock({ $0 }) { return engine }
      throw APIError(.failedPrecondition, "the store has no client: pass it to NovaClient(configuration:store:)")
    }
  }

  // MARK: CallStore

  /// Begins to work for a client. Called by the client.
  public func begin(with client: APIClient) {
    // Two clients can be signed in as different users.
    guard attached.withLock({ $0 }) == nil else { return isShared.withLock { $0 = true } }
    let engine = OfflineEngine(client: client, directory: directory, options: options, clock: clock)
    attached.withLock { $0 = engine }
    engine.start()
  }

  /// Answers a call. Called by the client.
  public func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    let engine = try engine
    try engine.checkIsOpen(call.rpc.id)
    let account = engine.name(of: call.identity)
    await engine.load(account)
    var call = call
    // Programs may still use the ids that records had while they waited.
    call.request = engine.outbox.withRealIDs(call.request, account: account)
    if let rule = OfflineRules.read(call.rpc.id) {
      return try await engine.read(rule, call, account: account, by: send)
    }
    if let rule = OfflineRules.write(call.rpc.id) {
      return try await engine.write(rule, call, account: account, by: send)
    }
    return try await sent(call, engine, send, "it is never stored and never waits")
  }

  /// Sends a call that has nothing to do with the store.
  private func sent(
    _ call: StoredCall, _ engine: OfflineEngine, _ send: Send, _ reason: String
  ) async throws -> APIResponse<any ProtoMessage> {
    let isRead = call.rpc.effect == .noSideEffects
    if isRead ? call.options.cache == .cacheOnly : call.options.delivery == .enqueue {
      throw APIError(
        .failedPrecondition,
        "\(isRead ? "`cacheOnly`" : "`enqueue`") is not possible for this call: \(reason)", rpc: call.rpc.id)
    }
    return try await engine.noting { try await send(call) }
  }

  /// Forgets what was read for a user. Called by the client after a sign-out. Waiting writes stay, and are sent after the
  /// user has signed in again.
  public func forget(_ identity: Identity) async {
    guard let engine = try? engine else { return }
    try? await engine.cache.forget(account: engine.name(of: identity))
  }

  /// Ends the work for a client. Called by the client when it shuts down.
  public func end(for client: APIClient) async { await end() }

  /// Ends all work, and closes the files. Calls that follow fail with `cancelled`.
  public func end() async { await attached.withLock { $0 }?.end() }

  // MARK: For programs

  /// The writes that wait, and those that were refused.
  public var outbox: Outbox { get throws { try engine.outbox } }

  /// Whether the gateway can be reached, as far as calls have shown.
  public var connectivity: Connectivity { get throws { try engine.connectivity } }

  /// How much is stored.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  public func cacheInfo() async throws -> CacheInfo { try await usingFile { try await $0.info() } }

  /// Forgets everything that was read. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  public func clearCache() async throws { try await usingFile { try await $0.forget(account: nil) } }

  private func usingFile<Value: Sendable>(_ body: (OfflineCache) async throws -> Value) async throws -> Value {
    let engine = try engine
    try engine.checkIsOpen()
    do { return try await body(engine.cache) } catch {
      throw APIError(.failedPrecondition, "\(error)")
    }
  }
}

public import NovaCore

/// Lets clients work without a network: it answers reads from what was read before, and keeps writes until they can be
/// sent.
///
/// ```swift
/// let store = OfflineStore(directory: "/var/lib/my-app")
/// let nova = NovaClient(configuration: try .load()) { $0.store = store }
/// let page = try await nova.graph.getFollowers(userId: "mock-user-id")  // from the store if the gateway is away
/// ```
///
/// Users, posts, comments, counts and relations are stored once, and shown wherever they occur: a like changes the post in
/// the feed, among the bookmarks and on its own. All of it is kept apart by ``Identity``: by gateway, and by user, or by
/// token if the user is unknown. What was read for a user is forgotten when the user signs out. Tokens, passwords, and the
/// RPCs of AuthService are never stored.
///
/// One store serves any number of users and clients; each call is sent by the client that makes it. Any number of
/// processes may use the same directory. What the store offers to a caller, such as its ``Outbox``, is at `nova.offline`.
public final class OfflineStore: CallStore {
  /// Where `cache.db` and `outbox.db` are.
  public let directory: String
  private let options: OfflineOptions
  private let clock: any CallClock
  private let state = Locked(State())

  private struct State {
    /// Nil before the first client, and after the end of the last.
    var engine: OfflineEngine?
    var hasEnded = false
  }

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

  /// The parts that work for the clients.
  ///
  /// - Throws: ``APIError``: `failedPrecondition` before the store is given to a client, `cancelled` after the end of the
  ///   last.
  var engine: OfflineEngine {
    get throws {
      let (engine, hasEnded) = state.withLock { ($0.engine, $0.hasEnded) }
      if let engine { return engine }
      if hasEnded { throw APIError.shutDown }
      throw APIError(
        .failedPrecondition, "the store has no client: create one with NovaClient(configuration:) { $0.store = … }")
    }
  }

  /// What there is for a client.
  ///
  /// - Throws: ``APIError`` `cancelled` after the client's end.
  func part(of client: APIClient?, _ rpc: String? = nil) throws -> (engine: OfflineEngine, part: OfflinePart) {
    guard let engine = state.withLock({ $0.engine }), let client, let part = engine.part(of: client) else {
      throw APIError.shutDown(rpc)
    }
    return (engine, part)
  }

  // MARK: CallStore

  /// Begins to work for a client. Called by the client.
  public func begin(with client: APIClient) {
    let engine = state.withLock { state in
      let engine = state.engine ?? OfflineEngine(directory: directory, options: options, clock: clock)
      state.engine = engine
      return engine
    }
    engine.begin(with: client)
  }

  /// Answers a call. Called by the client.
  public func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    let (engine, part) = try part(of: call.client, call.rpc.id)
    if !call.options.haveCredentials { part.note(call.identity) }
    await engine.load(call.identity)
    var call = call
    // Programs may still use the ids that records had while they waited.
    call.request = engine.outbox.withRealIDs(call.request, identity: call.identity)
    if let rule = OfflineRules.read(call.rpc.id) {
      return try await engine.answer(OfflineRead(rule: rule, call: call, part: part, send: send))
    }
    if let rule = OfflineRules.write(call.rpc.id) {
      return try await engine.answer(OfflineWrite(rule: rule, call: call, part: part, send: send))
    }
    try requireNothing(of: call)
    return try await engine.noting(part, for: call.identity) { [call] in try await send(call) }
  }

  /// Refuses a call that has nothing to do with the store, and asks for what only the store can do.
  private func requireNothing(of call: StoredCall) throws {
    let isRead = call.rpc.effect == .noSideEffects
    guard isRead ? call.options.cache == .cacheOnly : call.options.delivery == .enqueue else { return }
    let option = isRead ? "`cacheOnly`" : "`enqueue`"
    throw APIError(
      .failedPrecondition, "\(option) is not possible for this call: it is never stored and never waits",
      rpc: call.rpc.id)
  }

  /// Forgets what was read for an identity, and for no other. Called by the client after a sign-out. Waiting writes stay,
  /// and are sent after the user has signed in again.
  public func forget(_ identity: Identity) async { await (try? engine)?.forget(identity) }

  /// Ends the work for a client. Called by the client when it shuts down. The last one's end closes the files.
  public func end(for client: APIClient) async {
    let last = state.withLock { state -> OfflineEngine? in
      guard let engine = state.engine, engine.end(for: client) else { return nil }
      (state.engine, state.hasEnded) = (nil, true)
      return engine
    }
    await last?.end()
  }

  /// Ends all work, and closes the files. Calls of the clients that the store has then fail with `cancelled`.
  public func end() async {
    let engine = state.withLock { state in
      state.hasEnded = state.hasEnded || state.engine != nil
      return state.engine.take()
    }
    await engine?.end()
  }

  // MARK: For programs

  /// How much is stored, for all identities.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  public func cacheInfo() async throws -> CacheInfo { try await usingFile { try await $0.info() } }

  /// Forgets everything that was read, for all identities. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  public func clearCache() async throws { try await usingFile { try await $0.forget(identity: nil) } }

  private func usingFile<Value: Sendable>(_ body: (OfflineCache) async throws -> Value) async throws -> Value {
    let engine = try engine
    try engine.checkIsOpen()
    do { return try await body(engine.cache) } catch {
      throw APIError(.failedPrecondition, "\(error)")
    }
  }
}

public import NovaCore
package import NovaEvents
import NovaSQLite

/// A store with which clients work without a network: it answers reads from what was read before, and keeps writes
/// until they can be sent.
///
/// ```swift
/// let store = OfflineStore(directory: "/var/lib/my-app")
/// let nova = NovaClient(configuration: try .load()) { $0.store = store }
/// let page = try await nova.graph.getFollowers(userId: "mock-user-id")  // from the store if the gateway is away
/// ```
///
/// Users, posts, comments, counts and relations are stored once, and shown wherever they occur: a like changes the post
/// in the feed, among the bookmarks and on its own. Everything is stored separately for each ``Identity``: by gateway,
/// and by user, or by token if the user is unknown. What was read for a user is forgotten when the user signs out.
/// Tokens, passwords, and the RPCs of AuthService are never stored.
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
    /// What there is for each client.
    var parts: [ObjectIdentifier: OfflinePart] = [:]
    var hasEnded = false

    /// Removes the parts of clients that were dropped without a shutdown.
    mutating func takeDropped() -> [OfflinePart] {
      let dropped = parts.filter { $0.value.client == nil }
      for key in dropped.keys { parts[key] = nil }
      return Array(dropped.values)
    }

    /// Removes everything.
    mutating func end() -> (engine: OfflineEngine?, parts: [OfflinePart]) {
      defer { (engine, parts, hasEnded) = (nil, [:], hasEnded || engine != nil) }
      return (engine, Array(parts.values))
    }
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

  deinit { for part in state.withLock({ Array($0.parts.values) }) { part.end() } }

  /// The parts that work for all clients.
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

  /// What the store has for a client.
  ///
  /// - Throws: ``APIError`` `cancelled` after the client's end.
  func part(of client: APIClient?, _ rpc: String? = nil) throws -> (engine: OfflineEngine, part: OfflinePart) {
    let found = state.withLock { state in (state.engine, client.flatMap { state.parts[ObjectIdentifier($0)] }) }
    guard let engine = found.0, let part = found.1 else { throw APIError.shutDown(rpc) }
    return (engine, part)
  }

  // MARK: CallStore

  /// Begins to work for a client. Called by the client.
  public func begin(with client: APIClient) {
    let (part, dropped) = state.withLock { state in
      let engine = state.engine ?? newEngine()
      state.engine = engine
      let part = OfflinePart(client, engine)
      state.parts[ObjectIdentifier(client)] = part
      return (part, state.takeDropped())
    }
    for part in dropped { part.end() }
    part.start()
  }

  private func newEngine() -> OfflineEngine {
    OfflineEngine(directory: directory, options: options, clock: clock) { [weak self] in
      for part in self?.state.withLock({ $0.takeDropped() }) ?? [] { part.end() }
    }
  }

  /// Answers a call. Called by the client.
  public func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    let (engine, part) = try part(of: call.client, call.rpc.id)
    if !call.options.haveCredentials { part.note(call.identity) }
    await engine.load(call.identity)
    var call = call
    // Programs may still use the ids that records had while their writes waited.
    call.request = engine.outbox.store.withRealIDs(call.request, identity: call.identity)
    if let rule = OfflineRules.read(call.rpc.id) {
      return try await engine.reads.respond(to: OfflineCall(rule: rule, call: call, part: part, send: send))
    }
    if let rule = OfflineRules.write(call.rpc.id) {
      return try await engine.writes.respond(to: OfflineCall(rule: rule, call: call, part: part, send: send))
    }
    try requireNothing(of: call)
    return try await part.noting(call.identity) { [call] in try await send(call) }
  }

  /// Refuses a call that the store has no rule for, but whose options only the store can fulfil.
  private func requireNothing(of call: StoredCall) throws {
    let isRead = call.rpc.effect == .noSideEffects
    guard isRead ? call.options.cache == .cacheOnly : call.options.delivery == .enqueue else { return }
    let option = isRead ? "`cacheOnly`" : "`enqueue`"
    throw APIError(
      .failedPrecondition, "\(option) is not possible for this call", reason: "it is never stored and never waits",
      rpc: call.rpc.id)
  }

  /// Forgets what was read for an identity, and for no other. Called by the client after a sign-out. Waiting writes stay,
  /// and are sent after the user has signed in again.
  public func forget(_ identity: Identity) async {
    let (engine, parts) = state.withLock { ($0.engine, Array($0.parts.values)) }
    for part in parts { part.signOut(identity) }
    try? await engine?.cache.forget(identity: identity)
  }

  /// Ends the work for a client. Called by the client when it shuts down. The last one's end closes the files.
  public func end(for client: APIClient) async {
    let (part, (engine, parts)) = state.withLock { state in
      let part = state.parts.removeValue(forKey: ObjectIdentifier(client))
      let isLast = part != nil && !state.parts.values.contains { $0.client != nil }
      return (part, isLast ? state.end() : (nil, []))
    }
    part?.end()
    await end(engine, parts)
  }

  /// Ends all work, and closes the files. Calls of the clients that the store has then fail with `cancelled`.
  public func end() async {
    let (engine, parts) = state.withLock { $0.end() }
    await end(engine, parts)
  }

  private func end(_ engine: OfflineEngine?, _ parts: [OfflinePart]) async {
    for part in parts { part.end() }
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

  // MARK: For programs without a client

  /// How much is stored in a directory. Creates `cache.db` if it does not exist.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  package static func cacheInfo(in directory: String) async throws -> CacheInfo {
    try await withCache(of: directory) { try await $0.info() }
  }

  /// Forgets everything that was read into a directory. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  package static func clearCache(in directory: String) async throws {
    try await withCache(of: directory) { try await $0.forget(identity: nil) }
  }

  /// The reports about outboxes of a directory that were damaged and moved aside, one sentence for each, until those
  /// files are moved or deleted. Opens no file.
  package static func damageNotices(in directory: String) -> [String] {
    DatabaseFiles("\(directory)/outbox.db").copies.map(DatabaseFiles.report)
  }

  private static func withCache<Value: Sendable>(
    of directory: String, _ body: (OfflineCache) async throws -> Value
  ) async throws -> Value {
    let cache = OfflineCache(
      path: "\(directory)/cache.db", maximumBytes: OfflineOptions().maximumBytes,
      clock: ContinuousClock())
    do {
      let value = try await body(cache)
      await cache.end()
      return value
    } catch {
      await cache.end()
      throw APIError(.failedPrecondition, "\(error)")
    }
  }
}

extension OfflineStore: EventReceiver {
  /// Changes the facts that are stored for the identity of the connection, as the events require. Later reads see it.
  package func received(_ events: [Event], for identity: Identity) async {
    guard let engine = try? engine, (try? engine.checkIsOpen()) != nil else { return }
    await engine.cache.note(events, identity: identity, serverTime: engine.gatewayClocks.time(of: identity.gateway))
  }
}

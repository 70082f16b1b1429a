internal import NovaCoding
public import NovaCore
internal import NovaOffline
public import NovaRedis
public import NovaSupport

/// Answers reads of a client from Redis, which many machines share. Writes go to the gateway.
///
/// ```swift
/// let store = FleetCallStore(redis, messages: redis, keys: keys)
/// let nova = NovaClient(configuration: try .load()) { $0.store = store }
/// ```
///
/// Stored are the answers of the RPCs without side effects that `gateway.yaml` gives a time to live, for each identity
/// and request, encrypted. One machine loads an answer that is absent, and refreshes it before it expires. Any write of
/// an identity makes all its stored answers unreachable, and so does ``forget(_:)``. What others write is seen after
/// the time to live at the latest.
///
/// When Redis is down or slow, calls are sent to the gateway as without a store.
public final class FleetCallStore: CallStore {
  /// Settings.
  public struct Options: Sendable {
    /// The limits of the cache. The prefix is by default `nova:calls:`.
    public var cache: FleetCache.Options
    /// The version of the program's answers: machines with another one don't see them. Raise it for an update after
    /// which old answers must not be used. Default 1.
    public var schema = 1
    /// The policy of reads that state none. Default: from the store, if it is fresh.
    public var policy = CachePolicy.cacheFirst()
    /// Times to live that differ from those of `gateway.yaml`, by RPC, such as `graph.GetFollowers`. Zero: not stored.
    public var timesToLive: [String: Duration] = [:]

    /// Creates options with the defaults.
    public init() {
      cache = FleetCache.Options()
      cache.prefix = "nova:calls:"
    }
  }

  private let cache: FleetCache
  private let epochs: CallEpochs
  private let keys: FleetKeys
  private let options: Options
  private let clock: any CallClock

  /// Creates a store. One serves any number of clients and users.
  ///
  /// - Parameters:
  ///   - redis: where answers are stored.
  ///   - messages: where removals arrive; nil to keep no answers in the process.
  ///   - keys: encrypt the answers, and name the identities.
  public init(
    _ redis: any RedisClient, messages: (any RedisSubscriber)?, keys: FleetKeys, options: Options = Options(),
    clock: any CallClock = ContinuousClock()
  ) {
    (self.keys, self.options, self.clock) = (keys, options, clock)
    let limits = options.cache
    cache = FleetCache(redis, messages: messages, sealing: keys, options: limits, clock: clock)
    epochs = CallEpochs(
      redis, prefix: limits.prefix,
      steps: StoreSteps(maximumDelay: limits.maximumDelay, pause: limits.pause, clock: clock),
      lifetime: limits.maximumTimeToLive * 2, pause: limits.pause, clock: clock)
  }

  /// Does nothing.
  public func begin(with client: APIClient) {}

  /// Cancels the refreshes in the background.
  public func end(for client: APIClient) async { await cache.cancelRefreshes() }

  /// Makes everything that is stored for an identity unreachable, on all machines. It stays encrypted in Redis until
  /// its time to live ends.
  public func forget(_ identity: Identity) async {
    guard let owner = try? owner(identity) else { return }
    await epochs.replace(owner)
  }

  /// Waits for the refreshes in the background.
  package func waitUntilIdle() async { await cache.waitUntilIdle() }

  // MARK: Calls

  /// Answers a call. Called by the client.
  public func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage> {
    guard call.rpc.effect == .noSideEffects else { return try await write(call, send) }
    if call.options.checksArguments { try RequestRules.check(call.request, of: call.rpc) }
    let lifetime = lifetime(of: call)
    switch call.options.cache ?? options.policy {
    case .cacheOnly:
      guard lifetime > .zero, let read = try await read(call, for: lifetime, { _ in throw NotStored() }),
        let answer = try await read.storedOnly()
      else { throw Self.notStored(call) }
      return answer
    case .networkOnly:
      let response = try await send(call)
      if let read = try? await read(call, for: lifetime, send) { try? await cache.remove(read.key) }
      return response
    case .networkFirst:
      do { return try await send(call) } catch let error as APIError where error.meansUnreachable {
        guard let read = try await read(call, for: lifetime, { _ in throw NotStored() }),
          let answer = try await read.storedOnly()
        else { throw error }
        return answer
      }
    case .cacheFirst(let maxAge):
      guard let read = try await read(call, for: lifetime, send) else { return try await send(call) }
      return try await read.answer(youngerThan: maxAge)
    }
  }

  /// Sends a write. Whatever its outcome, what is stored for its identity may have changed.
  private func write(_ call: StoredCall, _ send: Send) async throws -> APIResponse<any ProtoMessage> {
    guard call.options.delivery != .enqueue else {
      throw APIError(
        .failedPrecondition, "`enqueue` is not possible for this call",
        reason: "the client's store keeps no writes: use an OfflineStore or an outbox", rpc: call.rpc.id)
    }
    let owner = try owner(call.identity)
    do {
      let response = try await send(call)
      await epochs.replace(owner)
      return response
    } catch {
      await epochs.replace(owner)
      throw error
    }
  }

  /// The read with its key; nil if it is not stored, or Redis cannot be used.
  private func read(_ call: StoredCall, for lifetime: Duration, _ send: @escaping Send) async throws -> FleetRead? {
    let own = call.options
    // What such a call gets may depend on what is its own.
    guard lifetime > .zero, own.headers == [:], own.requestID == nil, own.deadline == nil, own.retry == nil,
      let request = try? call.request.jsonUTF8(.request)
    else { return nil }
    let owner = try owner(call.identity)
    do {
      let epoch = try await epochs.current(owner)
      let name = "\(call.rpc.id)\n\(call.identity.gateway)\n\(String(decoding: request, as: UTF8.self))"
      let key = FleetCacheKey(name, identity: "\(owner) \(epoch)", schema: options.schema)
      return FleetRead(call: call, key: key, lifetime: lifetime, cache: cache, clock: clock, send: send)
    } catch is FleetStoreFailure {
      return nil
    } catch is CancellationError {
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  private func lifetime(of call: StoredCall) -> Duration {
    let rule = OfflineRules.read(call.rpc.id)?.timeToLive ?? .zero
    return options.timesToLive[call.rpc.id] ?? rule
  }

  private func owner(_ identity: Identity) throws(APIError) -> String {
    do { return try keys.name(of: Hexadecimal.encode(try identity.digest), for: "calls") } catch {
      throw APIError(.failedPrecondition, "the identity cannot be told from others", reason: "\(error)")
    }
  }

  private static func notStored(_ call: StoredCall) -> APIError {
    APIError(
      .notFound, "the answer is not stored: call once with another cache policy while the gateway can be reached",
      rpc: call.rpc.id)
  }
}

/// Ends a look-up without a load.
struct NotStored: Error {}

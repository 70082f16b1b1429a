import NovaCore

/// What a store has for one of its clients.
final class OfflinePart: Sendable {
  let connectivity: Connectivity
  /// Whether nothing may be sent.
  let isOfflineMode: Bool
  private let clocks: GatewayClocks
  private let references: Locked<References>
  private let last = Locked<Identity?>(nil)
  private let loop = Locked<OutboxLoop?>(nil)

  private struct References {
    weak var client: APIClient?
    weak var engine: OfflineEngine?
  }

  init(_ client: APIClient, _ engine: OfflineEngine) {
    isOfflineMode = client.configuration.isOffline
    connectivity = Connectivity(isAlwaysOffline: isOfflineMode, clock: engine.clock)
    clocks = engine.gatewayClocks
    references = Locked(References(client: client, engine: engine))
  }

  /// The client; nil when the program has dropped it.
  var client: APIClient? { references.withLock { $0.client } }
  /// The engine; nil when the program has dropped the store.
  var engine: OfflineEngine? { references.withLock { $0.engine } }

  /// The caller of calls with these options.
  func caller(of options: CallOptions = CallOptions()) -> OfflineCaller {
    OfflineCaller(part: self, credentials: options.haveCredentials ? options.credentials : nil)
  }

  /// Begins to send waiting writes, and to probe the gateway after it could not be reached.
  func start() {
    connectivity.use { [weak self] in try await self?.client?.reach(timeout: .seconds(10)) }
    guard let engine, engine.options.sendsInBackground else { return }
    loop.withLock { $0 = engine.outbox.start(caller()) }
  }

  /// Ends the work for the client. Does not wait for what is in progress.
  func end() {
    connectivity.stop()
    guard let loop = loop.withLock({ $0.take() }) else { return }
    // Without the engine, nothing else ends the loop.
    if let engine { engine.outbox.cancel(loop) } else { loop.cancel() }
  }

  /// Makes a call of an identity. Its result shows whether the gateway can be reached, and the time of the gateway's
  /// clock.
  func noting(
    _ identity: Identity, _ call: () async throws -> APIResponse<any ProtoMessage>
  ) async throws -> APIResponse<any ProtoMessage> {
    do {
      let response = try await call()
      connectivity.noteResponse()
      clocks.note(response.headers.serverTime, of: identity.gateway)
      return response
    } catch let error as APIError {
      connectivity.note(error)
      clocks.note(error.serverTime, of: identity.gateway)
      throw error
    }
  }

  // MARK: The client's own caller

  /// The identity that was signed in last.
  var lastIdentity: Identity? { last.withLock { $0 } }

  /// An identity is signed in: observers show its values from now on.
  func note(_ identity: Identity) {
    let before = last.withLock { last in
      defer { last = identity }
      return last
    }
    guard let before, before != identity else { return }
    engine?.showAnotherCaller()
  }

  /// An identity has signed out.
  func signOut(_ identity: Identity) {
    if lastIdentity == identity { note(Identity(gateway: identity.gateway, caller: .anonymous)) }
  }
}

/// Makes calls: as the identity that is signed in at a client, or with a token that comes with the calls.
struct OfflineCaller: OutboxCaller {
  let part: OfflinePart
  /// The token of the calls; nil for the client's own. Never stored.
  let credentials: CallOptions?

  var connectivity: Connectivity { part.connectivity }
  var isOwn: Bool { credentials == nil }
  var hasLoop: Bool { isOwn || part.engine?.options.sendsInBackground != true }

  var longestWait: Duration { part.client?.configuration.maximumRetryWait ?? APIConfiguration.builtIn.maximumRetryWait }

  var knownIdentity: Identity? {
    let known = part.client?.knownIdentity(for: credentials ?? CallOptions())
    return isOwn ? known ?? part.lastIdentity : known
  }

  /// The client.
  ///
  /// - Throws: ``APIError`` `cancelled` after the end.
  private func client(_ rpc: String? = nil) throws -> APIClient {
    if let client = part.client { return client }
    throw APIError(.cancelled, "the client is gone", rpc: rpc)
  }

  func identity() async throws -> Identity {
    let identity = try await client().identity(for: credentials ?? CallOptions())
    if isOwn { part.note(identity) }
    return identity
  }

  /// The options of calls for an identity. The calls fail if another identity makes them by now.
  private func options(as identity: Identity, _ rpc: String) async throws -> CallOptions {
    let now = try await client(rpc).identity(for: credentials ?? CallOptions())
    guard now == identity else { throw APIError.callerChanged(isSignedOut: now.isAnonymous, rpc: rpc) }
    var options = credentials ?? CallOptions()
    options.caller = OperationCaller(identity)
    return options
  }

  func send(_ entry: OutboxEntry) async throws -> SentWrite {
    let client = try client(entry.rpc.id)
    guard let engine = part.engine else { throw APIError.shutDown }
    var options = try await options(as: entry.identity, entry.rpc.id)
    // The outbox repeats the call itself. One write must not delay the others.
    options.retry = .never
    options.idempotencyKey = entry.key
    options.checksArguments = false
    return try await engine.writes.send(entry.rpc, identity: entry.identity) { [options] in
      try await part.noting(entry.identity) { try await client.send(entry.rpc, entry.request, options: options) }
    }
  }

  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage {
    let client = try client(check.rpc.id)
    if part.engine == nil { throw APIError.shutDown }
    let options = try await options(as: identity, check.rpc.id)
    return try await part.noting(identity) { try await client.send(check.rpc, check.request, options: options) }.value
  }
}

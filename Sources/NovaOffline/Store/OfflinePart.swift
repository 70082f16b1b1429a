import NovaCore

/// What a store has for one of its clients.
final class OfflinePart: Sendable {
  let connectivity: Connectivity
  /// Whether nothing may be sent.
  let isOfflineMode: Bool
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
    references = Locked(References(client: client, engine: engine))
  }

  /// The client; nil when the program has dropped it.
  var client: APIClient? { references.withLock { $0.client } }
  /// The engine; nil when the program has dropped the store.
  var engine: OfflineEngine? { references.withLock { $0.engine } }

  /// Who makes calls with these options.
  func caller(of options: CallOptions = CallOptions()) -> OfflineCaller {
    OfflineCaller(part: self, credentials: options.haveCredentials ? options.credentials : nil)
  }

  /// Begins to send what waits, and to find out whether the gateway can be reached again after it could not.
  func start() {
    let client = WeakClient(client)
    connectivity.use { try await client.value?.reach(timeout: .seconds(10)) }
    guard let engine, engine.options.sendsInBackground else { return }
    loop.withLock { $0 = engine.outbox.start(caller()) }
  }

  /// Ends the work for the client. What is under way is not waited for.
  func end() {
    connectivity.stop()
    guard let loop = loop.withLock({ $0.take() }) else { return }
    // The engine may be gone, and nothing else ends the loop then.
    if let engine { engine.outbox.cancel(loop) } else { loop.cancel() }
  }

  // MARK: The client's own caller

  /// Who was signed in last.
  var lastIdentity: Identity? { last.withLock { $0 } }

  /// Somebody is signed in: observers show what is theirs from now on.
  func note(_ identity: Identity) {
    let before = last.withLock { last in
      defer { last = identity }
      return last
    }
    guard let before, before != identity else { return }
    engine?.showAnotherCaller()
  }

  /// Nobody is signed in any more, if it was this identity.
  func signOut(_ identity: Identity) {
    if lastIdentity == identity { note(Identity(gateway: identity.gateway, caller: .anonymous)) }
  }
}

/// A client that is not kept alive.
private struct WeakClient: Sendable {
  private struct Reference { weak var client: APIClient? }

  private let reference: Locked<Reference>

  init(_ client: APIClient?) { reference = Locked(Reference(client: client)) }

  var value: APIClient? { reference.withLock { $0.client } }
}

/// Who makes calls: whoever a client has signed in, or the caller whose token comes with the calls.
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

  /// The options of calls for an identity: they fail if the caller is another one by now.
  private func options(as identity: Identity, _ rpc: String) async throws -> CallOptions {
    let now = try await client(rpc).identity(for: credentials ?? CallOptions())
    guard now == identity else { throw APIError.callerChanged(isSignedOut: now.isAnonymous, rpc: rpc) }
    var options = credentials ?? CallOptions()
    options.caller = OperationCaller(identity)
    return options
  }

  func send(_ entry: OutboxEntry) async throws -> APIResponse<any ProtoMessage> {
    let client = try client(entry.rpc.id)
    guard let engine = part.engine else { throw APIError.shutDown }
    var options = try await options(as: entry.identity, entry.rpc.id)
    // The outbox repeats it, and must not be held up by one write.
    options.retry = .never
    options.idempotencyKey = entry.key
    options.checksArguments = false
    return try await engine.noting(part, for: entry.identity) { [options] in
      try await engine.sending(entry) { try await client.send(entry.rpc, entry.request, options: options) }
    }
  }

  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage {
    let client = try client(check.rpc.id)
    guard let engine = part.engine else { throw APIError.shutDown }
    let options = try await options(as: identity, check.rpc.id)
    return try await engine.noting(part, for: identity) {
      try await client.send(check.rpc, check.request, options: options)
    }.value
  }
}

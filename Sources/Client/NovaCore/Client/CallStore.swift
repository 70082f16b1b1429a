/// Answers reads from what it keeps, and keeps writes until they can be sent. NovaOffline has one.
///
/// ```swift
/// let nova = NovaClient(configuration: try .load()) { $0.store = try OfflineStore(directory: path) }
/// ```
public protocol CallStore: Sendable {
  /// Sends a call to the gateway.
  typealias Send = @Sendable (StoredCall) async throws -> APIResponse<any ProtoMessage>

  /// Called by each client that the store is given to, before its first call. Keep no strong reference.
  func begin(with client: APIClient)

  /// Answers a call.
  ///
  /// - Parameters:
  ///   - call: the RPC, its request, the caller's options, and whose call it is.
  ///   - send: sends the call, or another one of the same RPC, to the gateway, for the same identity: it throws
  ///     `unauthorized` without sending anything if another user has signed in since.
  /// - Returns: a message of the RPC's response type.
  /// - Throws: ``APIError``.
  func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage>

  /// Forgets what was read for an identity. Called when its session ends.
  func forget(_ identity: Identity) async

  /// Called when a client shuts down: ends what is in progress for it. Other clients still use the store.
  func end(for client: APIClient) async
}

/// A call, as a ``CallStore`` sees it.
public struct StoredCall: Sendable {
  public let rpc: RPCDescriptor
  public var request: any ProtoMessage
  public var options: CallOptions
  /// Whose call it is.
  public let identity: Identity
  /// The client that makes the call; nil for a call that no client has made.
  package var client: APIClient?

  public init(_ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions, identity: Identity) {
    self.rpc = rpc
    self.request = request
    self.options = options
    self.identity = identity
  }
}

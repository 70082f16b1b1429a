/// Answers reads from what it keeps, and keeps writes until they can be sent. NovaOffline has one.
///
/// ```swift
/// let nova = NovaClient(configuration: try .load(), store: try OfflineStore(directory: path))
/// ```
public protocol CallStore: Sendable {
  /// Sends a call to the gateway.
  typealias Send = @Sendable (StoredCall) async throws -> APIResponse<any ProtoMessage>

  /// Called once, before the first call, by the client that the store is given to. Keep no strong reference.
  func begin(with client: APIClient)

  /// Answers a call.
  ///
  /// - Parameters:
  ///   - call: the RPC, its request, and the caller's options.
  ///   - send: sends the call, or another one of the same RPC, to the gateway.
  /// - Returns: a message of the RPC's response type.
  /// - Throws: ``APIError``.
  func respond(to call: StoredCall, by send: @escaping Send) async throws -> APIResponse<any ProtoMessage>

  /// Forgets what was read for an account. Called when its session ends.
  func forget(account: String) async

  /// Called when the client shuts down: ends what is in progress.
  func end() async
}

/// A call, as a ``CallStore`` sees it.
public struct StoredCall: Sendable {
  public let rpc: RPCDescriptor
  public var request: any ProtoMessage
  public var options: CallOptions

  public init(_ rpc: RPCDescriptor, _ request: any ProtoMessage, options: CallOptions) {
    self.rpc = rpc
    self.request = request
    self.options = options
  }
}

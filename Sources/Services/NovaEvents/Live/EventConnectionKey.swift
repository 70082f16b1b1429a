import NovaCore

/// What subscriptions must have in common to share a connection: the caller, and what their requests carry.
struct EventConnectionKey: Sendable, Hashable {
  let identity: Identity
  /// Where the token comes from. It determines when a subscription ends, and where its state is reported.
  let source: CallerSource
  // Two tokens of one user may have different permissions and expiry times.
  private let token: AccessToken?
  private let headers: [HTTPHeaders.Field]
  private let transport: ObjectIdentifier?
  private let checksArguments: Bool

  /// Creates the key of subscriptions that begin now with a service.
  ///
  /// - Throws: the errors of ``APIClient/identity(for:)``.
  init(of service: EventService) async throws {
    let options = service.options
    source = try service.client.callerSource(of: options)
    identity = try await service.client.identity(for: options)
    token = options.token
    headers = options.headers.fields
    transport = options.transport.map { ObjectIdentifier(objectOrTypeOf: $0) }
    checksArguments = options.checksArguments
  }
}

extension EventService {
  /// The service for all requests of a connection: always as the same caller, and without options for a single call.
  func continued(as identity: Identity) -> EventService {
    with { options in
      options.caller = OperationCaller(identity)
      options.deadline = nil
      // Events are never read from the store.
      options.cache = .networkOnly
      options.delivery = .automatic
      options.onSource = nil
    }
  }
}

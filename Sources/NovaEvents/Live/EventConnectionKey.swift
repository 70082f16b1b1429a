import NovaCore

/// What subscriptions must have in common to share a connection: whose they are, and what goes out with their requests.
struct EventConnectionKey: Sendable, Hashable {
  let identity: Identity
  /// Where the token comes from: it decides when a subscription ends, and whose state is reported.
  let source: CallerSource
  // Tokens of one user can permit different things, and expire at different times.
  private let token: AccessToken?
  private let headers: [HTTPHeaders.Field]
  private let transport: ObjectIdentifier?
  private let checksArguments: Bool

  /// Whose subscriptions those of a service are that begin now.
  ///
  /// - Throws: what ``APIClient/identity(for:)`` throws.
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
  /// The service for all requests of a connection: as its caller, to its end, and without what is meant for one call.
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

import NovaCore

/// The handlers of all RPCs. Each service adds its own in an extension.
struct MockHandlers: Sendable {
  typealias Handler = @Sendable (any ProtoMessage, inout MockState) throws -> any ProtoMessage

  static let shared: MockHandlers = {
    var handlers = MockHandlers()
    handlers.addGraph()
    handlers.addUsers()
    handlers.addContent()
    handlers.addSocial()
    handlers.addFeed()
    handlers.addMedia()
    handlers.addAuth()
    handlers.addCapture()
    handlers.addAnalytics()
    handlers.addAnnouncements()
    return handlers
  }()

  private var handlers: [String: Handler] = [:]

  func handler(of rpc: RPCDescriptor) -> Handler? { handlers[rpc.id] }

  /// Registers an RPC that acts as the user in a field of its request. If the request has a token, that must be the
  /// token's user; otherwise the call fails before anything else. Handlers check only permissions that depend on stored
  /// data: the owner of a post, an upload, or a profile.
  mutating func on<Request, Response>(
    _ rpc: RPC<Request, Response>, actingAs user: any (KeyPath<Request, String> & Sendable),
    _ handle: @escaping @Sendable (Request, inout MockState) throws -> Response
  ) {
    on(rpc) { request, state in
      try state.requireCaller(request[keyPath: user])
      return try handle(request, &state)
    }
  }

  /// Registers an RPC whose request names no acting user.
  mutating func on<Request, Response>(
    _ rpc: RPC<Request, Response>,
    _ handle: @escaping @Sendable (Request, inout MockState) throws -> Response
  ) {
    handlers[rpc.descriptor.id] = { message, state in
      guard let request = message as? Request else {
        throw MockFailure(.internalError, "expected a \(Request.descriptor.name)")
      }
      return try handle(request, &state)
    }
  }
}

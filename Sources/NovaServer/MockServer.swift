#if Server
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NovaCore
  public import NovaMock

  /// A mock backend behind HTTP.
  ///
  /// It is there when the package is built with the trait `Server`, which brings swift-nio.
  public struct MockServer: Sendable {
    /// Where it listens, for example `http://127.0.0.1:8080`.
    public let url: String
    private let listener: any Channel
    private let connections: OpenConnections

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address.
    ///   - port: 0 takes a free one.
    ///   - backend: what answers.
    ///   - hasAdmin: whether `/_nova/` shows and changes the backend's state, to everyone who can reach it. Default
    ///     `false`.
    ///   - log: gets a line about each request.
    /// - Throws: ``MockServerError``.
    public init(
      host: String, port: UInt16, backend: MockBackend, hasAdmin: Bool = false, log: (@Sendable (String) -> Void)? = nil
    ) async throws {
      try await self.init(host: host, port: port, backend: backend, hasAdmin: hasAdmin, log: log, limits: .init())
    }

    init(
      host: String, port: UInt16, backend: MockBackend, hasAdmin: Bool = false,
      log: (@Sendable (String) -> Void)? = nil,
      limits: ConnectionLimits
    ) async throws {
      let isLoopback = host.hasPrefix("127.") || host == "::1"
      let admin = hasAdmin ? AdminAPI(backend, requiresLocalName: isLoopback) : nil
      let application = Application(backend: backend, admin: admin, log: log)
      let connections = OpenConnections()
      let root = "http://\(host.contains(":") ? "[\(host)]" : host)"
      do {
        listener = try await Self.bootstrap(application, connections, limits).bind(host: host, port: Int(port)).get()
      } catch {
        throw MockServerError(error, "\(root):\(port)")
      }
      self.connections = connections
      url = "\(root):\(listener.localAddress?.port ?? Int(port))"
    }

    /// How many clients are connected.
    var openConnections: Int { connections.count }

    /// Takes no more requests, and gives those under way a second to end.
    public func stop() async {
      try? await listener.close()
      await connections.close(within: .seconds(1), on: listener.eventLoop)
    }

    private static func bootstrap(
      _ application: Application, _ connections: OpenConnections, _ limits: ConnectionLimits
    ) -> ServerBootstrap {
      ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 4096)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // Out of descriptors: those who are here are served on, and the next is taken in when one has gone.
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
          }
        }
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          connections.insert(channel)
          return channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, application, limits) }
        }
    }

    static func prepare(_ channel: any Channel, _ application: Application, _ limits: ConnectionLimits) throws {
      let timer = ConnectionTimer(limits, channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(timer)
      // Errors are answered in the gateway's shape, by us; what headers hold has been parsed and cannot split a response.
      try pipeline.configureHTTPServerPipeline(withErrorHandling: false, withOutboundHeaderValidation: false)
      try pipeline.addHandler(ConnectionHandler(application, timer, channel.eventLoop))
    }
  }

  /// Why a server does not listen.
  public struct MockServerError: Error, CustomStringConvertible {
    /// What happened, and what to do next.
    public let description: String

    init(_ error: any Error, _ url: String) {
      guard let code = (error as? IOError)?.errnoCode else {
        description = "cannot listen on \(url): \(error)"
        return
      }
      description =
        code == EADDRINUSE
        ? "cannot listen on \(url): another program does. Stop it, or choose another port with --port; 0 takes a free one."
        : "cannot listen on \(url): \(SystemError(code: code).reason)"
    }
  }
#endif

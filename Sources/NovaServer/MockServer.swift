#if Server
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import NovaCore
  public import NovaMock

  /// A mock backend behind HTTP.
  ///
  /// It is there when the package is built with the trait `Server`, which brings swift-nio.
  public struct MockServer: Sendable {
    /// Where it listens, for example `http://127.0.0.1:8080`.
    public let url: String
    private let listener: any Channel
    private let connections: OpenConnections
    private let budget: MemoryBudget

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address.
    ///   - port: 0 takes a free one.
    ///   - backend: what answers.
    ///   - hasAdmin: whether `/_nova/` shows and changes the backend's state, to everyone who can reach it. Default
    ///     `false`.
    ///   - allowedHosts: names, without a port, that requests may call the server by, besides `localhost` and addresses.
    ///     Where other machines can reach it, none means any. Default: none.
    ///   - log: gets a line about each request.
    /// - Throws: ``MockServerError``.
    public init(
      host: String, port: UInt16, backend: MockBackend, hasAdmin: Bool = false, allowedHosts: [String] = [],
      log: (@Sendable (String) -> Void)? = nil
    ) async throws {
      try await self.init(
        host: host, port: port, backend: backend, hasAdmin: hasAdmin, allowedHosts: allowedHosts, log: log,
        limits: .init())
    }

    init(
      host: String, port: UInt16, backend: MockBackend, hasAdmin: Bool = false, allowedHosts: [String] = [],
      log: (@Sendable (String) -> Void)? = nil, limits: ConnectionLimits, budget: MemoryBudget = MemoryBudget()
    ) async throws {
      if let name = allowedHosts.first(where: { Authority($0).map { $0.port != nil } ?? true }) {
        throw MockServerError("invalid allowed host: \"\(name.printable(to: 100))\" is not a name without a port")
      }
      let isLoopback = NetworkHost.isLoopback(host)
      let application = Application(
        backend: backend, admin: hasAdmin ? AdminAPI(backend) : nil,
        policy: RequestPolicy(isLoopback: isLoopback, allowedHosts: allowedHosts), log: log)
      let connections = OpenConnections()
      let root = "http://\(host.contains(":") ? "[\(host)]" : host)"
      do {
        listener = try await Self.bootstrap(application, connections, limits, budget)
          .bind(host: host, port: Int(port)).get()
      } catch {
        throw MockServerError(error, "\(root):\(port)")
      }
      self.connections = connections
      self.budget = budget
      url = "\(root):\(listener.localAddress?.port ?? Int(port))"
    }

    /// How many clients are connected.
    var openConnections: Int { connections.count }

    /// How many bytes clients have the server hold, beyond what each of them may.
    var heldBytes: Int { budget.heldBytes }

    /// Takes no more requests, and gives those under way a second to end.
    public func stop() async {
      try? await listener.close()
      await connections.close(within: .seconds(1), on: listener.eventLoop)
    }

    private static func bootstrap(
      _ application: Application, _ connections: OpenConnections, _ limits: ConnectionLimits, _ budget: MemoryBudget
    ) -> ServerBootstrap {
      ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 4096)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // What the system takes in for a client before the server reads it; connections inherit it.
        .serverChannelOption(.socketOption(.so_rcvbuf), value: receiveBufferSize)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
        }
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelInitializer { channel in
          connections.insert(channel)
          return channel.eventLoop.makeCompletedFuture {
            try Self.prepare(channel, application, limits, MemoryLease(budget))
          }
        }
    }

    private static let receiveBufferSize: SocketOptionValue = 128 << 10

    static func prepare(
      _ channel: any Channel, _ application: Application, _ limits: ConnectionLimits, _ lease: MemoryLease
    ) throws {
      let gate = InputGate(lease)
      let timer = ConnectionTimer(limits, channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(gate)
      try pipeline.addHandler(timer)
      // Errors are answered in the gateway's shape, by us; what headers hold has been parsed and cannot split a response.
      try pipeline.configureHTTPServerPipeline(withErrorHandling: false, withOutboundHeaderValidation: false)
      try pipeline.addHandler(
        ConnectionHandler(application, timer: timer, gate: gate, lease: lease, eventLoop: channel.eventLoop))
    }
  }

  /// Why a server does not listen.
  public struct MockServerError: NovaError {
    /// What happened, and what to do next.
    public let description: String

    init(_ description: String) { self.description = description }

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

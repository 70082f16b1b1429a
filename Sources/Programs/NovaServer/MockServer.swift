#if Server
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  public import NovaCore
  public import NovaMock

  /// A mock backend as an HTTP server.
  ///
  /// Available if the package is built with the trait `Server`, which adds swift-nio.
  public struct MockServer: Sendable {
    /// The URL that it listens on, for example `http://127.0.0.1:8080`.
    public let url: String
    /// The URL of the gRPC port, for example `grpc://127.0.0.1:50051`; nil without one.
    public let grpcURL: String?
    /// One listener for each address.
    private let listeners: [any Channel]
    private let health: HealthState
    private let streams = OpenStreams()
    private let connections: OpenConnections
    private let budget: MemoryBudget
    private let backend: MockBackend
    /// Passes requests on to a gateway; nil for no gateway.
    private let proxy: GatewayProxy?

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, or `localhost` for the loopback addresses of both.
    ///   - port: the port; 0 for any free port.
    ///   - grpcPort: the port for gRPC, which takes HTTP/JSON, too, over HTTP/2 and HTTP/1.1; 0 for any free port. Default:
    ///     none.
    ///   - backend: the backend that responds.
    ///   - hasAdmin: whether everyone who can reach the server can read and change the backend's state under `/_nova/`.
    ///     Default `false`.
    ///   - allowedHosts: names, without a port, allowed in the Host header besides `localhost` and addresses. If other
    ///     machines can reach the server, none means any. Default: none.
    ///   - allowedOrigins: the origins of web pages that may use everything but the admin API: `http://localhost:5173`,
    ///     `http://localhost:*` for every port, or `https://*.example.com`. Default: none but the server's own.
    ///   - log: called with a line about each request.
    ///   - warn: called with the reason of a refusal that browsers hide from pages: each once, and at most 20. Default:
    ///     not at all.
    /// - Throws: ``MockServerError``.
    public init(
      host: String, port: UInt16, grpcPort: UInt16? = nil, backend: MockBackend, hasAdmin: Bool = false,
      allowedHosts: [String] = [], allowedOrigins: [String] = [], log: (@Sendable (String) -> Void)? = nil,
      warn: (@Sendable (String) -> Void)? = nil
    ) async throws {
      try await self.init(
        host: host, port: port, grpcPort: grpcPort, backend: backend, hasAdmin: hasAdmin, allowedHosts: allowedHosts,
        allowedOrigins: allowedOrigins, log: log, warn: warn,
        limits: .init(), webSockets: WebSocketEndpoint.all(of: backend))
    }

    /// Starts a proxy, which passes every request on to a gateway, and has neither a backend nor an admin API.
    ///
    /// - Parameters:
    ///   - host: as for a backend.
    ///   - port: the port; 0 for any free port.
    ///   - proxy: passes the requests on. It is shut down with the server.
    ///   - allowedHosts: as for a backend.
    ///   - allowedOrigins: as for a backend.
    ///   - log: called with a line about each request.
    ///   - warn: as for a backend.
    /// - Throws: ``MockServerError``.
    package init(
      host: String, port: UInt16, proxy: GatewayProxy, allowedHosts: [String] = [], allowedOrigins: [String] = [],
      log: (@Sendable (String) -> Void)? = nil, warn: (@Sendable (String) -> Void)? = nil
    ) async throws {
      try await self.init(
        host: host, port: port, backend: MockBackend(dataSet: .empty), allowedHosts: allowedHosts,
        allowedOrigins: allowedOrigins, log: log, warn: warn, limits: .init(), proxy: proxy,
        webSockets: [.relay(to: proxy)])
    }

    /// Serves WebSocket connections besides.
    package init(
      host: String, port: UInt16, backend: MockBackend, webSockets: [WebSocketEndpoint]
    ) async throws {
      try await self.init(host: host, port: port, backend: backend, limits: .init(), webSockets: webSockets)
    }

    init(
      host: String, port: UInt16, grpcPort: UInt16? = nil, backend: MockBackend, hasAdmin: Bool = false,
      allowedHosts: [String] = [], allowedOrigins: [String] = [], log: (@Sendable (String) -> Void)? = nil,
      warn: (@Sendable (String) -> Void)? = nil, limits: ConnectionLimits,
      budget: MemoryBudget = MemoryBudget(), proxy: GatewayProxy? = nil,
      webSockets: [WebSocketEndpoint] = []
    ) async throws {
      if let name = allowedHosts.first(where: { Authority($0).map { $0.port != nil } ?? true }) {
        throw MockServerError("invalid allowed host: \"\(name.printable(to: 100))\" is not a name without a port")
      }
      let isLoopback = NetworkHost.isLoopback(host)
      let application = Application(
        backend: backend, admin: hasAdmin ? AdminAPI(backend) : nil,
        policy: RequestPolicy(
          isLoopback: isLoopback, allowedHosts: allowedHosts, allowedOrigins: try Self.patterns(allowedOrigins),
          checksBodies: proxy == nil && backend.source == nil),
        log: log, notices: warn.map { RefusalNotices($0) }, webSockets: webSockets, proxy: proxy)
      self.proxy = proxy ?? backend.source as? GatewayProxy
      let connections = OpenConnections()
      let root = host.contains(":") ? "[\(host)]" : host
      let streams = streams
      let http = Self.bootstrap(connections) { channel in
        try Self.prepare(channel, for: application, limits: limits, lease: MemoryLease(budget))
      }
      let grpc = Self.bootstrap(connections) { channel in
        try Self.detect(channel, for: application, limits: limits, lease: MemoryLease(budget), streams: streams)
      }
      var listeners = try await Self.listen(http, host, on: port, option: "--port")
      if let grpcPort {
        do {
          let more = try await Self.listen(grpc, host, on: grpcPort, option: "--grpc-port")
          grpcURL = "grpc://\(root):\(more.first?.localAddress?.port ?? Int(grpcPort))"
          listeners += more
        } catch {
          for listener in listeners { try? await listener.close() }
          throw error
        }
      } else {
        grpcURL = nil
      }
      self.listeners = listeners
      health = application.health
      self.connections = connections
      self.budget = budget
      self.backend = backend
      url = "http://\(root):\(listeners.first?.localAddress?.port ?? Int(port))"
    }

    private static func patterns(_ origins: [String]) throws -> [OriginPattern] {
      try origins.map { text in
        do throws(OriginPattern.Problem) {
          return try OriginPattern(text)
        } catch {
          throw MockServerError("invalid allowed origin: \"\(text.printable(to: 100))\": \(error)")
        }
      }
    }

    /// The number of connected clients.
    var openConnections: Int { connections.count }

    /// The number of open streams of HTTP/2 connections.
    package var openStreams: Int { streams.count }

    /// The number of bytes that connections use beyond their own allowance.
    var heldBytes: Int { budget.heldBytes }

    /// Stops accepting requests, ends the backend's streams of events, and gives requests in progress a second to end.
    public func stop() async {
      for listener in listeners { try? await listener.close() }
      health.stop()
      backend.endEventStreams(.restart)
      guard let loop = listeners.first?.eventLoop else { return }
      await connections.close(within: .seconds(1), on: loop)
      await proxy?.shutdown()
    }

    private static func listen(
      _ bootstrap: ServerBootstrap, _ host: String, on port: UInt16, option: String
    ) async throws -> [any Channel] {
      do {
        return try await LoopbackName(host).listen(on: port) { address, port in
          try await bootstrap.bind(host: address, port: Int(port)).get()
        }
      } catch {
        throw MockServerError(error, "\(host.contains(":") ? "[\(host)]" : host):\(port)", option: option)
      }
    }

    private static func bootstrap(
      _ connections: OpenConnections, prepare: @escaping @Sendable (any Channel) throws -> Void
    ) -> ServerBootstrap {
      ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 4096)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // How much the system buffers for a client before the server reads it; connections inherit it.
        .serverChannelOption(.socketOption(.so_rcvbuf), value: receiveBufferSize)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
        }
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelOption(.tcpUserTimeout, value: lostPeerTimeout)
        .childChannelInitializer { channel in
          connections.insert(channel)
          return channel.eventLoop.makeCompletedFuture { try prepare(channel) }
        }
    }

    /// After how many milliseconds without a sign of the client's machine a connection is lost. A stream of events may
    /// have nothing else to notice it by.
    private static let lostPeerTimeout: SocketOptionValue = 60_000

    private static let receiveBufferSize: SocketOptionValue = 128 << 10

    /// Adds the handlers of a connection to the gRPC port, whose first bytes decide about its protocol.
    private static func detect(
      _ channel: any Channel, for application: Application, limits: ConnectionLimits, lease: MemoryLease,
      streams: OpenStreams
    ) throws {
      let detector = ProtocolDetector(within: limits.request) { found, channel in
        switch found {
        case .http1: try prepare(channel, for: application, limits: limits, lease: lease)
        case .http2:
          try HTTP2Pipeline.configure(channel, for: application, limits: limits, lease: lease, streams: streams)
        }
      }
      try channel.pipeline.syncOperations.addHandler(detector)
    }

    static func prepare(
      _ channel: any Channel, for application: Application, limits: ConnectionLimits, lease: MemoryLease
    ) throws {
      let gate = InputGate(lease)
      let timer = ConnectionTimer(limits, channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(gate)
      try pipeline.addHandler(timer)
      // The connection handler responds to errors, in the gateway's format. Header values were parsed and cannot split a
      // response.
      var encoder = HTTPResponseEncoder.Configuration()
      // Whether a body has chunks depends on the request, too.
      encoder.automaticallySetFramingHeaders = false
      try pipeline.configureHTTPServerPipeline(
        withErrorHandling: false, withOutboundHeaderValidation: false, withEncoderConfiguration: encoder)
      try pipeline.addHandler(
        ConnectionHandler(application, timer: timer, gate: gate, lease: lease, eventLoop: channel.eventLoop))
    }
  }

  extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// `TCP_USER_TIMEOUT` of Linux; elsewhere `SO_KEEPALIVE`, which every connection has.
    fileprivate static var tcpUserTimeout: Self {
      #if os(Linux)
        .init(level: .tcp, name: .init(rawValue: 18))
      #else
        .socketOption(.so_keepalive)
      #endif
    }
  }

  /// The open connections of a server, which are closed with it.
  final class OpenConnections: Sendable {
    private let channels = Locked<[ObjectIdentifier: any Channel]>([:])

    var count: Int { channels.withLock { $0.count } }

    func insert(_ channel: any Channel) {
      let id = ObjectIdentifier(channel)
      channels.withLock { $0[id] = channel }
      channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[id] = nil } }
    }

    /// Closes idle connections at once, the others after their response, and the rest after `grace`.
    func close(within grace: TimeAmount, on eventLoop: any EventLoop) async {
      let open = channels.withLock { Array($0.values) }
      for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
      let end = eventLoop.scheduleTask(in: grace) { for channel in open { channel.close(promise: nil) } }
      _ = try? await EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: eventLoop).get()
      end.cancel()
    }
  }

  /// Why a server cannot listen.
  public struct MockServerError: NovaError {
    /// What happened and what to do.
    public let description: String

    init(_ description: String) { self.description = description }

    /// - Parameters:
    ///   - address: where it was to listen.
    ///   - option: the option of `nova serve` with the port.
    init(_ error: any Error, _ address: String, option: String) {
      let url = option == "--grpc-port" ? "grpc://\(address)" : "http://\(address)"
      guard let code = (error as? IOError)?.errnoCode else {
        description = "cannot listen on \(url): \(error)"
        return
      }
      description =
        code == EADDRINUSE
        ? "cannot listen on \(url): the port is in use; stop the other program, or choose another port with \(option): 0 takes a free one"
        : "cannot listen on \(url): \(SystemError(code: code).reason)"
    }
  }
#endif

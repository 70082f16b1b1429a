#if GRPC
  import NovaCore
  import NovaTesting
#else
  import NovaCore
#endif

/// How the users' calls reach the gateway.
enum WalkWay: Sendable, CaseIterable {
  /// In memory, as HTTP with JSON.
  case http
  #if GRPC
    /// In memory, in protobuf's binary format.
    case grpcInMemory
    /// Over sockets, through a gRPC server.
    case grpcPort
  #endif
}

/// The clients' transport to the gateway, and the URLs of their configuration.
struct WalkRoute {
  let overrides: ConfigurationOverrides
  let transport: any HTTPTransport
  private let stop: @Sendable () async -> Void

  init(_ way: WalkWay, to gateway: WalkGateway) async throws {
    var overrides = ConfigurationOverrides(baseURL: WalkGateway.origin)
    switch way {
    case .http: (transport, stop) = (gateway, {})
    #if GRPC
      case .grpcInMemory:
        overrides.baseURL = "grpcs://services.example"
        transport = GRPCInMemory(gateway, at: WalkGateway.gatewayURL)
        stop = {}
      case .grpcPort:
        let port = try await GRPCPort(answering: GRPCInMemory(gateway, at: WalkGateway.gatewayURL))
        overrides.baseURL = port.url
        let services = GRPCTransport(services: HTTP2Transport(), http: gateway)
        transport = services
        stop = {
          await services.shutdown()
          await port.stop()
        }
    #endif
    }
    #if GRPC
      // Files and uploads stay with the gateway.
      if way != .http { overrides.grpc = GRPCConfiguration(gatewayURL: WalkGateway.gatewayURL) }
    #endif
    self.overrides = overrides
  }

  func shutdown() async { await stop() }
}

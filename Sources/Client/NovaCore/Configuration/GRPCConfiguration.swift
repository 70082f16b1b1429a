/// How services are called over gRPC: with a base URL that begins with `grpc://` or `grpcs://`, which needs the package
/// trait `GRPC`.
public struct GRPCConfiguration: Sendable, Equatable {
  /// How calls are shared out among the servers of one URL: those that it names, and all addresses that their names have.
  public enum Balancing: String, Sendable, CaseIterable {
    /// One server after the other.
    case roundRobin = "round_robin"
    /// All to the first server that can be reached; the next one only when it fails.
    case pickFirst = "pick_first"
  }

  /// The gateway beside the services, for what they do not have: uploads, the bytes of media, and live events over
  /// WebSocket. `nil` (default) for none.
  public var gatewayURL: HTTPURL?
  /// How calls are shared out. Default: in turn.
  public var balancing: Balancing
  /// How long a connection with open calls may be silent before the server is asked whether it is still there; 1 s to a
  /// day. `nil` (default): never. Many servers close connections that ask more often than every 5 minutes.
  public var pingInterval: Duration?
  /// The longest message that is sent, 1 byte to 1 GiB. Default 4 MiB, which is the most that servers usually accept.
  /// ``TransferLimits/maximumResponseBytes`` bounds the messages that are received.
  public var maximumRequestBytes: Int

  /// Creates a configuration. Each value has a default.
  public init(
    gatewayURL: HTTPURL? = nil, balancing: Balancing = .roundRobin, pingInterval: Duration? = nil,
    maximumRequestBytes: Int = 4 << 20
  ) {
    self.gatewayURL = gatewayURL
    self.balancing = balancing
    self.pingInterval = pingInterval
    self.maximumRequestBytes = maximumRequestBytes
  }
}

extension APIConfiguration {
  /// The gateway of a service: where uploads, the bytes of media, and WebSocket connections go. It is the service's base
  /// URL, or with gRPC ``GRPCConfiguration/gatewayURL``.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if calls go over gRPC, and no gateway is set.
  package func gatewayURL(for service: String) throws(APIError) -> HTTPURL {
    let url = baseURL(for: service)
    guard url.origin.usesGRPC else { return url }
    guard let gateway = grpc.gatewayURL else {
      throw APIError(
        .failedPrecondition, "no gateway for uploads, media, and WebSocket connections",
        reason: "\(url.origin.text) speaks gRPC only", sent: .nothing,
        advice: "set grpc.gateway_url (NOVA_GRPC_GATEWAY_URL, or --gateway-url of nova) to the gateway's URL")
    }
    return gateway
  }
}

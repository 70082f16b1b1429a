extension APIConfiguration {
  /// Creates the transport that the configuration describes: libcurl with its limits, proxy, Unix socket, and certificates,
  /// with gRPC beside it if a base URL begins with `grpc://` or `grpcs://`; or in offline mode one that sends nothing.
  ///
  /// ```swift
  /// let transport = try APIConfiguration.load().makeTransport()
  /// ```
  ///
  /// NovaCore has no mock backend. If ``usesMockData`` is set, every request fails and the error describes what to do;
  /// `NovaClient` in NovaSDK, or a `MockTransport` from NovaMock, provides the mock.
  public func makeTransport() -> any HTTPTransport {
    if usesMockData { return RefusingTransport(.mockIsMissing) }
    if isOffline { return RefusingTransport(.offlineMode) }
    let http = CurlTransport(options: curlOptions)
    #if GRPC
      if usesGRPC { return GRPCTransport(services: HTTP2Transport(options: http2Options), http: http) }
    #endif
    return http
  }

  #if GRPC
    /// Whether calls of any service go over gRPC.
    private var usesGRPC: Bool {
      baseURL.origin.usesGRPC || services.values.contains { $0.baseURL?.origin.usesGRPC == true }
    }

    /// How the connections for gRPC are made.
    package var http2Options: HTTP2Transport.Options {
      HTTP2Transport.Options(
        connections: curlOptions, balancing: grpc.balancing == .pickFirst ? .pickFirst : .roundRobin,
        pingInterval: grpc.pingInterval)
    }
  #endif

  /// How libcurl connects.
  package var curlOptions: CurlTransport.Options {
    CurlTransport.Options(
      connections: connections, proxy: proxy, connectTo: connectTo, unixSocket: unixSocket, caFile: caFile,
      clientCertificateFile: clientCertificateFile, clientKeyFile: clientKeyFile)
  }
}

/// Refuses every request with the same error.
package struct RefusingTransport: HTTPTransport {
  private let error: TransportError

  package init(_ error: TransportError) { self.error = error }

  package func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw error }
}

extension TransportError {
  fileprivate static let offlineMode = TransportError(
    .offline, "offline mode is on", reason: "nothing is sent",
    advice: "turn it off with NOVA_OFFLINE=0 or in APIConfig.json",
    requestMayHaveLeft: false)

  fileprivate static let mockIsMissing = TransportError(
    .unavailable,
    "mock_data is set, but this program contains no mock backend: create the client with NovaClient from NovaSDK, give "
      + "APIClient a MockTransport from NovaMock, or set NOVA_MOCK=0",
    requestMayHaveLeft: false)
}

#if GRPC
  package import NovaCore
  import NovaRegistry

  /// A transport for `grpc://` base URLs without sockets: messages are written and read in protobuf's binary format, and
  /// answered by a transport that speaks HTTP/JSON, such as a `MockTransport`.
  ///
  /// Requests of other URLs, such as those for the bytes of media, pass unchanged.
  package struct GRPCInMemory: HTTPTransport {
    private let base: any HTTPTransport
    private let gateway: HTTPURL?

    /// - Parameters:
    ///   - base: answers.
    ///   - gateway: the gateway that `base` is. Default: what is sent to `base` keeps its `grpc://` origin.
    package init(_ base: any HTTPTransport, at gateway: HTTPURL? = nil) { (self.base, self.gateway) = (base, gateway) }

    /// The longest message, as servers have it by default.
    private static let longestMessage = 4 << 20

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      guard request.url.origin.usesGRPC else { return try await base.send(request) }
      guard let rpc = Self.rpcs[request.url.path] else {
        return GRPCGateway.failure(.unimplemented, "unknown method: \(request.url.path)")
      }
      guard request.headers.isGRPC else { return GRPCGateway.failure(.unknown, "the content type is not gRPC's") }
      var sent: HTTPRequest
      do {
        _ = try GRPCFrames.onlyMessage(of: request.body.inMemory, limit: Self.longestMessage)
        sent = try GRPCGateway.httpRequest(request, of: rpc)
        if let gateway { sent.url = gateway.appending(sent.url.target) }
      } catch let violation as GRPCViolation {
        return GRPCGateway.failure(violation.status, violation.reason)
      } catch let error as APIError {
        return GRPCGateway.failure(.invalidArgument, error.message)
      }
      return GRPCGateway.grpcResponse(try await base.send(sent), of: rpc)
    }

    package func shutdown() async { await base.shutdown() }

    private static let rpcs = Dictionary(uniqueKeysWithValues: RPCRegistry.nova.rpcs.map { ($0.grpcPath, $0) })
  }
#endif

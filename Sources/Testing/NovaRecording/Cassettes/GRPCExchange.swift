#if GRPC
  import NovaCore
  import NovaRegistry

  /// How calls over gRPC are recorded and replayed: as what a gateway takes and answers, in JSON.
  ///
  /// So a cassette shows its messages, their secrets are masked by the contract's names, and calls over HTTP and over gRPC
  /// match the same recordings. Only the origin shows which of the two a call used.
  enum GRPCExchange {
    /// The RPC of a request over gRPC; nil for other requests, and for methods that the contract does not have.
    static func rpc(of request: HTTPRequest) -> RPCDescriptor? {
      guard request.url.origin.usesGRPC else { return nil }
      return ContractMessages.nova.registry.rpcs.first { $0.grpcPath == request.url.path }
    }

    /// A request as it is recorded, and looked up.
    static func recorded(_ request: HTTPRequest) -> HTTPRequest {
      rpc(of: request).flatMap { try? GRPCGateway.httpRequest(request, of: $0) } ?? request
    }

    /// The outcome of a request as it is recorded.
    static func recorded(_ outcome: Cassette.Outcome, of request: HTTPRequest) -> Cassette.Outcome {
      guard let rpc = rpc(of: request), case .response(let response) = outcome,
        let answer = try? GRPCGateway.httpResponse(response, of: rpc)
      else { return outcome }
      return .response(answer)
    }

    /// A recorded response as the transport of gRPC returns it.
    static func replayed(_ response: HTTPResponse, of request: HTTPRequest) -> HTTPResponse {
      rpc(of: request).map { GRPCGateway.grpcResponse(response, of: $0) } ?? response
    }
  }

  extension PassingBody.Ending {
    /// The fields of a status that ended the body; nil if none did.
    var status: HTTPHeaders? {
      guard case .failed(let failure as FailureInTrailers) = self else { return nil }
      return failure.headers
    }
  }
#endif

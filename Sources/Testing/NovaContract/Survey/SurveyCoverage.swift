import NovaCore
import NovaCoverage
import NovaRegistry

extension ContractCheck {
  /// What the check can try: each service in the way that it is called.
  var coveragePlan: CoveragePlan {
    .withDocumentedFailures(ways: usesGRPC ? [.grpc] : [.http], rpcs: reportedRPCs)
  }
}

extension CoverageObservation {
  /// What a request of the check tried; nil for one on the path of no RPC, or of another one.
  init?(_ request: HTTPRequest, of rpc: RPCDescriptor, status: Int) {
    #if GRPC
      if request.url.origin.usesGRPC {
        guard request.url.path.hasSuffix(rpc.grpcPath) else { return nil }
        let body = Array(request.body.inMemory.dropFirst(GRPCFrames.prefixLength))
        self.init(rpc, message: try? rpc.requestType.init(protobuf: body), status: status)
        return
      }
    #endif
    let path = Self.contractPath(request.url.path)
    guard case .rpc(let found, let variables) = RPCRouter.nova.route(request.method, path), found.id == rpc.id else {
      return nil
    }
    self.init(
      rpc, variables: variables, query: request.url.query ?? "", body: request.body.inMemory, status: status)
  }

  /// The path without what the base URL has before it.
  private static func contractPath(_ path: String) -> String {
    path.firstRange(of: "/api/v1/").map { String(path[$0.lowerBound...]) } ?? path
  }
}

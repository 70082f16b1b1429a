// GraphService/GetFollowers by grpc-swift-2 over plain HTTP/2 on loopback: a server that calls of NovaSDK can be checked with.
//
//   GRPCSwiftServer
//
// Prints the port as its only line, and runs until it is terminated.
//
// A response has as many ids as the request's limit; its trailers have the request's ID as "x-request-id". A negative limit
// is INVALID_ARGUMENT. The user "slow" has followers after ten seconds, unless the call ends before.

import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2
import GRPCProtobuf

@main
enum GRPCSwiftServer {
  static func main() async throws {
    let server = GRPCServer(
      transport: .http2NIOPosix(address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext),
      services: [GraphService()])
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await server.serve() }
      guard let port = try await server.listeningAddress?.ipv4?.port else { throw NoPort() }
      print(port)
      fflush(nil)
    }
  }

  private struct NoPort: Error {}
}

private struct GraphService: RegistrableRPCService {
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerHandler(
      forMethod: MethodDescriptor(
        fullyQualifiedService: "nova.graph_service.v1.GraphService", method: "GetFollowers"),
      deserializer: ProtobufDeserializer<Nova_GraphService_V1_GetFollowersRequest>(),
      serializer: ProtobufSerializer<Nova_GraphService_V1_GetFollowersResponse>()
    ) { request, _ in
      let request = try await ServerRequest(stream: request)
      let response = try await followers(request.message)
      let ids = request.metadata["x-request-id"].map { ("x-request-id", $0) }
      return StreamingServerResponse(single: ServerResponse(message: response, trailingMetadata: Metadata(ids)))
    }
  }

  private func followers(
    _ request: Nova_GraphService_V1_GetFollowersRequest
  ) async throws -> Nova_GraphService_V1_GetFollowersResponse {
    guard request.limit >= 0 else {
      throw RPCError(code: .invalidArgument, message: "limit must be 0…1000, got \(request.limit)")
    }
    if request.userID == "slow" { try await Task.sleep(for: .seconds(10)) }
    var response = Nova_GraphService_V1_GetFollowersResponse()
    response.userIds = (0..<Int64(request.limit)).map { "9f8b6c1e-4d2a-4b7e-8c3d-\(100_000_000_000 + $0)" }
    response.totalCount = 3021
    response.hasMore_p = true
    return response
  }
}

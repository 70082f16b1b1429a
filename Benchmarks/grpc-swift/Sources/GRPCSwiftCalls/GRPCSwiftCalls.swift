// The same calls as NovaCalls by grpc-swift-2 over its NIO transport, with SwiftProtobuf's messages. The call is what its
// generator writes for a service's method: the descriptor, and a serializer and a deserializer of the two messages.

import CallLoad
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2
import GRPCProtobuf

@main
enum GRPCSwiftCalls {
  static func main() async throws {
    let options = LoadOptions.parse()
    let address = try Address(options.url)
    let transport = try HTTP2ClientTransport.Posix(
      target: .ipv4(address: address.host, port: address.port), transportSecurity: .plaintext)
    try await withGRPCClient(transport: transport) { client in
      try await CallLoad.measure(options, client: "grpc-swift-2") {
        { try SampleCall.check(ids: try await followers(of: SampleCall.userId, client)) }
      }
    }
  }

  /// The number of ids of a call.
  private static func followers(
    of userId: String, _ client: GRPCClient<HTTP2ClientTransport.Posix>
  ) async throws -> Int {
    let message = GetFollowersRequest.with {
      $0.userID = userId
      $0.limit = Int32(SampleCall.count)
    }
    var options = CallOptions.defaults
    options.timeout = .seconds(60)
    let metadata: Metadata = ["authorization": "Bearer \(SampleCall.token)", "x-request-id": "\(UUID())"]
    return try await client.unary(
      request: ClientRequest(message: message, metadata: metadata), descriptor: getFollowers,
      serializer: ProtobufSerializer<GetFollowersRequest>(),
      deserializer: ProtobufDeserializer<GetFollowersResponse>(), options: options
    ) { response in
      try response.message.userIds.count
    }
  }

  private static let getFollowers = MethodDescriptor(
    fullyQualifiedService: "nova.graph_service.v1.GraphService", method: "GetFollowers")
}

/// The host, an IPv4 address, and the port of a base URL.
private struct Address {
  let host: String
  let port: Int

  struct Invalid: Error {}

  init(_ url: String) throws {
    let parts = url.split(separator: ":")
    guard parts.count == 3, parts[0] == "grpc", parts[1].hasPrefix("//"), let port = Int(parts[2]) else {
      throw Invalid()
    }
    (host, self.port) = (String(parts[1].dropFirst(2)), port)
  }
}

typealias GetFollowersRequest = Nova_GraphService_V1_GetFollowersRequest
typealias GetFollowersResponse = Nova_GraphService_V1_GetFollowersResponse

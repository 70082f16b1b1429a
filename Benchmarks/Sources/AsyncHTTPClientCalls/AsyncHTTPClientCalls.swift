// The same calls as NovaCalls, written by hand on AsyncHTTPClient: one shared client, Codable structs with coding
// keys, and one encoder and decoder for each worker. It runs on NIO's event loops, one for each core; on a single one
// with --one-loop.

import AsyncHTTPClient
import CallLoad
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOPosix
import NIOSSL

@main
enum AsyncHTTPClientCalls {
  static func main() async throws {
    let options = LoadOptions.parse(switches: ["--one-loop"])
    let group: any EventLoopGroup =
      options.switches.contains("--one-loop")
      ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : MultiThreadedEventLoopGroup.singleton
    let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration(options))
    try await CallLoad.measure(options, client: "AsyncHTTPClient") {
      let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
      return {
        var request = HTTPClientRequest(url: options.callURL)
        request.method = .POST
        request.headers = [
          "Accept": "application/json", "Content-Type": "application/json", "Grpc-Timeout": "60000m",
          "X-Request-ID": UUID().uuidString, "Authorization": authorization, "User-Agent": "AsyncHTTPClientCalls",
        ]
        let message = GetFollowersRequest(userId: SampleCall.userId, limit: SampleCall.count)
        request.body = .bytes(try encoder.encodeAsByteBuffer(message, allocator: ByteBufferAllocator()))
        let response = try await client.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: 1 << 20)
        let followers = try decoder.decode(GetFollowersResponse.self, from: body)
        try SampleCall.check(status: Int(response.status.code), ids: followers.userIds.count)
      }
    }
    try await client.shutdown()
  }

  private static let authorization = "Bearer \(SampleCall.token)"

  private static func configuration(_ options: LoadOptions) -> HTTPClient.Configuration {
    // Faster here than `singletonConfiguration`, which also decompresses responses.
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(options.inFlight, 8)
    configuration.httpVersion = options.allowsHTTP2 ? .automatic : .http1Only
    if let caFile = options.caFile {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(caFile)
      configuration.tlsConfiguration = tls
    }
    return configuration
  }
}

private struct GetFollowersRequest: Encodable {
  let userId: String
  let limit: Int

  enum CodingKeys: String, CodingKey {
    case userId = "user_id"
    case limit
  }
}

private struct GetFollowersResponse: Decodable {
  let userIds: [String]
  let totalCount: Int
  let hasMore: Bool

  enum CodingKeys: String, CodingKey {
    case userIds = "user_ids"
    case totalCount = "total_count"
    case hasMore = "has_more"
  }
}

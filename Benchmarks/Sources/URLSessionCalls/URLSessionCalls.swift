// The same calls as NovaCalls, written by hand on URLSession: structs whose names are converted from snake case.
// Without TLS: on Linux, URLSession trusts the system's certificate authorities only.

import CallLoad
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
enum URLSessionCalls {
  static func main() async throws {
    let options = LoadOptions.parse()
    guard let url = URL(string: options.callURL) else { throw URLError(.badURL) }
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = max(options.inFlight, 6)
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    try await CallLoad.measure(options, client: "URLSession") {
      let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
      encoder.keyEncodingStrategy = .convertToSnakeCase
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("60000m", forHTTPHeaderField: "Grpc-Timeout")
        request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        request.httpBody = try encoder.encode(
          GetFollowersRequest(userId: SampleCall.userId, limit: SampleCall.count))
        let (body, response) = try await session.data(for: request)
        let followers = try decoder.decode(GetFollowersResponse.self, from: body)
        try SampleCall.check(
          status: (response as? HTTPURLResponse)?.statusCode ?? 0, ids: followers.userIds.count)
      }
    }
    exit(0)  // Without waiting for the session's queues.
  }

  private static let authorization = "Bearer \(SampleCall.token)"
}

private struct GetFollowersRequest: Encodable {
  let userId: String
  let limit: Int
}

private struct GetFollowersResponse: Decodable {
  let userIds: [String]
  let totalCount: Int
  let hasMore: Bool
}

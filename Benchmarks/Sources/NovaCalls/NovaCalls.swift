// Typed calls with everything that a client has: a session's token, retries, retry budget, and circuit breaker; over HTTP,
// or over gRPC if the URL begins with grpc://. With --transport-only, the same request is sent by the transport of HTTP alone.

import CallLoad
import NovaAuth
import NovaCore
import NovaGraph

@main
enum NovaCalls {
  static func main() async throws {
    let options = LoadOptions.parse(switches: ["--transport-only"])
    if options.switches.contains("--transport-only") {
      let transport = CurlTransport(options: CurlTransport.Options(caFile: options.caFile))
      let request = try request(to: options.callURL)
      try await CallLoad.measure(options, client: "CurlTransport") {
        {
          let response = try await transport.send(request)
          try SampleCall.check(status: response.status, bytes: response.body.bytes?.count ?? 0)
        }
      }
      await transport.shutdown()
    } else {
      let client = try client(options)
      let request = GetFollowersRequest(userId: SampleCall.userId, limit: SampleCall.count)
      try await CallLoad.measure(options, client: "NovaSDK") {
        { try SampleCall.check(ids: try await client.call(GraphRPC.getFollowers, request).userIds.count) }
      }
      await client.shutdown()
    }
  }

  private static func client(_ options: LoadOptions) throws -> APIClient {
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: options.url, caFile: options.caFile))
    let transport = configuration.makeTransport()
    guard let refreshToken = RefreshToken("refresh-token") else { throw InvalidToken() }
    let session = Session(
      accessToken: try AccessToken(SampleCall.token), refreshToken: refreshToken, expiresAt: 1 << 40,
      user: User(id: "u", email: "u@example.com"))
    let sessions = SessionManager(
      store: MemorySessionStore(StoredSession(session: session, origin: options.url)),
      auth: AuthService(client: APIClient(configuration: configuration, transport: transport)))
    return APIClient(configuration: configuration, transport: transport, tokens: sessions)
  }

  private struct InvalidToken: Error {}

  /// The headers and body that a call has.
  private static func request(to url: String) throws -> HTTPRequest {
    HTTPRequest(
      method: .post, url: try HTTPURL(parsing: url),
      headers: [
        "Accept": "application/json", "Content-Type": "application/json", "Grpc-Timeout": "60000m",
        "X-Request-ID": "9f8b6c1e-4d2a-4b7e-8c3d-100000000000", "Authorization": "Bearer \(SampleCall.token)",
      ],
      body: try GetFollowersRequest(userId: SampleCall.userId, limit: SampleCall.count).jsonUTF8())
  }
}

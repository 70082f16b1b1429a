import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaSDK

extension Kernel {
  static let calls: [Kernel] = [
    plain("mock-request") {
      let backend = MockBackend(dataSet: .guide)
      let request = HTTPRequest(
        method: .post, url: try HTTPURL(parsing: "http://localhost/api/v1/graph/followers"),
        body: try GetFollowersRequest(userId: "mock-user-id", limit: 20).jsonUTF8())
      return {
        let response = backend.respond(to: request)
        precondition(response.status == 200)
      }
    },
    asynchronous("mock-call") {
      let client = APIClient(
        configuration: try Self.configuration("http://localhost"),
        transport: MockTransport(MockBackend(dataSet: .guide)))
      return {
        _ = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "mock-user-id", limit: 20))
      }
    },
    asynchronous("stub-call") {
      let configuration = try Self.configuration("https://api.example")
      let transport = InstantTransport()
      let session = Session(
        accessToken: try AccessToken(token), refreshToken: try refreshToken(), expiresAt: 1 << 40,
        user: User(id: "u", email: "u@example.com"))
      let sessions = SessionManager(
        store: MemorySessionStore(StoredSession(session: session, origin: "https://api.example")),
        auth: AuthService(client: APIClient(configuration: configuration, transport: transport)))
      let client = APIClient(configuration: configuration, transport: transport, tokens: sessions)
      return { _ = try await client.call(GraphRPC.getFollowers, followersRequest) }
    },
    // What a server does for each request that it handles: the client's services, with the token of the request.
    plain("with-token") {
      let nova = NovaClient(configuration: try configuration("https://api.example"), transport: InstantTransport())
      let token = try AccessToken(Self.token)
      return {
        let graph = nova.with { $0.token = token }.graph
        withExtendedLifetime(graph) {}
      }
    },
  ]

  private static func configuration(_ baseURL: String) throws -> APIConfiguration {
    try APIConfiguration(ConfigurationOverrides(baseURL: baseURL))
  }

  private static func refreshToken() throws -> RefreshToken {
    guard let token = RefreshToken("refresh-token") else { throw APIError(.invalidArgument, "malformed refresh token") }
    return token
  }

  /// A token of the length that tokens have.
  private static let token = String(repeating: "abcdefghijklmnopqrstuvwxyz012345", count: 12) + ".x.y"
}

/// Responds at once with 20 ids and the headers that nginx sends.
private struct InstantTransport: HTTPTransport {
  private static let body: [UInt8] = {
    let ids = Kernel.ids(20).map { "\"\($0)\"" }
    return Array(#"{"user_ids":[\#(ids.joined(separator: ","))],"total_count":3021,"has_more":true}"#.utf8)
  }()

  private static let response = HTTPResponse(
    status: 200,
    headers: [
      "Server": "nginx/1.22.1", "Date": "Mon, 03 Nov 2025 12:00:00 GMT", "Content-Type": "application/json",
      "Content-Length": "\(body.count)", "Connection": "keep-alive",
    ], body: body)

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { Self.response }
}

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
      let caller = try client("https://api.example", InstantTransport.json())
      return { _ = try await caller.call(GraphRPC.getFollowers, followersRequest) }
    },
    // What a server does for each request that it handles: the client's services, with the token of the request.
    plain("with-token") {
      let nova = NovaClient(
        configuration: try configuration("https://api.example"), transport: try InstantTransport.json())
      let token = try AccessToken(Self.token)
      return {
        let graph = nova.with { $0.token = token }.graph
        withExtendedLifetime(graph) {}
      }
    },
  ]

  /// A client with a session.
  static func client(_ baseURL: String, _ transport: some HTTPTransport) throws -> APIClient {
    let configuration = try configuration(baseURL)
    let session = Session(
      accessToken: try AccessToken(token), refreshToken: try refreshToken(), expiresAt: 1 << 40,
      user: User(id: "u", email: "u@example.com"))
    let sessions = SessionManager(
      store: MemorySessionStore(StoredSession(session: session, origin: baseURL)),
      auth: AuthService(client: APIClient(configuration: configuration, transport: transport)))
    return APIClient(configuration: configuration, transport: transport, tokens: sessions)
  }

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

/// Responds at once with the headers that nginx sends.
struct InstantTransport: HTTPTransport {
  /// Responds with 20 ids.
  static func json() throws -> InstantTransport {
    InstantTransport(try Kernel.followers(20).jsonUTF8(), contentType: "application/json")
  }

  private let response: HTTPResponse

  init(_ body: [UInt8], contentType: String) {
    response = HTTPResponse(
      status: 200,
      headers: [
        "Server": "nginx/1.22.1", "Date": "Mon, 03 Nov 2025 12:00:00 GMT", "Content-Type": contentType,
        "Content-Length": "\(body.count)", "Connection": "keep-alive",
      ], body: body)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
}

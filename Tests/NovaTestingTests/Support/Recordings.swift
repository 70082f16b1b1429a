import Foundation
import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting

/// A folder that goes when the value does.
final class RecordingFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "cassette.jsonl") -> String { "\(path)/\(name)" }

  func bytes(_ name: String = "cassette.jsonl") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file(name))))
  }

  func mode(_ name: String = "cassette.jsonl") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension HTTPRequest {
  /// A request with JSON, or none.
  static func json(_ method: HTTPMethod, _ path: String, _ body: String = "", host: String = "http://localhost:8080")
    -> HTTPRequest
  {
    HTTPRequest(
      method: method, url: host + path, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}

/// Records requests, answered by `respond`.
func recording(
  _ requests: [HTTPRequest],
  _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { _ in .json("{}") }
) async throws -> Cassette {
  let recorder = Recorder(clock: ManualClock())
  let transport = recorder.recording(RecordingTransport { _, request in respond(request) })
  for request in requests { _ = try await transport.send(request) }
  return recorder.cassette
}

extension HTTPResponse {
  static func json(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}

/// Somebody signs in, asks who they are, refreshes, follows somebody, follows themselves, and signs out.
struct SignedInStory {
  static let password = "mock-password"
  var userID = ""
  var secrets: [String] = [password]

  static func run(_ transport: any HTTPTransport, _ middlewares: [any Middleware] = []) async throws -> SignedInStory {
    var story = SignedInStory()
    let client = try APIClient.test(transport, middlewares: middlewares)
    let auth = AuthService(client: client)
    let login = try await auth.login(LoginRequest(email: "bruce@nova.social", password: password))
    story.userID = login.userId
    story.secrets += [login.token, login.refreshToken]
    client.setAuthToken(login.token)
    _ = try await auth.verifyToken(VerifyTokenRequest(token: login.token))
    let graph = GraphService(client: client)
    _ = try await graph.createFollow(CreateFollowRequest(followerId: login.userId, followeeId: "user-0001"))
    _ = await apiError {
      try await graph.respond(
        GraphRPC.createFollow, CreateFollowRequest(followerId: login.userId, followeeId: login.userId))
    }
    let refreshed = try await auth.refresh(RefreshRequest(refreshToken: login.refreshToken))
    story.secrets += [refreshed.token, refreshed.refreshToken].filter { !$0.isEmpty }
    // None comes back while the old one stays good.
    let last = refreshed.refreshToken.isEmpty ? login.refreshToken : refreshed.refreshToken
    _ = try await auth.logout(LogoutRequest(refreshToken: last))
    return story
  }
}

extension GraphService {
  fileprivate func respond<Request, Response>(_ rpc: RPC<Request, Response>, _ request: Request) async throws
    -> Response
  {
    try await client.call(rpc, request, options: CallOptions(checksArguments: false))
  }
}

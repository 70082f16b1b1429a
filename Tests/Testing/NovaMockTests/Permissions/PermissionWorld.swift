import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaCrypto
import NovaGraph
import NovaMedia
import NovaMock
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// A backend with everything that the permission table names, which each call finds as it was.
struct PermissionWorld {
  private let mock = MockCaller(dataSet: .guide)
  private let snapshot: MockSnapshot
  private let tokens: [Caller: String]
  private let names: [String: String]
  private static let file: [UInt8] = [1, 2, 3]

  var backend: MockBackend { mock.backend }

  init() throws {
    let mock = mock
    var (tokens, names) = ([Caller: String](), [String: String]())
    func register(_ name: String) throws -> RegisterResponse {
      let account = try mock.call(
        AuthRPC.register,
        RegisterRequest(email: "\(name)@nova.example", username: "the_\(name)", password: "a-password"))
      names["$\(name)"] = account.userId
      return account
    }
    for caller in Caller.users { tokens[caller] = try register(caller.rawValue).token }
    names["$private"] = try register("private").userId
    let login = LoginRequest(email: "actor@nova.example", password: "a-password")
    names["$refresh"] = try mock.call(AuthRPC.login, login).refreshToken
    let closed = try mock.call(AuthRPC.login, login)
    _ = try mock.call(AuthRPC.logout, LogoutRequest(refreshToken: closed.refreshToken))
    tokens[.departed] = closed.token
    tokens[.forger] = String((tokens[.actor] ?? "").dropLast(4)) + "AAAA"

    func id(_ name: String) -> String { names["$\(name)"] ?? "" }
    _ = try mock.call(UserRPC.updateUserProfile, .init(userId: id("private"), isPrivate: true))
    for blocker in ["actor", "author"] {
      _ = try mock.call(GraphRPC.createBlock, .init(blockerId: id(blocker), blockedId: id("blocked")))
    }
    _ = try mock.call(GraphRPC.createFollow, .init(followerId: id("actor"), followeeId: id("friend")))
    _ = try mock.call(GraphRPC.createMute, .init(muterId: id("actor"), muteeId: id("author")))
    _ = try mock.call(GraphRPC.createMute, .init(muterId: id("author"), muteeId: id("actor")))
    let post = try mock.call(ContentRPC.createPost, .init(creatorId: id("author"), content: "p")).post?.id ?? ""
    let comment = CreateCommentRequest(postId: post, userId: id("actor"), content: "c")
    names["$post"] = post
    names["$comment"] = try mock.call(SocialRPC.createComment, comment).comment?.id
    _ = try mock.call(CaptureRPC.createSomething, .init(content: "c"), token: tokens[.actor])

    let upload = StartUploadRequest(userId: id("actor"), fileName: "a.png", fileSize: 3, contentType: "image/png")
    names["$begun"] = try mock.call(MediaRPC.startUpload, upload).upload?.id
    let start = try mock.call(MediaRPC.startUpload, upload)
    try #require(mock.put(Self.file, to: start.uploadUrl, range: nil, digest: nil).status == 200)
    names["$upload"] = try mock.complete(start.upload?.id ?? "", Self.file).id
    names["$digest"] = Hexadecimal.encode(try SHA256.digest(of: Self.file))
    (self.tokens, self.names) = (tokens, names)
    snapshot = mock.backend.snapshot()
  }

  /// The status for a caller.
  func status(of row: PermissionRow, by caller: Caller) async throws -> GRPCStatus? {
    mock.backend.restore(snapshot)
    let rpc = try #require(RPCRegistry.nova.rpc(named: row.rpc), "there is no RPC \(row.rpc)")
    let json = names.reduce(row.request) { $0.replacing("\($1.key)\"", with: "\($1.value)\"") }
    try #require(!json.contains("$"), "a name is not known: \(json)")
    let (path, body) = try HTTPTranscoder.request(try rpc.requestType.init(jsonUTF8: Array(json.utf8)), rpc.http)
    return try await status(HTTPRequest(method: rpc.http.method, url: HTTPURL(received: path), body: body), caller)
  }

  /// The status for a caller that sends bytes to the actor's upload.
  func statusOfBytes(by caller: Caller) async throws -> GRPCStatus? {
    mock.backend.restore(snapshot)
    let path = "/api/v1/media/upload/\(names["$begun"] ?? "")/bytes"
    return try await status(HTTPRequest(method: .put, url: HTTPURL(received: path), body: Self.file), caller)
  }

  private func status(_ request: HTTPRequest, _ caller: Caller) async throws -> GRPCStatus? {
    var request = request
    request.headers["Authorization"] = tokens[caller].map { "Bearer \($0)" }
    // A streamed response is dropped.
    let response = try await mock.backend.answer(request)
    return response.isSuccess ? nil : Refusal(response).grpcStatus ?? .unknown
  }
}

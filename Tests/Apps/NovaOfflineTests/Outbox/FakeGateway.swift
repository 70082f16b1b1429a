import NovaCore
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// The caller and the host of an outbox, and the gateway: answers by a script, and records what it was asked.
final class FakeGateway: OutboxHost, OutboxCaller {
  let connectivity: Connectivity
  let isOwn = true
  let hasLoop = true

  init(_ connectivity: Connectivity = Connectivity()) { self.connectivity = connectivity }

  struct Call: Sendable {
    var rpc: String
    var request: any ProtoMessage
    var key: String
    var identity: Identity

    /// The RPC's method, and the text by which tests tell requests apart: `CreateLike p1`.
    var name: String { "\(rpc.split(separator: ".").last ?? "") \(Self.subject(request))" }

    static func subject(_ request: any ProtoMessage) -> String {
      switch request {
      case let request as CreateLikeRequest: request.postId
      case let request as DeleteLikeRequest: request.postId
      case let request as CreateCommentRequest: request.content
      case let request as UpdateCommentRequest: "\(request.commentId)=\(request.content)"
      case let request as DeleteCommentRequest: request.commentId
      case let request as CreateShareRequest: request.postId
      default: type(of: request).descriptor.name
      }
    }
  }

  struct State: Sendable {
    var identity = Identity.me
    var calls: [Call] = []
    var confirmed: [(id: Int64, hasResponse: Bool)] = []
    var changes = 0
    var reads: [WriteCheck] = []
    var answer: @Sendable (Call) async throws -> any ProtoMessage = { FakeGateway.success($0) }
    var read: @Sendable (WriteCheck) throws -> any ProtoMessage = { $0.rpc.responseType.init() }
    var confirmationFails = false
  }

  let state = Locked(State())

  var calls: [String] { state.withLock { $0.calls.map(\.name) } }
  var keys: [String] { state.withLock { $0.calls.map(\.key) } }
  var confirmed: [Int64] { state.withLock { $0.confirmed.map(\.id) } }

  func answer(_ body: @escaping @Sendable (Call) async throws -> any ProtoMessage) {
    state.withLock { $0.answer = body }
  }

  /// Fails each call with this error.
  func fail(_ error: APIError) { answer { _ in throw error } }

  func succeed() { answer { FakeGateway.success($0) } }

  /// Signs a user in; nil signs out.
  func signIn(_ identity: Identity?) { state.withLock { $0.identity = identity ?? .nobody } }

  /// What the gateway answers when all is well: a comment gets the id `real-` and its text.
  static func success(_ call: Call) -> any ProtoMessage {
    switch call.request {
    case let request as CreateCommentRequest:
      CreateCommentResponse(success: true, comment: Comment(id: "real-\(request.content)", postId: request.postId))
    case is UpdateCommentRequest: UpdateCommentResponse(success: true)
    case is DeleteCommentRequest: DeleteCommentResponse(success: true)
    case is CreateLikeRequest: CreateLikeResponse(success: true)
    case is DeleteLikeRequest: DeleteLikeResponse(success: true)
    case is CreateShareRequest: CreateShareResponse(success: true)
    default: CreateLikeResponse()
    }
  }

  // MARK: OutboxCaller

  var knownIdentity: Identity? { state.withLock { $0.identity } }

  func identity() async throws -> Identity { state.withLock { $0.identity } }

  func send(_ entry: OutboxEntry) async throws -> SentWrite {
    let call = Call(rpc: entry.rpc.id, request: entry.request, key: entry.key, identity: entry.identity)
    let (answer, now) = state.withLock { ($0.answer, $0.identity) }
    guard now == entry.identity else { throw APIError.callerChanged(isSignedOut: now.isAnonymous) }
    state.withLock { $0.calls.append(call) }
    let report = CallReport(rpc: entry.rpc.id, requestID: "r", duration: .zero, failure: nil, attempts: [])
    return SentWrite(APIResponse(value: try await answer(call), report: report))
  }

  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage {
    let read = state.withLock { state in
      state.reads.append(check)
      return state.read
    }
    return try read(check)
  }

  // MARK: OutboxHost

  func confirmed(_ entry: OutboxEntry, by sent: SentWrite?, isRepeated: Bool) async throws {
    let fails = state.withLock { state in
      state.confirmed.append((entry.id, sent != nil))
      return state.confirmationFails
    }
    if fails { throw APIError(.failedPrecondition, "the cache is full") }
  }

  func changed(_ identity: Identity?) { state.withLock { $0.changes += 1 } }
}

extension Identity {
  static let me = user("me")
  static let other = user("other")
  static let another = user("another")
  static let nobody = Identity(gateway: "https://nova.example", caller: .anonymous)

  static func user(_ id: String, at gateway: String = "https://nova.example") -> Identity {
    Identity(gateway: gateway, caller: .user(id))
  }

  static func token(_ byte: String) -> Identity {
    Identity(gateway: "https://nova.example", caller: .token(fingerprint: String(repeating: byte, count: 32)))
  }
}

extension APIError {
  /// The error of a response with this status.
  static func status(_ status: Int, headers: HTTPHeaders = [:], body: String = "{}") -> APIError {
    var headers = headers
    headers["Content-Type"] = "application/json"
    var error = APIError(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
    error.retryAfter = RetryAfter.wait(headers, unixTime: 0)
    return error
  }

  /// No connection: nothing left.
  static let unreachable = APIError(
    .networkError, "refused",
    transport: TransportError(.connectionRefused, "refused", requestMayHaveLeft: false))

  /// The connection broke after the request.
  static let lost = APIError(
    .networkError, "lost", transport: TransportError(.connectionLost, "lost", requestMayHaveLeft: true))
}

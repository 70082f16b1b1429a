package import NovaCore
import NovaMock

/// A request as the server received it.
package struct ReceivedRequest: Sendable {
  /// The maximum size of a body in bytes, except for the bytes of uploads, which are never in memory as a whole.
  static let bodyLimit = 8 << 20

  package let method: HTTPMethod
  /// A path with its query, or a URL.
  package let target: String
  /// Whether the HTTP version requires a `Host`.
  var needsHost = true
  package let headers: HTTPHeaders
  var body: [UInt8] = []
  /// Whether the headers announce a body, which may arrive later.
  var announcesBody = false

  /// The target as the client has written it; `target` has a normal form.
  var writtenTarget: String?

  var isAdmin: Bool { AdminAPI.isAdmin(target) }

  /// The request for a gateway.
  ///
  /// - Parameter body: a body that is still arriving; nil for the one that was received.
  func forwarded(_ body: HTTPBody?) -> HTTPRequest {
    HTTPRequest(
      method: method, url: HTTPURL(received: writtenTarget ?? target), headers: headers, body: body ?? .bytes(self.body)
    )
  }
}

/// Handles requests: checks their origin, passes them to the admin API or the backend, and logs them.
struct Application: Sendable {
  /// The contract's limits for transfers, which also limit the delays of faults.
  static let limits = TransferLimits(idleTimeout: .seconds(300), totalTimeout: .seconds(300))

  let backend: MockBackend
  /// Nil for none.
  let admin: AdminAPI?
  let policy: RequestPolicy
  let log: (@Sendable (String) -> Void)?
  /// The clock for limited bandwidth.
  var clock: any CallClock = ContinuousClock()
  /// Nil for none.
  var notices: RefusalNotices?
  #if Server
    var webSockets: [WebSocketEndpoint] = []
    var health = HealthState()
    /// Passes every request on in place of the backend; nil for no proxy.
    var proxy: GatewayProxy?
  #endif

  #if Server
    /// Whether the body of a request is passed on while it arrives.
    func passesBody(of request: ReceivedRequest) -> Bool {
      guard policy.refusal(of: request, hasBody: true) == nil else { return false }
      return proxy != nil || backend.source != nil && !isForAdmin(request)
    }
  #endif

  private func isForAdmin(_ request: ReceivedRequest) -> Bool { admin != nil && request.isAdmin }

  /// Whether the request's headers suffice to refuse it.
  func refusesHead(of request: ReceivedRequest) -> Bool { policy.refusal(of: request) != nil }

  /// The response to a request whose client has not sent the announced body, and need not; nil if the body matters.
  func refusal(ofAnnounced request: ReceivedRequest, size: Int, chunk: IncomingChunk?) async -> Answer? {
    if policy.refusal(of: request, hasBody: true) != nil { return await answer(request, hasBody: true) }
    if let chunk {
      guard chunk.isRefused else { return nil }
      chunk.leaveUnread()
      return await answer(request, chunk: chunk)
    }
    if backend.source != nil, !isForAdmin(request) { return nil }
    #if Server
      if proxy != nil { return nil }
    #endif
    if size > ReceivedRequest.bodyLimit { return .response(Refusal.tooLarge) }
    let call = HTTPRequest(method: request.method, url: HTTPURL(received: request.target), headers: request.headers)
    let isRefused = admin != nil && request.isAdmin ? AdminAPI.refusesHead(of: call) : backend.refusesHead(of: call)
    return isRefused ? await answer(request) : nil
  }

  /// Prepares to receive the bytes of an upload; nil for every other request.
  func incomingChunk(_ request: ReceivedRequest) -> IncomingChunk? {
    guard request.method == .put, !request.isAdmin, backend.source == nil else { return nil }
    #if Server
      if proxy != nil { return nil }
    #endif
    let head = HTTPRequest(method: .put, url: HTTPURL(received: request.target), headers: request.headers)
    let chunk = backend.incomingChunk(head)
    if let chunk { backend.limitBandwidth(of: chunk, head, clock: clock) }
    return chunk
  }

  /// - Parameters:
  ///   - chunk: the bytes of an upload, in place of the body.
  ///   - body: a body that is still arriving; nil for the one that was received.
  ///   - hasBody: whether there is a body that was not received. Default: what was received.
  func answer(
    _ request: ReceivedRequest, chunk: IncomingChunk? = nil, body: HTTPBody? = nil, hasBody: Bool? = nil
  ) async -> Answer {
    guard let log else { return await sharedAnswer(request, chunk: chunk, body: body, hasBody: hasBody) }
    let start = ContinuousClock.now
    let answer = await sharedAnswer(request, chunk: chunk, body: body, hasBody: hasBody)
    let duration = (ContinuousClock.now - start).milliseconds
    let result = answer.status.map(String.init) ?? "no answer"
    log("\(request.method.rawValue) \(request.target.printable(to: 300)) \(result) \(duration) ms")
    return answer
  }

  /// The response with the headers that let pages of allowed origins read it.
  func shared(_ response: HTTPResponse, with received: ReceivedRequest) -> HTTPResponse {
    guard policy.allowsOrigins, !received.isAdmin else { return response }
    var response = response
    if let origin = policy.allowedOrigin(of: received) {
      CrossOriginHeaders.allow(origin, toRead: &response, of: received)
    }
    CrossOriginHeaders.vary(&response)
    return response
  }

  private func sharedAnswer(
    _ received: ReceivedRequest, chunk: IncomingChunk?, body: HTTPBody?, hasBody: Bool?
  ) async -> Answer {
    let answer = await checkedAnswer(received, chunk: chunk, body: body, hasBody: hasBody)
    guard case .response(let response?) = answer else { return answer }
    return .response(shared(response, with: received))
  }

  private func checkedAnswer(
    _ received: ReceivedRequest, chunk: IncomingChunk?, body: HTTPBody?, hasBody: Bool?
  ) async -> Answer {
    if let failure = policy.refusal(of: received, hasBody: hasBody) {
      noteRefusal(of: received, failure)
      return .response(failure.response)
    }
    if policy.allowedOrigin(of: received) != nil, CrossOriginHeaders.isPreflight(received) {
      return .response(CrossOriginHeaders.preflight(for: received))
    }
    if let response = Self.responseOfServer(to: received) { return .response(response) }
    #if Server
      if let endpoint = webSockets.first(where: { $0.serves(received) }) { return await endpoint.answer(received) }
    #endif
    return .response(await response(to: received, chunk, body))
  }

  /// Notes a refused request for the inspector, because who waits for its response may not see it: browsers hide it from
  /// pages.
  func noteRefusal(of received: ReceivedRequest, _ failure: MockFailure, over protocolName: String = "HTTP") {
    let request = HTTPRequest(
      method: received.method, url: HTTPURL(received: received.target), headers: received.headers, body: received.body)
    backend.noteRefusal(of: request, over: protocolName, failure)
    notices?.note(failure)
  }

  /// The methods that some resource supports.
  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  /// The response to a request that concerns no resource.
  private static func responseOfServer(to received: ReceivedRequest) -> HTTPResponse? {
    if received.method.rawValue == "CONNECT" { return Refusal.notAProxy }
    guard received.method.rawValue == "OPTIONS", received.target == "*" else { return nil }
    return HTTPResponse(status: 204, headers: ["Allow": Self.methods.joined(separator: ", ")])
  }

  /// Nil if a fault drops it, or a gateway does.
  private func response(
    to received: ReceivedRequest, _ chunk: IncomingChunk?, _ body: HTTPBody?
  ) async -> HTTPResponse? {
    #if Server
      if let proxy { return try? await proxy.send(received.forwarded(body)) }
    #endif
    let hasSource = backend.source != nil && !isForAdmin(received)
    // HEAD is handled like GET, and its body is not sent; only files and gateways distinguish the two.
    let isGet = received.method == .head && !hasSource && !MockBackend.isStoredFile(received.target)
    let request = HTTPRequest(
      method: isGet ? .get : received.method, url: HTTPURL(received: received.target),
      headers: received.headers, body: body ?? .bytes(received.body), limits: Self.limits)
    if let admin {
      if received.isAdmin { return await admin.respond(to: request) }
      if request.method == .get, request.url.path == "/", !hasSource { return AdminAPI.pointer }
    }
    if hasSource {
      do {
        return try await backend.answer(request)
      } catch HTTPBodyError.tooLarge {
        return Refusal.tooLargeToReplay
      } catch {
        return nil
      }
    }
    if let chunk { return try? await backend.answer(request, chunk: chunk) }
    return try? await backend.answer(request)
  }
}

/// The answer to a request.
enum Answer: Sendable {
  /// Nil drops the connection.
  case response(HTTPResponse?)
  #if Server
    case webSocket(WebSocketAcceptance)
  #endif

  /// The response's status; nil without a response.
  var status: Int? {
    switch self {
    case .response(let response): response?.status
    #if Server
      case .webSocket: 101
    #endif
    }
  }
}

/// Responses to requests that never become calls, in the gateway's format.
enum Refusal {
  static let tooLarge = MockFailure(
    .invalidArgument, "the body is larger than \(ReceivedRequest.bodyLimit >> 20) MiB", httpStatus: 413
  ).response

  static let tooLargeToReplay = MockFailure(
    .invalidArgument, "the body is larger than 64 MiB, more than a recording contains", httpStatus: 413
  ).response

  /// A later attempt can succeed.
  static let noRoom = MockFailure(
    .unavailable, "the server's memory limit for requests and responses is reached; try again later",
    headers: ["Retry-After": "1"]
  ).response

  static let notAProxy = MockFailure(.unimplemented, "nova serve is no proxy: CONNECT is not supported").response

  static let unknownMethod = MockFailure(
    .unimplemented, "unknown method; use GET, HEAD, POST, PUT, PATCH, DELETE, or OPTIONS")

  static let unreadableFile = MockFailure(.unavailable, "the file's bytes cannot be read").response
}

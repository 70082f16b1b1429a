import NovaCore
import NovaMock

/// A request as the server received it.
struct ReceivedRequest: Sendable {
  /// The maximum size of a body in bytes.
  static let bodyLimit = 8 << 20

  let method: HTTPMethod
  /// A path with its query, or a URL.
  let target: String
  /// Whether the HTTP version requires a `Host`.
  var needsHost = true
  let headers: HTTPHeaders
  var body: [UInt8] = []

  var isAdmin: Bool { AdminAPI.isAdmin(target) }
}

/// Handles requests: checks their origin, passes them to the admin API or the backend, and logs them.
struct Application: Sendable {
  /// The contract's limits for transfers, which also limit the delays of faults.
  private static let limits = TransferLimits(idleTimeout: .seconds(300), totalTimeout: .seconds(300))

  let backend: MockBackend
  /// Nil for none.
  let admin: AdminAPI?
  let policy: RequestPolicy
  let log: (@Sendable (String) -> Void)?

  /// Returns the response; nil if a fault drops it.
  func answer(_ request: ReceivedRequest) async -> HTTPResponse? {
    guard let log else { return await checkedAnswer(request) }
    let start = ContinuousClock.now
    let response = await checkedAnswer(request)
    let duration = (ContinuousClock.now - start).milliseconds
    let result = response.map { String($0.status) } ?? "no answer"
    log("\(request.method.rawValue) \(request.target.printable(to: 300)) \(result) \(duration) ms")
    return response
  }

  private func checkedAnswer(_ received: ReceivedRequest) async -> HTTPResponse? {
    if let refusal = policy.refusal(of: received) { return refusal }
    // HEAD is handled like GET; its body is not sent.
    let request = HTTPRequest(
      method: received.method.rawValue == "HEAD" ? .get : received.method, url: HTTPURL(received: received.target),
      headers: received.headers, body: received.body, limits: Self.limits)
    if let admin {
      if received.isAdmin { return await admin.respond(to: request) }
      if request.method == .get, request.url.path == "/" { return AdminAPI.pointer }
    }
    return try? await backend.answer(request)
  }
}

/// Responses to requests that never become calls, in the gateway's format.
enum Refusal {
  static let tooLarge = response(
    status: 413, .invalidArgument, "the body is larger than \(ReceivedRequest.bodyLimit >> 20) MiB")

  /// A later attempt can succeed.
  static let noRoom: HTTPResponse = {
    var response = Refusal.response(
      status: 503, .unavailable, "the server's memory limit for requests and responses is reached; try again later")
    response.headers["Retry-After"] = "1"
    return response
  }()

  static func response(status: Int, _ code: GRPCStatus, _ message: String) -> HTTPResponse {
    .json(
      .members(
        ("code", .number(String(code.rawValue))), ("message", .string(message)), ("details", .array([]))),
      status: status)
  }
}

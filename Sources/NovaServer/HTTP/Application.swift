import NovaCore
import NovaMock

/// A request as the server received it.
struct ReceivedRequest: Sendable {
  /// The largest body, in bytes.
  static let bodyLimit = 8 << 20

  let method: HTTPMethod
  /// A path with its query, or a URL.
  let target: String
  /// Whether its version of HTTP requires a `Host`.
  var needsHost = true
  let headers: HTTPHeaders
  var body: [UInt8] = []

  var isAdmin: Bool { AdminAPI.isAdmin(target) }
}

/// Handles requests: checks their origin, passes them to the admin API or the backend, and logs them.
struct Application: Sendable {
  /// No answer takes longer, whatever a fault says: the contract allows no transfer to.
  private static let limits = TransferLimits(idleTimeout: .seconds(300), totalTimeout: .seconds(300))

  let backend: MockBackend
  /// Nil when there is none.
  let admin: AdminAPI?
  let policy: RequestPolicy
  let log: (@Sendable (String) -> Void)?

  /// The answer; nil where a fault says that there is none.
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
    // What HEAD asks for is what GET would answer.
    let request = HTTPRequest(
      method: received.method.rawValue == "HEAD" ? .get : received.method, url: HTTPURL(received: received.target),
      headers: received.headers, body: received.body, limits: Self.limits)
    if let admin, received.isAdmin { return await admin.respond(to: request) }
    return try? await backend.answer(request)
  }
}

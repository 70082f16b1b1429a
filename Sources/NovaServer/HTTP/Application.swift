import NovaCore
import NovaMock

/// What the server does with a request: asks the admin API or the backend, and logs.
struct Application: Sendable {
  /// No answer takes longer, whatever a fault says: the contract allows no transfer to.
  private static let limits = TransferLimits(idleTimeout: .seconds(300), totalTimeout: .seconds(300))

  let backend: MockBackend
  /// Nil when there is none.
  let admin: AdminAPI?
  let log: (@Sendable (String) -> Void)?

  /// The answer; nil where a fault says that there is none.
  func answer(_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]) async -> HTTPResponse? {
    guard let log else { return await answer(request(method, target, headers, body)) }
    let start = ContinuousClock.now
    let response = await answer(request(method, target, headers, body))
    let duration = (ContinuousClock.now - start).milliseconds
    let result = response.map { String($0.status) } ?? "no answer"
    log("\(method.rawValue) \(target.printable(to: 300)) \(result) \(duration) ms")
    return response
  }

  /// What HEAD asks for is what GET would answer.
  private func request(
    _ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method.rawValue == "HEAD" ? .get : method, url: target, headers: headers, body: body, limits: Self.limits)
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    if let admin, AdminAPI.isAdmin(request.url) { return await admin.respond(to: request) }
    return try? await backend.answer(request)
  }
}

import NovaAnalytics
import NovaCore
import NovaMock

/// The mock backend, which records every request, and refuses requests if a test wants that.
final class AnalyticsGateway: HTTPTransport {
  /// Returns the response; nil for the backend's own.
  typealias Script = @Sendable (_ number: Int, _ request: RecordEventsRequest) async throws -> HTTPResponse?

  let backend = MockBackend(dataSet: .empty)
  private let script = Locked<Script>({ _, _ in nil })
  private let received = Locked<[RecordEventsRequest]>([])
  private let accepted = Locked<[Delivery]>([])

  /// Events that the gateway accepted, and the token they were sent with.
  struct Delivery: Sendable {
    let token: String
    let events: [AnalyticsEvent]
  }

  /// What the gateway has accepted, in order.
  var deliveries: [Delivery] { accepted.withLock { $0 } }
  /// The tokens of all requests, including refused ones.
  let tokens = Locked<[String]>([])
  /// The status with which requests with a token are refused; nil to accept them.
  let refusal = Locked<@Sendable (_ token: String) -> Int?>({ _ in nil })

  /// The requests so far.
  var requests: [RecordEventsRequest] { received.withLock { $0 } }
  /// The events that the backend has recorded, oldest first.
  var events: [AnalyticsEvent] { backend.analyticsEvents }

  func answer(by script: @escaping Script) { self.script.withLock { $0 = script } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let message = try RecordEventsRequest(jsonUTF8: request.body.bytes ?? [])
    let number = received.withLock { requests in
      requests.append(message)
      return requests.count - 1
    }
    let token = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
    tokens.withLock { $0.append(token) }
    if let status = refusal.withLock({ $0 })(token) { return .refusal(status) }
    let script = script.withLock { $0 }
    var request = request
    // The backend accepts no token but its own, and recognizes repeated events by their IDs.
    for name in ["Authorization", "Idempotency-Key"] { request.headers[name] = nil }
    if let answer = try await script(number, message) { return answer }
    accepted.withLock { $0.append(Delivery(token: token, events: message.events)) }
    return backend.respond(to: request)
  }
}

extension HTTPResponse {
  /// A refusal by the service itself.
  static func refusal(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"],
      body: Array(#"{"error":{"code":"REFUSED","message":"no"}}"#.utf8))
  }
}

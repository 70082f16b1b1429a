import NovaAnalytics
import NovaCore
import NovaMock

/// The mock backend, which a test can make refuse requests. It remembers every request.
final class AnalyticsGateway: HTTPTransport {
  /// The answer in place of the backend's; nil for the backend's.
  typealias Script = @Sendable (_ number: Int, _ request: RecordEventsRequest) async throws -> HTTPResponse?

  let backend = MockBackend(dataSet: .empty)
  private let script = Locked<Script>({ _, _ in nil })
  private let received = Locked<[RecordEventsRequest]>([])
  private let accepted = Locked<[Delivery]>([])

  /// Events that the gateway took, and the token that brought them.
  struct Delivery: Sendable {
    let token: String
    let events: [AnalyticsEvent]
  }

  /// What the gateway took, in order.
  var deliveries: [Delivery] { accepted.withLock { $0 } }
  /// The tokens of all requests, also of refused ones.
  let tokens = Locked<[String]>([])
  /// The status for a token in place of an answer; nil for none.
  let refusal = Locked<@Sendable (_ token: String) -> Int?>({ _ in nil })

  /// The requests so far.
  var requests: [RecordEventsRequest] { received.withLock { $0 } }
  /// The events that count, oldest first.
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
    // The backend knows no token but its own, and events count by their ids.
    for name in ["Authorization", "Idempotency-Key"] { request.headers[name] = nil }
    if let answer = try await script(number, message) { return answer }
    accepted.withLock { $0.append(Delivery(token: token, events: message.events)) }
    return backend.respond(to: request)
  }
}

extension HTTPResponse {
  /// The service's own.
  static func refusal(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"],
      body: Array(#"{"error":{"code":"REFUSED","message":"no"}}"#.utf8))
  }
}

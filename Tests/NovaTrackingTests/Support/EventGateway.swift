import NovaAnalytics
import NovaCore
import NovaMock

/// The mock backend, which a test can make refuse requests. It remembers every request.
final class EventGateway: HTTPTransport {
  /// The answer in place of the backend's; nil for the backend's.
  typealias Script = @Sendable (_ number: Int, _ request: RecordEventsRequest) async throws -> HTTPResponse?

  let backend = MockBackend(dataSet: .empty)
  private let script = Locked<Script>({ _, _ in nil })
  private let received = Locked<[RecordEventsRequest]>([])

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
    let script = script.withLock { $0 }
    var request = request
    // The backend knows no token but its own, and events count by their ids.
    for name in ["Authorization", "Idempotency-Key"] { request.headers[name] = nil }
    return try await script(number, message) ?? backend.respond(to: request)
  }
}

extension HTTPResponse {
  static func refusal(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
  }
}

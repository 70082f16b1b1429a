import NovaCore
import NovaTestSupport

/// A gateway that numbers its answers.
final class CountedGateway: HTTPTransport {
  private let count = Locked(0)
  private let delay: Duration
  private let headers: HTTPHeaders
  private let isDown = Locked(false)
  private let gate = Locked<(@Sendable () async throws -> Void)?>(nil)

  init(delay: Duration = .zero, headers: HTTPHeaders = [:]) { (self.delay, self.headers) = (delay, headers) }

  /// The number of requests.
  var requests: Int { count.withLock { $0 } }

  /// Waits before each answer.
  func wait(_ gate: (@Sendable () async throws -> Void)?) { self.gate.withLock { $0 = gate } }

  func goDown() { isDown.withLock { $0 = true } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if let gate = gate.withLock({ $0 }) { try await gate() }
    if isDown.withLock({ $0 }) { return HTTPResponse(status: 503) }
    if delay > .zero { try await Task.sleep(for: delay) }
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(
      status: 200, headers: headers, body: Array(#"{"user_ids":["secret-\#(number)"],"success":true}"#.utf8))
  }
}

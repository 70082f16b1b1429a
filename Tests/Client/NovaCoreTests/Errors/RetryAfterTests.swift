import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

@Suite struct RetryAfterTests {
  private static let json = "application/json"

  private func error(_ client: APIClient, _ options: CallOptions = CallOptions()) async throws -> APIError {
    try #require(
      await apiError {
        try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: options)
      })
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var status: Int
    var header: String?
    var body = ""
    var expected: Duration?

    var testDescription: String { "\(status) \(header ?? "-") \(body)" }
  }

  private static func info(_ delay: String, type: String = "type.googleapis.com/google.rpc.RetryInfo") -> String {
    #"{"code":14,"message":"m","details":[{"@type":"t/google.rpc.Help"},{"@type":"\#(type)",\#(delay)}]}"#
  }

  private static func enclosed(_ failure: String) -> String { "{\"error\":\(failure)}" }

  static let cases: [Case] = [
    Case(status: 429, header: "7", expected: .seconds(7)),
    Case(status: 503, header: "0", expected: .zero),
    Case(status: 404, header: "3", expected: .seconds(3)),
    Case(status: 429, header: "99999999999999999999", expected: .seconds(366 * 86_400)),
    Case(status: 429, header: "Mon, 01 Dec 2025 10:00:05 GMT", expected: .seconds(5)),
    Case(status: 429, header: "Mon, 01 Dec 2025 09:00:00 GMT", expected: .zero),
    Case(status: 429, header: "soon"), Case(status: 429, header: "-5"), Case(status: 503),
    Case(status: 503, body: info(#""retryDelay":"1.5s""#), expected: .milliseconds(1500)),
    Case(status: 503, body: info(#""retry_delay":"2s""#), expected: .seconds(2)),
    Case(status: 503, body: info(#""retryDelay":"-2s""#), expected: .zero),
    Case(status: 503, body: info(#""retryDelay":"300000000000s""#), expected: .seconds(366 * 86_400)),
    Case(status: 503, body: info(#""retryDelay":2"#)), Case(status: 503, body: info(#""retryDelay":"2""#)),
    Case(status: 503, body: info(#""retryDelay":"2s""#, type: "type.googleapis.com/google.rpc.Help")),
    Case(status: 503, body: enclosed(info(#""retryDelay":"2s""#)), expected: .seconds(2)),
    Case(status: 503, body: info(#""retryDelay":{"seconds":"2","nanos":500000000}"#), expected: .milliseconds(2500)),
    Case(status: 503, body: info(#""retry_delay":{"seconds":2}"#), expected: .seconds(2)),
    Case(status: 503, body: info(#""retryDelay":{"seconds":99999999999999}"#)),
    Case(status: 503, body: info(#""value":{"retryDelay":"2s"}"#), expected: .seconds(2)),
    Case(status: 503, body: info(#""retryDelay":"2s""#, type: "google.rpc.RetryInfo"), expected: .seconds(2)),
    Case(
      status: 503, body: #"{"error":"busy","details":[{"@type":"t/google.rpc.RetryInfo","retryDelay":"2s"}]}"#,
      expected: .seconds(2)),
    Case(
      status: 503,
      body: #"{"type":"about:blank","title":"busy","details":[{"@type":"t/google.rpc.RetryInfo","retryDelay":"2s"}]}"#,
      expected: .seconds(2)),
    // The header takes precedence.
    Case(status: 503, header: "4", body: info(#""retryDelay":"2s""#), expected: .seconds(4)),
    Case(status: 503, header: "soon", body: info(#""retryDelay":"2s""#), expected: .seconds(2)),
    // Failures with a success status.
    Case(status: 200, body: enclosed(info(#""retryDelay":"2s""#)), expected: .seconds(2)),
    Case(status: 200, body: info(#""retryDelay":"2s""#), expected: .seconds(2)),
    Case(status: 200, header: "9", body: #"{"error":{"code":"UNAVAILABLE","message":"m"}}"#, expected: .seconds(9)),
  ]

  @Test(arguments: cases)
  func theErrorSaysWhatTheServerAsksFor(_ test: Case) async throws {
    var headers: HTTPHeaders = ["Content-Type": Self.json]
    headers["Retry-After"] = test.header
    let transport = RecordingTransport(status: test.status, headers: headers, test.body)
    #expect(try await error(.test(transport)).retryAfter == test.expected)
  }

  /// A call waits as long as the details ask for, as with the header.
  @Test func theDetailsAreWaitedFor() async throws {
    let transport = RecordingTransport { number, _ in
      let headers: HTTPHeaders = ["Content-Type": Self.json]
      if number > 0 { return HTTPResponse(status: 200, headers: headers, body: Array("{}".utf8)) }
      return HTTPResponse(status: 429, headers: headers, body: Array(Self.info(#""retryDelay":"3s""#).utf8))
    }
    let client = try APIClient.test(
      transport, resilience: Resilience(breaker: nil), clock: ManualClock(autoAdvances: true))
    let response = try await client.respond(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    guard case .retry(let wait, _)? = response.attempts.first?.consequence else {
      Issue.record("\(response.report)")
      return
    }
    #expect(wait == .seconds(3))
  }

  @Test func theMessageSaysHowLong() async throws {
    let transport = RecordingTransport(
      status: 429, headers: ["Content-Type": Self.json], Self.info(#""retryDelay":"2.2s""#))
    #expect(try await error(.test(transport)).message == "the service is not available; the server asks to wait 3 s")
  }

  /// A wait of zero is not reported.
  @Test(arguments: [("0", "{}"), (nil, info(#""retryDelay":"0s""#)), ("00", "")])
  func aWaitOfZeroIsNotReported(_ header: String?, _ body: String) async throws {
    var headers: HTTPHeaders = ["Content-Type": Self.json]
    headers["Retry-After"] = header
    let transport = RecordingTransport(status: 503, headers: headers, body)
    #expect(try await error(.test(transport)).message == "the service is not available")
  }

  @Test func theLastResponseCounts() async throws {
    let transport = RecordingTransport { number, _ in
      HTTPResponse(status: 503, headers: ["Retry-After": ["1", "2", "3"][number]], body: [])
    }
    let clock = ManualClock(autoAdvances: true)
    let client = try APIClient.test(transport, resilience: Resilience(breaker: nil), clock: clock)
    let error = try await error(client)
    #expect(error.attempts.count == 3)
    #expect(error.retryAfter == .seconds(3))
  }

  @Test func aCallThatCannotWaitThatLongSaysSo() async throws {
    let transport = RecordingTransport(
      status: 503, headers: ["Content-Type": Self.json], Self.info(#""retryDelay":"60s""#))
    let client = try APIClient.test(transport, resilience: Resilience(breaker: nil))
    let error = try await error(client, CallOptions(timeout: .seconds(10)))
    #expect(error.attempts.last?.consequence == .stop(reason: .deadlineTooClose(wait: .seconds(60))))
    #expect(error.retryAfter == .seconds(60))
  }

  @Test func theBreakerSaysHowLongItsPauseStillIs() async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { _, _ in
      throw TransportError(.connectionRefused, "test", requestMayHaveLeft: false)
    }
    let breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(5))
    let client = try APIClient.test(
      transport, resilience: Resilience(retry: .never, budget: nil, breaker: breaker), clock: clock)
    #expect(try await error(client).retryAfter == nil)
    clock.advance(by: .seconds(2))
    let refused = try await error(client)
    #expect(refused.transport?.kind == .circuitOpen)
    #expect(refused.retryAfter == .seconds(3))
    // No server has asked for it.
    #expect(refused.serverWait == nil)
  }
}

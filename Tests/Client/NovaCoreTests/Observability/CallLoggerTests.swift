import Logging
import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CallLoggerTests {
  private let ofClient = CapturedLog()
  private let ofCall = CapturedLog()
  private let request = IsMutedRequest(muterId: "a", muteeId: "b")

  private func client(
    _ transport: any HTTPTransport = RecordingTransport("{}"), logger: Logger?, bodyBytes: Int = 0,
    resilience: Resilience = .none
  ) throws -> APIClient {
    try .test(
      transport, overrides: ConfigurationOverrides(logBodyBytes: bodyBytes), resilience: resilience, logger: logger,
      clock: ManualClock(autoAdvances: true))
  }

  private var options: CallOptions {
    var logger = ofCall.logger
    logger[metadataKey: "http.request"] = "42"
    return CallOptions(logger: logger)
  }

  @Test func theCallsLoggerTakesThePlaceOfTheClients() async throws {
    let client = try client(logger: ofClient.logger)
    _ = try await client.call(GraphRPC.isMuted, request, options: options)
    #expect(ofClient.lines.isEmpty)
    #expect(ofCall.lines.count == 2)
    #expect(ofCall.lines.allSatisfy { $0.contains("http.request=42") && $0.contains("request_id=test-request") })
    _ = try await client.call(GraphRPC.isMuted, request)
    #expect(ofCall.lines.count == 2)
    #expect(ofClient.lines.count == 2)
    #expect(ofClient.lines.allSatisfy { !$0.contains("http.request") })
  }

  @Test func aClientWithoutALoggerLogsThatCallAlone() async throws {
    let client = try client(logger: nil, bodyBytes: 100)
    _ = try await client.call(GraphRPC.isMuted, request)
    #expect(ofCall.lines.isEmpty)
    _ = try await client.call(GraphRPC.isMuted, request, options: options)
    // With the configuration's limit of bodies.
    #expect(ofCall.lines.first?.contains(#"body={"muter_id":"a","mutee_id":"b"}"#) == true)
  }

  @Test func eachAttemptIsLoggedWithTheCallsMetadata() async throws {
    let transport = RecordingTransport { number, _ in
      HTTPResponse(status: number == 0 ? 503 : 200, headers: ["Retry-After": "0"], body: Array("{}".utf8))
    }
    let client = try client(transport, logger: ofClient.logger, resilience: Resilience(breaker: nil))
    _ = try await client.call(GraphRPC.isMuted, request, options: options)
    #expect(ofCall.lines.count == 4 && ofCall.lines.allSatisfy { $0.contains("http.request=42") })
  }

  @Test func theLevelOfTheCallsLoggerDecides() async throws {
    var quiet = ofCall.logger
    quiet.logLevel = .info
    let client = try client(logger: ofClient.logger)
    _ = try await client.call(GraphRPC.isMuted, request, options: CallOptions(logger: quiet))
    #expect(ofCall.lines.isEmpty && ofClient.lines.isEmpty)
  }

  @Test func warningsGoThereToo() async throws {
    // More than was asked for.
    let transport = RecordingTransport(#"{"user_ids":["a","b","c"],"total_count":3}"#)
    let client = try client(transport, logger: ofClient.logger)
    _ = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u", limit: 1), options: options)
    #expect(ofClient.lines.isEmpty)
    #expect(ofCall.lines.contains { $0.hasPrefix("warning") && $0.contains("http.request=42") })
  }
}

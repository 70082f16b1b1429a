import CoreMetrics
import MetricsTestKit
import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

/// Against swift-metrics' own test kit.
@Suite struct CallMetricsTests {
  private let rpc = GraphRPC.isMuted.descriptor

  private func report(failure: APIError.Code? = nil, _ attempts: CallAttempt...) -> CallReport {
    CallReport(rpc: rpc.id, requestID: "r", duration: .milliseconds(1500), failure: failure, attempts: attempts)
  }

  @Test func countsCallsAndAttemptsByOutcome() throws {
    let test = TestMetrics()
    let metrics = CallMetrics(factory: test)
    for _ in 0..<3 {
      metrics.callBegan(rpc)
      metrics.callEnded(rpc, report(CallAttempt(duration: .zero, httpStatus: 200)))
    }
    metrics.callBegan(rpc)
    metrics.callEnded(
      rpc,
      report(
        failure: .timeout, CallAttempt(duration: .zero, httpStatus: 503),
        CallAttempt(duration: .zero, failure: .connectionLost), CallAttempt(duration: .zero)))

    func calls(_ outcome: String) throws -> Int64 {
      try test.expectCounter("nova_client_calls", [("rpc", "graph.IsMuted"), ("outcome", outcome)]).totalValue
    }
    func attempts(_ outcome: String) throws -> Int64 {
      try test.expectCounter("nova_client_attempts", [("rpc", "graph.IsMuted"), ("outcome", outcome)]).totalValue
    }
    #expect(try calls("success") == 3)
    #expect(try calls("timeout") == 1)
    #expect(try attempts("200") == 3)
    for outcome in ["503", "connectionLost", "none"] { #expect(try attempts(outcome) == 1) }
    let duration = try test.expectTimer(
      "nova_client_call_duration", [("rpc", "graph.IsMuted"), ("outcome", "success")])
    #expect(duration.values == Array(repeating: 1_500_000_000, count: 3))
    let inFlight = try test.expectMeter("nova_client_calls_in_flight", [("rpc", "graph.IsMuted")])
    #expect(inFlight.values == [0, 1, 0, 1, 0, 1, 0, 1, 0])
    // One of each for every pair of labels, made once.
    #expect(test.counters.count == 6)
    #expect(test.timers.count == 2)
    #expect(test.meters.count == 1)
  }

  @Test func aServerCannotMakeUpLabels() throws {
    let test = TestMetrics()
    let metrics = CallMetrics(factory: test)
    for status in [0, 99, 600, 999, 12345] {
      metrics.callEnded(rpc, report(failure: .invalidResponse, CallAttempt(duration: .zero, httpStatus: status)))
    }
    let other = try test.expectCounter(
      "nova_client_attempts", [("rpc", "graph.IsMuted"), ("outcome", "other")])
    #expect(other.totalValue == 5)
    #expect(test.counters.count == 2)
  }

  @Test func callsFromManyTasksAreAllCounted() async throws {
    let test = TestMetrics()
    let metrics = CallMetrics(factory: test)
    let report = report(CallAttempt(duration: .zero, httpStatus: 200))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          metrics.callBegan(rpc)
          metrics.callEnded(rpc, report)
        }
      }
    }
    let labels = [("rpc", "graph.IsMuted"), ("outcome", "success")]
    #expect(try test.expectCounter("nova_client_calls", labels).totalValue == 200)
    #expect(try test.expectMeter("nova_client_calls_in_flight", [("rpc", "graph.IsMuted")]).lastValue == 0)
  }

  @Test func aClientCountsItsCallsOnceMetricsAreSetUp() async throws {
    let test = TestMetrics()
    let client = APIClient(configuration: .builtIn, transport: RecordingTransport("{}"))
    let request = IsMutedRequest(muterId: "a", muteeId: "b")
    _ = try await client.call(GraphRPC.isMuted, request)
    try await withMetricsFactory(test) { _ = try await client.call(GraphRPC.isMuted, request) }
    let labels = [("rpc", "graph.IsMuted"), ("outcome", "success")]
    #expect(try test.expectCounter("nova_client_calls", labels).totalValue == 1)
    #expect(try test.expectMeter("nova_client_calls_in_flight", [("rpc", "graph.IsMuted")]).values == [0, 1, 0])
    await client.shutdown()
  }

  /// And what does nothing makes nothing.
  @Test func withoutMetricsNothingHappens() {
    let metrics = CallMetrics(factory: NOOPMetricsHandler.instance)
    metrics.callBegan(rpc)
    metrics.callEnded(rpc, report(CallAttempt(duration: .zero, httpStatus: 200)))
  }
}

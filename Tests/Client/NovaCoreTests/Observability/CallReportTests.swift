import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct CallReportTests {
  /// Remembers what it was told.
  private final class Recorder: CallObserver {
    let events = Locked<[String]>([])

    func callBegan(_ rpc: RPCDescriptor) { note("began \(rpc.id)") }
    func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) { note("retry after \(attempt.start)") }
    func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
      note("ended \(report.failure?.rawValue ?? "well") after \(report.attempts.count)")
    }

    private func note(_ text: String) { events.withLock { $0.append(text) } }
  }

  private let clock = ManualClock(autoAdvances: true)

  /// Each answer takes 12 ms.
  private func transport(_ statuses: [Int]) -> RecordingTransport {
    RecordingTransport { [clock] number, _ in
      clock.advance(by: .milliseconds(12))
      let status = statuses[min(number, statuses.count - 1)]
      if status == 0 { throw TransportError(.connectionLost, "test", requestMayHaveLeft: true) }
      return HTTPResponse(status: status, body: Array(#"{"is_muted":true}"#.utf8))
    }
  }

  private let request = IsMutedRequest(muterId: "a", muteeId: "b")

  @Test func aCallTellsItsStory() async throws {
    let client = try APIClient.test(transport([503, 0, 200]), resilience: Resilience(), clock: clock)
    let response = try await client.respond(GraphRPC.isMuted, request)
    #expect(
      response.report.description == """
        graph.IsMuted took 3 s and 3 attempts (request test-request)
          1. after 0 ms: HTTP 503 in 12 ms; retried after 1 s: HTTP 503
          2. after 1 s: connectionLost in 12 ms; retried after 2 s: connectionLost
          3. after 3 s: HTTP 200 in 12 ms
        """)
    #expect(response.attempts.map(\.start) == [.zero, .milliseconds(1012), .milliseconds(3024)])
  }

  @Test func anErrorTellsItToo() async throws {
    let client = try APIClient.test(transport([404]), resilience: Resilience(), clock: clock)
    let error = await apiError { try await client.call(GraphRPC.isMuted, request) }
    #expect(
      error?.report?.description == """
        graph.IsMuted took 12 ms and 1 attempt and failed with notFound (request test-request)
          1. after 0 ms: HTTP 404 in 12 ms; not retried: the failure is permanent
        """)
  }

  @Test func observersSeeEveryCallBeginAndEnd() async throws {
    let observer = Recorder()
    let client = try APIClient.test(
      transport([503, 503, 503, 200]), observer: observer, resilience: Resilience(), clock: clock)
    _ = await apiError { try await client.call(GraphRPC.isMuted, request) }
    _ = try await client.call(GraphRPC.isMuted, request)
    _ = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest()) }
    await client.shutdown()
    _ = await apiError { try await client.call(GraphRPC.isMuted, request) }
    #expect(
      observer.events.withLock { $0 } == [
        "began graph.IsMuted", "retry after 0.0 seconds", "retry after 1.012 seconds", "ended unavailable after 3",
        "began graph.IsMuted", "ended well after 1",
        "began graph.IsMuted", "ended invalidArgument after 0",
        "began graph.IsMuted", "ended cancelled after 0",
      ])
  }

  @Test(arguments: [
    (Duration.zero, "0 ms"), (.microseconds(40), "0 ms"), (.microseconds(1250), "1.3 ms"), (.milliseconds(12), "12 ms"),
    (.milliseconds(999), "999 ms"), (.milliseconds(1000), "1 s"), (.milliseconds(1340), "1.3 s"),
    (.seconds(75), "75 s"),
  ])
  func timesAreShort(time: Duration, text: String) {
    #expect(time.formatted == text)
  }
}

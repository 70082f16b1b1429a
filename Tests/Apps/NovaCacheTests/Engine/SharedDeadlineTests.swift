import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

/// Calls with different deadlines that share a request.
@Suite(.hangLimit)
struct SharedDeadlineTests {
  /// A client with a cache, and a server that responds when the test allows it.
  private struct Fixture {
    private static let rpc = RPC<GetUploadRequest, GetUploadResponse>(
      service: "media", package: "test", method: "GetUpload", effect: .noSideEffects,
      http: HTTPBinding(.get, "/upload/{upload_id}", hasBody: false), summary: "Gets an upload.")

    let clock = ManualClock()
    let gate = Gate()
    let cache: HTTPCache
    let identity: Identity
    let server: RecordingTransport
    let client: APIClient

    init() async throws {
      let (clock, gate) = (clock, gate)
      let cache = HTTPCache(.init(), clock: clock)
      server = RecordingTransport { number, request in
        let timeUp = TransportError(.totalTimeout, "time was up", requestMayHaveLeft: true)
        let end = clock.now.advanced(by: request.limits.totalTimeout)
        return try await Race.run(until: end, clock, timeUp: timeUp) {
          await gate.wait()
          return HTTPResponse(
            status: 200, headers: ["Cache-Control": "max-age=60", "Content-Type": "application/json"],
            body: Array("{\"upload\":{\"id\":\"1\",\"url\":\"\(number)\"}}".utf8))
        }
      }
      client = try .test(server, middlewares: [CacheMiddleware(cache)], clock: clock)
      self.cache = cache
      identity = try await client.identity()
    }

    /// Starts a call, and returns once `count` calls wait for the response.
    func start(_ timeout: Duration, waiting count: Int) async throws -> Task<String, any Error> {
      let client = client
      let task = Task {
        try await client.call(
          Self.rpc, GetUploadRequest(uploadId: "1"), options: CallOptions(timeout: timeout)
        ).upload?.url ?? "none"
      }
      try await waitForWaiters(count)
      return task
    }

    func waitForWaiters(_ count: Int) async throws {
      try await wait("\(count) waiters") { waiterCount == count }
    }

    func waitForRequests(_ count: Int) async throws {
      try await wait("\(count) requests") { server.requests.count >= count }
    }

    private var waiterCount: Int {
      guard let url = server.requests.first?.url else { return 0 }
      return cache.engine.server.flights.waiterCount(CacheKey(url: url, identity: identity))
    }

    /// Ends with the test's time limit.
    private func wait(_ what: String, until isReached: () -> Bool) async throws {
      while !isReached() {
        do { try Task.checkCancellation() } catch {
          Issue.record("no \(what): \(waiterCount) waiters, \(server.requests.count) requests")
          throw error
        }
        await Task.yield()
      }
    }
  }

  /// A call waits for another call's request only until its own deadline.
  @Test func endTheWaitOfTheirCallOnly() async throws {
    let fixture = try await Fixture()
    let first = try await fixture.start(.seconds(30), waiting: 1)
    let second = try await fixture.start(.seconds(2), waiting: 2)
    fixture.clock.advance(by: .seconds(3))
    let error = await apiError { try await second.value }
    #expect(error?.code == .timeout, "\(error?.description ?? "no error")")
    try await fixture.waitForWaiters(1)
    fixture.gate.open()
    #expect(try await first.value == "0")
    #expect(fixture.server.requests.count == 1)
  }

  @Test func leaveOthersWaitingWhenOneIsCancelled() async throws {
    let fixture = try await Fixture()
    let first = try await fixture.start(.seconds(30), waiting: 1)
    let second = try await fixture.start(.seconds(30), waiting: 2)
    second.cancel()
    let error = await apiError { try await second.value }
    #expect(error?.code == .cancelled, "\(error?.description ?? "no error")")
    try await fixture.waitForWaiters(1)
    fixture.gate.open()
    #expect(try await first.value == "0")
    #expect(fixture.server.requests.count == 1)
  }

  /// The timeout of a call does not fail others that have more time: one of them sends another request, which they
  /// share, and which ends with the remaining time.
  @Test func doNotFailOthers() async throws {
    let fixture = try await Fixture()
    let leader = try await fixture.start(.seconds(2), waiting: 1)
    let second = try await fixture.start(.seconds(30), waiting: 2)
    let third = try await fixture.start(.seconds(30), waiting: 3)
    fixture.clock.advance(by: .seconds(3))
    let error = await apiError { try await leader.value }
    #expect(error?.code == .timeout, "\(error?.description ?? "no error")")
    try await fixture.waitForRequests(2)
    try await fixture.waitForWaiters(2)
    #expect(fixture.server.requests.map(\.limits.totalTimeout) == [.seconds(2), .seconds(27)])
    fixture.gate.open()
    #expect(try await [second.value, third.value] == ["1", "1"])
    #expect(fixture.server.requests.count == 2)
  }
}

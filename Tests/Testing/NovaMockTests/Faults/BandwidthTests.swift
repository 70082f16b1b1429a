import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMock

@Suite struct BandwidthTests {
  @Test(arguments: [
    ("bandwidth 20kB/s", 20_000, FaultBandwidth.Direction.both, false), ("bandwidth=20kB/s", 20_000, .both, false),
    ("bandwidth down 1.5Mbit/s", 187_500, .down, false), ("bandwidth up 1 MiB/s", 1_048_576, .up, false),
    ("bandwidth shared 100B/s", 100, .both, true), ("bandwidth both shared 8kbit/s", 1000, .both, true),
    ("media=bandwidth up shared 1GB/s", 1e9, .up, true),
  ])
  func ratesAreRead(
    _ rule: String, _ rate: Double, _ direction: FaultBandwidth.Direction, _ isShared: Bool
  ) throws {
    guard case .bandwidth(let bandwidth)? = try FaultRule(rule).steps.first?.effect else {
      Issue.record("\(rule) is another fault")
      return
    }
    #expect(bandwidth.bytesPerSecond == rate && bandwidth.direction == direction && bandwidth.isShared == isShared)
  }

  @Test(arguments: [
    "bandwidth", "bandwidth 20", "bandwidth 20kB", "bandwidth kB/s", "bandwidth 0B/s", "bandwidth 2GB/s",
    "bandwidth -1kB/s", "bandwidth sideways 1kB/s", "bandwidth 1kB/s down", "bandwidth 1e3B/s", "bandwidth 0.1B/s",
  ])
  func otherRatesAreRefused(_ rule: String) { #expect(throws: FaultRuleError.self) { try FaultRule(rule) } }

  /// A backend on which a post's content has a size.
  private func backend(_ rules: [String], clock: ManualClock, postOf size: Int = 0) throws -> MockBackend {
    let backend = MockBackend(dataSet: .empty, faults: try Faults(rules)) { 0 }
    guard size > 0 else { return backend }
    let content = String(repeating: "x", count: size)
    let response = backend.respond(
      to: HTTPRequest(
        method: .post, url: "/api/v1/content/post/create",
        body: Array(#"{"creator_id":"u","content":"\#(content)"}"#.utf8)))
    try #require(response.status == 200)
    return backend
  }

  private let read = HTTPRequest(
    method: .post, url: "/api/v1/content/post", body: Array(#"{"post_id":"post-1"}"#.utf8))

  @Test func aResponseTakesItsTime() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(["bandwidth down 1kB/s"], clock: clock, postOf: 5000)
    let response = try await MockTransport(backend, clock: clock).send(read)
    let size = response.body.inMemory.count
    #expect(response.status == 200 && size > 5000)
    #expect(clock.elapsed >= .milliseconds(size) && clock.elapsed < .milliseconds(size + 100), "\(clock.elapsed)")
    // The log has the response as it was sent.
    #expect(backend.recentRequests().last?.responseSize == size)
  }

  @Test func aRequestTakesItsTime() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(["bandwidth up 10B/s"], clock: clock)
    var request = read
    request.limits = TransferLimits(idleTimeout: .seconds(300), totalTimeout: .seconds(300))
    _ = try await MockTransport(backend, clock: clock).send(request)
    #expect(clock.elapsed == .seconds(2))
  }

  @Test func aResponseThatTakesTooLongTimesOut() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(["bandwidth 10B/s"], clock: clock, postOf: 9000)
    let error = await #expect(throws: TransportError.self) { try await MockTransport(backend, clock: clock).send(read) }
    #expect(error?.kind == .totalTimeout)
  }

  @Test func anUploadTakesItsTime() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(["media.UploadBytes=bandwidth up 1kB/s"], clock: clock)
    _ = try await backend.answer(
      HTTPRequest(
        method: .post, url: "/api/v1/media/upload/start",
        body: Array(#"{"user_id":"u","file_name":"a.txt","file_size":3000}"#.utf8)), clock: clock)
    let request = HTTPRequest(
      method: .put, url: "/api/v1/media/upload/upload-1/bytes", headers: ["Content-Range": "bytes 0-2999/3000"],
      body: [UInt8](repeating: 7, count: 3000))
    #expect(try await backend.answer(request, clock: clock).status == 200)
    #expect(clock.elapsed == .seconds(3))
    #expect(backend.faults.progress.map(\.hits) == [1])
  }

  @Test(arguments: [(["bandwidth down 1kB/s"], 3), (["bandwidth down shared 1kB/s"], 6)])
  func callsShareABandwidthOrHaveTheirOwn(_ rules: [String], _ seconds: Int) async throws {
    let clock = ManualClock()
    let backend = MockBackend(dataSet: .empty, faults: try Faults(rules)) { 0 }
    let lines = try (0..<2).map { _ in
      let plan = try backend.faultPlan(header: nil, service: "graph", name: "graph.IsMuted", at: clock.moment) {
        RequestKey(head: read, name: nil)
      }
      return plan.limits.compactMap(\.down)
    }
    let start = clock.moment
    let ends = lines.map { $0.send(3000, at: start) }
    #expect(ends.max().map { start.duration(to: $0) } == .seconds(seconds))
  }

  @Test func ofSeveralLimitsTheSlowestDecides() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(
      ["bandwidth 10kB/s", "content=bandwidth 1kB/s", "latency 1s"], clock: clock, postOf: 2000)
    let size = try await MockTransport(backend, clock: clock).send(read).body.inMemory.count
    #expect(clock.elapsed >= .milliseconds(1000 + size), "\(clock.elapsed)")
    #expect(backend.recentRequests().last?.fault == "bandwidth 10kB/s, bandwidth 1kB/s, latency 1s")
  }

  @Test func itCanBeThatOfOneRequest() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend([], clock: clock, postOf: 1000)
    var request = read
    request.headers["Nova-Fault"] = "bandwidth down 1kB/s"
    _ = try await MockTransport(backend, clock: clock).send(request)
    #expect(clock.elapsed >= .seconds(1))
  }

  @Test func eventsOverWebSocketTakeTheirTime() async throws {
    let clock = ManualClock(autoAdvances: true)
    let backend = try backend(["event=bandwidth down 1kB/s"], clock: clock)
    let request = HTTPRequest(method: .get, url: "/api/v1/events/ws")
    guard case .accepted(_, _, let bandwidth) = try await backend.answerEventHandshake(request, clock: clock) else {
      Issue.record("the handshake was refused")
      return
    }
    let start = clock.elapsed
    try await bandwidth.send(String(repeating: "x", count: 3000))
    #expect(clock.elapsed - start >= .seconds(3))
  }

  @Test(arguments: [("503@30%", 0.3), ("503@0.3", 0.3), ("social.*=503@100 %", 1), ("503@0%", 0)])
  func probabilitiesCanBePercentages(_ rule: String, _ probability: Double) throws {
    #expect(abs(try FaultRule(rule).probability - probability) < 1e-9)
  }

  @Test(arguments: ["503@101%", "503@%", "503@3%%"])
  func otherPercentagesAreRefused(_ rule: String) { #expect(throws: FaultRuleError.self) { try FaultRule(rule) } }
}

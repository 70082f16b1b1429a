import Dispatch
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

/// Concurrent requests for the same resource.
struct SharedRequestTests {
  /// Waits until this number of tasks wait for the response to the running request.
  private func waitForWaiters(_ count: Int, _ fixture: CacheFixture) async throws {
    let key = CacheKey(url: "http://localhost/a", identity: Identity(gateway: "", caller: .anonymous))
    while fixture.cache.engine.server.flights.waiterCount(key) < count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private func fixture(_ gate: Gate, _ respond: @escaping @Sendable (Int) throws -> HTTPResponse) -> CacheFixture {
    CacheFixture(.init()) { number, _ in
      await gate.wait()
      return try respond(number)
    }
  }

  private func ok(_ number: Int, _ control: String) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Cache-Control": control], body: Array("\(number)".utf8))
  }

  @Test(.hangLimit)
  func areOneRequest() async throws {
    let gate = Gate()
    let fixture = fixture(gate) { ok($0, "max-age=60") }
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<1000 { group.addTask { try await fixture.text() } }
      try await waitForWaiters(1000, fixture)
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(fixture.requestCount == 1)
    #expect(Set(texts) == ["0 nova; fwd=uri-miss; stored", "0 nova; fwd=uri-miss; collapsed"])
    let usage = await fixture.cache.usage()
    #expect([usage.hits, usage.misses] == [999, 1])
  }

  /// The task that sent the request can be cancelled: the others get their response.
  @Test(.hangLimit)
  func outliveTheirLeader() async throws {
    let gate = Gate()
    let fixture = fixture(gate) { ok($0, "max-age=60") }
    let leader = Task { try await fixture.text() }
    try await waitForWaiters(1, fixture)
    let other = Task { try await fixture.text() }
    try await waitForWaiters(2, fixture)
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    gate.open()
    #expect(try await other.value == "0 nova; fwd=uri-miss; collapsed")
    #expect(fixture.requestCount == 1)
  }

  /// The request has the highest priority of its waiters. Otherwise, the response never arrives.
  @Test(.hangLimit, arguments: [true, false])
  func getTheHighestPriority(isRaisedLater: Bool) async throws {
    guard #available(macOS 26, *) else { return }
    let gate = Gate()
    let fixture = CacheFixture { number, _ in
      await gate.wait()
      // A task first waits, and then raises the priority.
      while Task.currentPriority < .high {
        try Task.checkCancellation()
        await Task.yield()
      }
      return ok(number, "max-age=60")
    }
    let first = Task(priority: .low) { try await fixture.text() }
    try await waitForWaiters(1, fixture)
    let second = Task(priority: isRaisedLater ? .low : .high) { try await fixture.text() }
    try await waitForWaiters(2, fixture)
    if isRaisedLater { second.escalatePriority(to: .high) }
    gate.open()
    _ = try await (first.value, second.value)
    #expect(fixture.requestCount == 1)
  }

  @Test(.hangLimit)
  func failTogether() async throws {
    let gate = Gate()
    let fixture = fixture(gate) { _ in
      throw TransportError(.connectionLost, "lost", requestMayHaveLeft: true)
    }
    let tasks = (0..<20).map { _ in Task { try await fixture.text() } }
    try await waitForWaiters(20, fixture)
    gate.open()
    for task in tasks { await #expect(throws: TransportError.self) { try await task.value } }
    #expect(fixture.requestCount == 1)
  }

  /// No caller gets a response that is for another one.
  @Test(arguments: ["no-store", "no-cache"], [20])
  func becomeSeparateRequests(control: String, count: Int) async throws {
    let gate = Gate()
    let fixture = fixture(gate) { ok($0, control) }
    let tasks = (0..<count).map { _ in Task { try await fixture.send().body.bytes } }
    try await waitForWaiters(count, fixture)
    gate.open()
    var bodies: Set<[UInt8]?> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == count)
    #expect(fixture.requestCount == count)
  }

  /// An incomplete response is not passed to others.
  @Test(.hangLimit)
  func separateAfterATruncatedResponse() async throws {
    let gate = Gate()
    let fixture = fixture(gate) { number in
      let length = number == 0 ? "5" : "1"
      return HTTPResponse(
        status: 200, headers: ["Cache-Control": "max-age=60", "Content-Length": length], body: Array("\(number)".utf8))
    }
    let tasks = (0..<3).map { _ in Task { try await fixture.send().body.bytes } }
    try await waitForWaiters(3, fixture)
    gate.open()
    var bodies: Set<[UInt8]?> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == 3)
    #expect(try await fixture.send().headers["Age"] == "0")
  }

  /// No caller waits for another caller's request.
  @Test(.hangLimit)
  func ofAccountsAreSeparate() async throws {
    let gate = Gate()
    let fixture = fixture(gate) { ok($0, "max-age=60") }
    let tasks = (0..<5).map { number in
      Task { try await fixture.send(headers: ["Authorization": "Bearer \(number)"]).body.bytes }
    }
    while fixture.requestCount < 5 { await Task.yield() }
    gate.open()
    var bodies: Set<[UInt8]?> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == 5)
  }

  /// A read that begins after a change does not get a response that was confirmed before the change.
  @Test(.hangLimit)
  func doNotOutliveAChange() async throws {
    let gate = Gate()
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    let fixture = CacheFixture(.init()) { number, request in
      guard number > 0, request.method == .get else { return HTTPResponse(status: 200, headers: headers, body: [0]) }
      await gate.wait()
      guard request.headers["If-None-Match"] == nil else { return HTTPResponse(status: 304, headers: headers) }
      return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60", "ETag": "\"2\""], body: [1])
    }
    _ = try await fixture.send()
    fixture.clock.advance(by: .seconds(100))
    let before = Task { try await fixture.send().body.bytes }
    while fixture.requestCount < 2 { await Task.yield() }
    _ = try await fixture.send(method: .put)
    let after = Task { try await fixture.send().body.bytes }
    try await waitForWaiters(2, fixture)
    gate.open()
    #expect(try await before.value == [0])
    #expect(try await after.value == [1])
  }

  /// One client's limits and lifetime do not affect others.
  @Test(arguments: [TransportError.Kind.totalTimeout, .responseTooLarge, .shutDown])
  func surviveTheLimitsOfOne(kind: TransportError.Kind) async throws {
    let gate = Gate()
    let fixture = fixture(gate) { number in
      guard number > 0 else { throw TransportError(kind, "failed", requestMayHaveLeft: true) }
      return ok(number, "max-age=60")
    }
    let leader = Task { try await fixture.send().body.bytes }
    try await waitForWaiters(1, fixture)
    let others = (0..<10).map { _ in Task { try await fixture.send().body.bytes } }
    try await waitForWaiters(11, fixture)
    gate.open()
    await #expect(throws: TransportError.self) { try await leader.value }
    for other in others { #expect(try await other.value == Array("1".utf8)) }
    #expect(fixture.requestCount == 2)
  }

  /// A call that continues late after a failure uses the response that another call has stored since.
  @Test(.hangLimit) func askAgainOnlyOnce() async throws {
    let gate = Gate()
    let executor = HeldExecutor()
    let fixture = fixture(gate) { number in
      guard number > 0 else { throw TransportError(.totalTimeout, "failed", requestMayHaveLeft: true) }
      return ok(number, "max-age=60")
    }
    let leader = Task { try await fixture.send().body.bytes }
    try await waitForWaiters(1, fixture)
    let late = Task(executorPreference: executor) { try await fixture.send().body.bytes }
    try await waitForWaiters(2, fixture)
    executor.hold()
    let other = Task { try await fixture.send().body.bytes }
    try await waitForWaiters(3, fixture)
    gate.open()
    await #expect(throws: TransportError.self) { try await leader.value }
    #expect(try await other.value == Array("1".utf8))
    executor.release()
    #expect(try await late.value == Array("1".utf8))
    #expect(fixture.requestCount == 2)
  }
}

/// Runs tasks, or keeps them for later.
private final class HeldExecutor: TaskExecutor {
  private struct State {
    var isHeld = false
    var jobs: [UnownedJob] = []
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isHeld { state.jobs.append(job) }
      return state.isHeld
    }
    if !isHeld { run([job]) }
  }

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let jobs = state.withLock { state in
      defer { state = State() }
      return state.jobs
    }
    run(jobs)
  }

  private func run(_ jobs: [UnownedJob]) {
    for job in jobs { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }
}

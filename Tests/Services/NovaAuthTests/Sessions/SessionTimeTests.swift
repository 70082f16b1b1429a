import Foundation
import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

/// Every wait of a session is bounded: another process's lock, a refresh, signing in and out.
@Suite(.hangLimit) struct SessionTimeTests {
  private let clock = ManualClock()
  private let store: HeldStore
  private let backend: AuthBackend

  init() throws {
    backend = AuthBackend(clock: clock)
    store = HeldStore(StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
  }

  private func sessions(timeout: Duration? = .seconds(3)) throws -> SessionManager {
    SessionManager(store: store, auth: try backend.service(), policy: RefreshPolicy(timeout: timeout), clock: clock)
  }

  /// Lets time pass until `task` ends.
  private func letTimePass<Value: Sendable>(
    until task: Task<Value, any Error>, by step: Duration = .milliseconds(500)
  ) async -> Result<Value, any Error> {
    let isDone = Locked(false)
    let observer = Task {
      let result = await task.result
      isDone.withLock { $0 = true }
      return result
    }
    while !isDone.withLock({ $0 }) {
      if clock.sleeperCount > 0 { clock.advance(by: step) }
      await Task.yield()
    }
    return await observer.value
  }

  private func error<Value>(_ result: Result<Value, any Error>) -> APIError? {
    guard case .failure(let error) = result else { return nil }
    Canary.capture(error)
    return error as? APIError
  }

  @Test(arguments: [true, false]) func waitingForAnotherProcessEnds(isPolicy: Bool) async throws {
    let sessions = try sessions(timeout: isPolicy ? .seconds(3) : nil)
    store.hold()
    let task = Task { try await sessions.session() }
    let failure = error(await letTimePass(until: task))
    #expect(failure?.code == .timeout && failure?.message.contains("session") == true, "\(failure as Any)")
    // The client allows a call in development a minute.
    #expect(clock.elapsed >= (isPolicy ? .seconds(3) : .seconds(60)))
    #expect(clock.elapsed <= (isPolicy ? .seconds(5) : .seconds(63)))
    #expect(backend.refreshes == 0)
    store.release()
    #expect(try await sessions.session()?.accessToken.secretValue == Canary.access(1))
  }

  @Test func signingInEndsBeforeAPasswordIsSent() async throws {
    let transport = RecordingTransport("{}")
    let auth = AuthService(client: try APIClient.test(transport))
    let sessions = SessionManager(
      store: store, auth: auth, policy: RefreshPolicy(timeout: .seconds(3)), clock: clock)
    store.hold()
    for isSignUp in [false, true] {
      let task = Task {
        guard isSignUp else { return try await sessions.signIn(email: "e@x.example", password: "12345678") }
        return try await sessions.signUp(email: "e@x.example", username: "eve", password: "12345678")
      }
      let failure = error(await letTimePass(until: task))
      #expect(failure?.code == .timeout, "\(failure as Any)")
    }
    #expect(transport.requests.isEmpty)
    store.release()
  }

  @Test func signingOutDoesNotNeedTheLock() async throws {
    let sessions = try sessions()
    store.hold()
    let task = Task { try await sessions.signOut() }
    let failure = error(await letTimePass(until: task, by: .milliseconds(100)))
    #expect(failure == nil, "\(failure as Any)")
    // Half of the time was for the lock, and the rest for the server.
    #expect(clock.elapsed < .seconds(3) && backend.logouts == [Canary.refresh(0)])
    #expect(await store.memory.load() == nil)
    store.release()
  }

  @Test func aRefreshOfOnesOwnThatNeverEndsIsLeft() async throws {
    let sessions = SessionManager(
      store: store, auth: try backend.service(), policy: RefreshPolicy(timeout: .seconds(3)), clock: clock
    ) { _ in
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
      return RefreshResponse()
    }
    let task = Task { try await sessions.session() }
    let failure = error(await letTimePass(until: task))
    #expect(failure?.code == .timeout, "\(failure as Any)")
    // Its own time may be up a little later.
    _ = await letTimePass(until: Task<Void, any Error> { await sessions.waitForRefresh() })
  }

  /// A store may take its time with a session that is under way: what was answered is saved, however late it is.
  @Test func aResponseIsSavedAfterTheDeadline() async throws {
    let sessions = try sessions()
    backend.rotates = true
    backend.shut()
    let task = Task { try await sessions.session() }
    await backend.waitForRefresh()
    clock.advance(by: .seconds(10))
    let failure = error(await task.result)
    #expect(failure?.code == .timeout, "\(failure as Any)")
    backend.open()
    await sessions.waitForRefresh()
    #expect(await store.memory.load()?.session.refreshToken.secretValue == Canary.refresh(1))
    #expect(sessions.availableToken?.secretValue == Canary.access(1))
  }

  /// Each gives up at its own deadline, and the refresh continues for the others.
  @Test func everyCallHasItsOwnDeadline() async throws {
    let sessions = try sessions(timeout: .seconds(1000))
    let calls = try APIClient.test(
      RecordingTransport(#"{"is_blocked":true}"#), tokens: sessions, clock: clock)
    backend.shut()
    let request = IsBlockedRequest(blockerId: "a", blockedId: "b")
    let impatient = (0..<1000).map { number in
      Task {
        await apiError {
          try await calls.call(
            GraphRPC.isBlocked, request, options: CallOptions(timeout: .seconds(1 + number % 10)))
        }
      }
    }
    let patient = (0..<100).map { _ in
      Task { try await calls.call(GraphRPC.isBlocked, request, options: CallOptions(timeout: .seconds(200))) }
    }
    await backend.waitForRefresh()
    while sessions.refreshStatus.waiterCount < 1100 { await Task.yield() }
    for task in impatient.prefix(100) { task.cancel() }
    await clock.waitForSleepers(1000)
    clock.advance(by: .seconds(11))
    for (number, task) in impatient.enumerated() {
      let failure = await task.value
      #expect(failure?.code == (number < 100 ? .cancelled : .timeout), "\(number): \(failure as Any)")
      if number >= 100 { #expect(failure?.transport?.requestMayHaveLeft == false, "\(failure as Any)") }
    }
    backend.open()
    for task in patient { #expect(try await task.value.isBlocked) }
    #expect(backend.refreshes == 1)
  }

  /// A caller that joins an old refresh does not time out with it.
  @Test func whoComesLateHasTimeOfTheirOwn() async throws {
    let sessions = try sessions(timeout: .seconds(10))
    store.hold()
    let early = Task { try await sessions.session() }
    while !sessions.refreshStatus.isRunning { await Task.yield() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(9))
    let late = Task { try await sessions.session() }
    while sessions.refreshStatus.waiterCount < 2 { await Task.yield() }
    clock.advance(by: .seconds(2))
    let failure = error(await early.result)
    #expect(failure?.code == .timeout, "\(failure as Any)")
    store.release()
    #expect(try await late.value?.accessToken.secretValue == Canary.access(1))
  }

  /// Errors do not claim that nothing was sent if something was.
  @Test func errorsSayWhatWasSent() async throws {
    func failure(_ statuses: [Int]) async throws -> APIError? {
      let store = HeldStore(StoredSession(session: try backend.session(), origin: "http://localhost:8080"))
      let sessions = SessionManager(
        store: store, auth: try backend.service(), policy: RefreshPolicy(timeout: .seconds(60)), clock: clock)
      if statuses.isEmpty { clock.advance(by: .seconds(4000)) } else { _ = try await sessions.session() }
      let calls = try APIClient.test(
        RecordingTransport { number, _ in HTTPResponse(status: statuses[min(number, statuses.count - 1)]) },
        tokens: sessions, resilience: Resilience(retry: .standard(attempts: 3, delay: .zero)), clock: clock)
      store.hold()
      let task = Task {
        try await calls.call(
          GraphRPC.isBlocked, IsBlockedRequest(blockerId: "a", blockedId: "b"),
          options: CallOptions(timeout: .seconds(3)))
      }
      let result = await letTimePass(until: task)
      store.release()
      await sessions.waitForRefresh()
      return error(result)
    }
    let waited = try await failure([])
    #expect(
      waited?.code == .timeout && waited?.message.contains("nothing of the call was sent") == true, "\(waited as Any)")
    #expect(waited?.transport?.requestMayHaveLeft == false)
    for statuses in [[401], [503, 401]] {
      let refused = try await failure(statuses)
      #expect(refused?.code == .timeout, "\(refused as Any)")
      #expect(refused?.message.hasSuffix("; nothing more of the call was sent") == true)
      #expect(refused?.transport?.requestMayHaveLeft == true)
    }
  }

  /// With another process that has the lock.
  @Test func anotherProcessIsWaitedForNoLonger() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/session"
    let file = FileSessionStore(path: path)
    try await file.save(StoredSession(session: try backend.session(expiresIn: -1), origin: "http://localhost:8080"))
    try await file.withExclusiveAccess {}
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/flock")
    process.arguments = ["--no-fork", "\(path).lock", "sh", "-c", "echo locked; exec cat"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
    let sessions = SessionManager(
      store: file, auth: try backend.service(), policy: RefreshPolicy(timeout: .milliseconds(200)))
    let failure = await apiError { try await sessions.session() }
    // The refresh began a moment after the wait for it, and so it ends after that.
    await sessions.waitForRefresh()
    #expect(failure?.code == .timeout && backend.refreshes == 0, "\(failure as Any)")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    let patient = SessionManager(
      store: file, auth: try backend.service(), policy: RefreshPolicy(timeout: .seconds(300)))
    #expect(try await patient.session()?.accessToken.secretValue == Canary.access(1))
  }
}

/// A store that another process can hold for itself.
private final class HeldStore: SessionStore {
  let memory: MemorySessionStore
  private let isHeld = Locked(false)
  private let waiters = Locked<[CheckedContinuation<Void, Never>]>([])

  init(_ session: StoredSession) { memory = MemorySessionStore(session) }

  func hold() { isHeld.withLock { $0 = true } }

  func release() {
    isHeld.withLock { $0 = false }
    let continuations = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for continuation in continuations { continuation.resume() }
  }

  func load() async throws -> StoredSession? { await memory.load() }
  func save(_ session: StoredSession) async throws { await memory.save(session) }
  func clear() async throws { await memory.clear() }

  /// Ignores cancellation, as custom stores may.
  func withExclusiveAccess<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    while isHeld.withLock({ $0 }) {
      await withCheckedContinuation { continuation in
        let isFree = isHeld.withLock { isHeld in
          if isHeld { waiters.withLock { $0.append(continuation) } }
          return !isHeld
        }
        if isFree { continuation.resume() }
      }
    }
    return try await memory.withExclusiveAccess(body)
  }
}

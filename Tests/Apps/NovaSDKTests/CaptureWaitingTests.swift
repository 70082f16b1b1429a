import NovaCore
import NovaMock
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct CaptureWaitingTests {
  private let clock = ManualClock()

  private func nova(_ backend: MockBackend) -> NovaClient {
    NovaClient(configuration: .builtIn, transport: MockTransport(backend, clock: clock)) { $0.clock = clock }
  }

  private func backend(_ meanings: MockMeanings) -> MockBackend {
    let (clock, start) = (clock, clock.unixTime)
    return MockBackend(meanings: meanings) { Int64(start) + clock.elapsed.components.seconds }
  }

  /// Advances the clock, in small steps, until the work is done.
  private func whileTimePasses(
    _ work: @escaping @Sendable () async throws -> Something
  ) async throws -> Something {
    let isDone = Locked(false)
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return try await work()
    }
    try await waitUntil { [clock] in
      clock.advance(by: .milliseconds(250))
      return isDone.withLock { $0 }
    }
    return try await task.value
  }

  @Test func aMeaningThatIsThereIsReturnedAtOnce() async throws {
    let nova = nova(backend(.created))
    let created = try await nova.capture.create(text: "The light this morning.")
    let something = try await nova.capture.waitForMeaning(of: created.id)
    #expect(something.meaning?.isEmpty == false && something.meaning == created.meaning)
  }

  @Test func aLaterMeaningIsAwaited() async throws {
    let nova = nova(backend(.later(seconds: 3)))
    let created = try await nova.capture.create(text: "The light this morning.")
    #expect(created.meaning == nil)
    let something = try await whileTimePasses { try await nova.capture.waitForMeaning(of: created.id) }
    #expect(something.id == created.id && something.meaning?.isEmpty == false)
  }

  @Test func whatIsNotThereIsAnError() async throws {
    let nova = nova(backend(.created))
    let error = await apiError { try await nova.capture.waitForMeaning(of: 987_654) }
    #expect(error?.code == .notFound && error?.rpc == "capture.GetSomething")
  }

  @Test func theOptionsLimitTheWait() async throws {
    let nova = nova(backend(.off))
    let created = try await nova.capture.create(text: "The light this morning.")
    let quick = nova.capture.with { $0.timeout = .seconds(20) }
    let error = await apiError { try await whileTimePasses { try await quick.waitForMeaning(of: created.id) } }
    #expect(error?.code == .timeout, "\(String(describing: error))")
    #expect(error?.message.contains("before something \(created.id) had a meaning") == true)
  }

  @Test func aCancelledTaskStopsWaiting() async throws {
    let nova = nova(backend(.off))
    let created = try await nova.capture.create(text: "The light this morning.")
    let task = Task { try await nova.capture.waitForMeaning(of: created.id) }
    await clock.waitForSleepers(1)
    task.cancel()
    let error = await apiError { try await task.value }
    #expect(error?.code == .cancelled)
  }
}

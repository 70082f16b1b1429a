import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite(.hangLimit) struct LoadGeneratorTests {
  /// Runs tasks when the test says so, one after another.
  private final class SteppedExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    /// Runs all tasks until each of them waits.
    func runAll() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  /// A gateway on a manual clock, whose responses take as long as a script says, and the generator that calls it.
  private final class Gateway: Sendable {
    private struct State {
      var inFlight = 0
      var most = 0
      var measurement: LoadMeasurement?
    }

    private let clock = ManualClock()
    private let schedule: LoadSchedule
    private let concurrency: Int
    private let service: @Sendable (Int) -> Duration
    private let state = Locked(State())

    init(_ schedule: LoadSchedule, concurrency: Int = 10, _ service: @escaping @Sendable (Int) -> Duration) {
      (self.schedule, self.concurrency, self.service) = (schedule, concurrency, service)
    }

    /// The most requests that were in flight.
    var most: Int { state.withLock { $0.most } }

    /// Sends the load. Time passes only while all tasks wait for it.
    ///
    /// - Parameter limit: the number of requests after which the load is cancelled.
    func run(cancellingAfter limit: Int = .max) throws -> LoadMeasurement {
      let generator = LoadGenerator(schedule: schedule, concurrency: concurrency, clock: clock) { await self.send($0) }
      let executor = SteppedExecutor()
      let sent = Locked(0)
      let task = Task(executorPreference: executor) {
        let measurement = await generator.run { progress in sent.withLock { $0 = progress.sent } }
        self.state.withLock { $0.measurement = measurement }
      }
      while true {
        executor.runAll()
        if let measurement = state.withLock({ $0.measurement }) { return measurement }
        if !task.isCancelled, sent.withLock({ $0 >= limit }) {
          task.cancel()
        } else {
          try #require(clock.sleeperCount > 0, "nothing waits for the time, and the load has not ended")
          clock.advanceToNextSleeper()
        }
      }
    }

    private func send(_ index: Int) async -> LoadOutcome {
      state.withLock { state in
        state.inFlight += 1
        state.most = max(state.most, state.inFlight)
      }
      defer { state.withLock { $0.inFlight -= 1 } }
      let time = service(index)
      guard time > .zero else { return .success }
      do { try await clock.sleep(for: time) } catch { return .unfinished }
      return .success
    }
  }

  private func schedule(_ rate: Double, seconds: Double, warmUp: Double = 0) -> LoadSchedule {
    LoadSchedule(rate: rate, warmUp: .seconds(1) * warmUp, duration: .seconds(1) * seconds)
  }

  @Test func everyRequestIsSentOnceAndMeasured() async throws {
    let sent = Locked<[Int]>([])
    let generator = LoadGenerator(
      schedule: schedule(2000, seconds: 0.1, warmUp: 0.05), concurrency: 8, clock: ManualClock(autoAdvances: true)
    ) { index in
      sent.withLock { $0.append(index) }
      return index % 4 == 0 ? .failure(LoadFailure(kind: "HTTP 503", message: "busy")) : .success
    }
    let measurement = await generator.run()
    #expect(sent.withLock { $0.sorted() } == Array(0..<300))
    #expect(measurement.warmUp == 100 && measurement.due == 200 && measurement.sent == 200)
    #expect(measurement.succeeded == 150 && measurement.failed == 50)
    #expect(measurement.failures.map(\.failure.kind) == ["HTTP 503"] && measurement.failures.map(\.count) == [50])
    #expect(measurement.latencies.count == 200 && measurement.successes.count == 150)
    #expect(measurement.slices.map(\.count).reduce(0, +) == 200)
  }

  /// What a closed loop omits: one request takes a second, and those that were due in this second waited as well.
  @Test func aStallDelaysAllThatWereDueDuringIt() throws {
    let gateway = Gateway(schedule(100, seconds: 2), concurrency: 1) { $0 == 10 ? .seconds(1) : .zero }
    let measurement = try gateway.run()
    #expect(measurement.sent == 200 && measurement.unsent == 0)
    #expect(gateway.most == 1)
    // About 100 of 200 requests were due during the stall, from 1 s to nothing before its end.
    let latencies = measurement.latencies
    #expect(latencies.value(at: 0.95) > .milliseconds(800), "\(latencies.value(at: 0.95))")
    #expect(latencies.value(at: 0.75) > .milliseconds(400), "\(latencies.value(at: 0.75))")
    // As a closed loop would measure it.
    #expect(measurement.services.value(at: 0.95) < .milliseconds(100))
    #expect(measurement.waits.maximum > .milliseconds(800))
  }

  @Test(arguments: [1, 3, 20]) func noMoreThanAllowedAreInFlight(_ concurrency: Int) throws {
    let gateway = Gateway(schedule(100, seconds: 1), concurrency: concurrency) { _ in .milliseconds(100) }
    let measurement = try gateway.run()
    #expect(gateway.most <= concurrency)
    #expect(measurement.due == 100)
    // 20 allow 200 requests per second, and 3 only 30.
    #expect((measurement.unsent > 0) == (concurrency < 10), "\(measurement.unsent)")
    #expect(!measurement.isGeneratorTooSlow)
  }

  /// Otherwise a gateway that accepts nothing would look as fast as its first responses.
  @Test func whatCouldNotBeSentCountsWithTheTimeItWaited() throws {
    let gateway = Gateway(schedule(100, seconds: 1), concurrency: 5) { $0 < 5 ? .zero : .seconds(3) }
    let measurement = try gateway.run()
    #expect(measurement.sent == 10 && measurement.unsent == 90, "\(measurement.sent)")
    #expect(measurement.latencies.count == 100)
    #expect(measurement.latencies.value(at: 0.5) > .seconds(2))
    #expect(measurement.successes.count == measurement.succeeded)
  }

  @Test func cancellationKeepsWhatWasMeasured() throws {
    let gateway = Gateway(schedule(100, seconds: 60), concurrency: 1000) { $0 < 20 ? .zero : .seconds(3600) }
    let measurement = try gateway.run(cancellingAfter: 50)
    #expect(measurement.succeeded == 20, "\(measurement.succeeded)")
    #expect(measurement.unfinished >= 30 && measurement.unfinished < 5000, "\(measurement.unfinished)")
    #expect(measurement.due == measurement.succeeded + measurement.unfinished + measurement.unsent)
    #expect(measurement.duration < .seconds(60))
    #expect(measurement.latencies.count == measurement.due)
  }
}

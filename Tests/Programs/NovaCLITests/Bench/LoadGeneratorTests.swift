import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite(.hangLimit) struct LoadGeneratorTests {
  /// A gateway on a manual clock, whose responses take as long as a script says, and the generator that calls it.
  private final class Gateway: Sendable {
    private struct State {
      var dispatched = 0
      var begun = 0
      var ended = 0
      var most = 0
      var isDone = false
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

    /// - Parameter limit: the number of requests after which the load is cancelled.
    func run(cancellingAfter limit: Int = .max) async -> LoadMeasurement {
      let generator = LoadGenerator(schedule: schedule, concurrency: concurrency, clock: clock) { await self.send($0) }
      let task = Task {
        await generator.run { progress in self.state.withLock { $0.dispatched = progress.sent } }
      }
      let driver = Task {
        while !self.state.withLock({ $0.isDone }) {
          await self.settle()
          if self.state.withLock({ $0.dispatched >= limit }) { task.cancel() }
          self.clock.advance(by: .milliseconds(1))
        }
      }
      let result = await task.value
      state.withLock { $0.isDone = true }
      await driver.value
      return result
    }

    /// Lets tasks run until all of them wait for the time.
    private func settle() async {
      // On a busy machine, tasks need more than a few turns.
      for turn in 0..<3000 where !isIdle {
        if turn < 500 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
      }
    }

    private var isIdle: Bool {
      let (sleeping, state) = (clock.sleeperCount, state.withLock { $0 })
      let inFlight = state.dispatched - state.ended
      // The generator sleeps, or waits for the end of a request.
      return sleeping == inFlight + 1
        || sleeping == inFlight && (inFlight == concurrency || state.dispatched == schedule.total || state.isDone)
    }

    private func send(_ index: Int) async -> LoadOutcome {
      state.withLock { state in
        state.begun += 1
        state.most = max(state.most, state.begun - state.ended)
      }
      defer { state.withLock { $0.ended += 1 } }
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
  @Test func aStallDelaysAllThatWereDueDuringIt() async {
    let gateway = Gateway(schedule(100, seconds: 2), concurrency: 1) { $0 == 10 ? .seconds(1) : .zero }
    let measurement = await gateway.run()
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

  @Test(arguments: [1, 3, 20]) func noMoreThanAllowedAreInFlight(_ concurrency: Int) async {
    let gateway = Gateway(schedule(100, seconds: 1), concurrency: concurrency) { _ in .milliseconds(100) }
    let measurement = await gateway.run()
    #expect(gateway.most <= concurrency)
    #expect(measurement.due == 100)
    // 20 allow 200 requests per second, and 3 only 30.
    #expect((measurement.unsent > 0) == (concurrency < 10), "\(measurement.unsent)")
    #expect(!measurement.isGeneratorTooSlow)
  }

  /// Otherwise a gateway that accepts nothing would look as fast as its first responses.
  @Test func whatCouldNotBeSentCountsWithTheTimeItWaited() async {
    let gateway = Gateway(schedule(100, seconds: 1), concurrency: 5) { $0 < 5 ? .zero : .seconds(3) }
    let measurement = await gateway.run()
    #expect(measurement.sent == 10 && measurement.unsent == 90, "\(measurement.sent)")
    #expect(measurement.latencies.count == 100)
    #expect(measurement.latencies.value(at: 0.5) > .seconds(2))
    #expect(measurement.successes.count == measurement.succeeded)
  }

  @Test func cancellationKeepsWhatWasMeasured() async {
    let gateway = Gateway(schedule(100, seconds: 60), concurrency: 1000) { $0 < 20 ? .zero : .seconds(3600) }
    let measurement = await gateway.run(cancellingAfter: 50)
    #expect(measurement.succeeded == 20, "\(measurement.succeeded)")
    #expect(measurement.unfinished >= 30 && measurement.unfinished < 5000, "\(measurement.unfinished)")
    #expect(measurement.due == measurement.succeeded + measurement.unfinished + measurement.unsent)
    #expect(measurement.duration < .seconds(60))
    #expect(measurement.latencies.count == measurement.due)
  }
}

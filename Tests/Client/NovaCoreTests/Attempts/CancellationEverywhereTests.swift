import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// Cancels one call again and again, each time a step later, until it has come to its end.
@Suite(.hangLimit) struct CancellationEverywhereTests {
  /// Runs everything on the global executor, and counts the steps that come by.
  private final class CountingExecutor: TaskExecutor {
    private let state = Locked<(left: Int, action: (@Sendable () -> Void)?)>((0, nil))

    /// From now on lets so many steps through before `action`.
    func after(_ steps: Int, _ action: @escaping @Sendable () -> Void) { state.withLock { $0 = (steps, action) } }

    func enqueue(_ job: consuming ExecutorJob) {
      let action = state.withLock { state in
        defer { state.left -= 1 }
        return state.left == 0 ? state.action : nil
      }
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      // Not here: whoever makes a step possible may hold the task's own lock.
      Task.detached {
        action?()
        job.runSynchronously(on: executor)
      }
    }
  }

  private struct Tokens: TokenProvider {
    let good: AccessToken
    let bad: AccessToken

    func accessToken() async throws -> AccessToken? {
      await Task.yield()
      return bad
    }

    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      await Task.yield()
      return good
    }
  }

  private final class Observer: CallObserver {
    let ends = Locked<[APIError.Code?]>([])
    func callBegan(_ rpc: RPCDescriptor) {}
    func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) { ends.withLock { $0.append(report.failure) } }
  }

  @Test func aCallMayBeCancelledAtEveryStep() async throws {
    let tokens = Tokens(good: try AccessToken("good"), bad: try AccessToken("bad"))
    var outcomes: [APIError.Code?] = []
    for steps in 0..<60 {
      let transport = RecordingTransport { number, request in
        await Task.yield()
        try Task.checkCancellation()
        // Refused, then busy, then well; a token that is refused is asked for again each time.
        return HTTPResponse(
          status: number == 0 ? 401 : number == 1 ? 503 : 200, headers: ["Retry-After": "0"], body: Array("{}".utf8))
      }
      let observer = Observer()
      let clock = ManualClock()
      let breaker = CircuitBreaker(failureLimit: 1, pause: .zero)
      let client = try APIClient.test(
        transport, tokens: tokens, observer: observer,
        // Without a wait, which no clock would end.
        resilience: Resilience(retry: .standard(attempts: 3, delay: .zero), breaker: breaker), clock: clock)
      let executor = CountingExecutor()
      let start = AsyncStream<Void>.makeStream()
      let task = Task(executorPreference: executor) {
        for await _ in start.stream {}
        return await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
      }
      executor.after(steps) { task.cancel() }
      start.continuation.finish()
      let error = await task.value
      outcomes.append(error?.code)
      #expect(error == nil || error?.code == .cancelled, "after \(steps) steps: \(String(describing: error))")
      #expect(observer.ends.withLock { $0 } == [error?.code], "every call ends once")
      #expect(transport.requests.count <= 3 && (error != nil || transport.requests.count == 3))
      // Whatever was cut off, the next call finds the circuit usable.
      let admission = breaker.admit("http://localhost:8080", at: clock.moment)
      #expect(admission == .passed || admission == .probing, "after \(steps) steps")
      await client.shutdown()
    }
    #expect(outcomes.first == .cancelled && outcomes.last == .some(nil), "\(outcomes)")
  }
}

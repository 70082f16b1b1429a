import NovaAnalytics
import NovaCore
import NovaLibc
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

#if os(Linux)
  /// `nova analytics flush`, killed at any moment.
  @Suite(.hangLimit) struct KilledSenderTests {
    /// When the sender is killed: before the gateway records the events, before it responds, or while the response is
    /// on its way.
    enum Moment: CaseIterable { case before, recorded, answered }

    /// The mock backend on a port. It kills its client during a request.
    private final class Gateway: Sendable {
      private struct Plan: Sendable {
        var request: Int
        var moment: Moment
        var victim: Int32?
      }

      let backend = MockBackend(dataSet: .empty)
      private let plan = Locked<Plan?>(nil)
      private let count = Locked(0)
      private let server: FaultServer

      init() throws {
        server = try FaultServer { [backend, plan, count] request in
          let number = count.withLock { count in
            count += 1
            return count
          }
          let moment = plan.withLock { $0?.request == number ? $0?.moment : nil }
          if moment == .before {
            Self.kill(plan)
            return HTTPResponse(status: 503)
          }
          var request = request
          request.headers["Idempotency-Key"] = nil
          let response = backend.respond(to: request)
          switch moment {
          case .recorded: Self.kill(plan)
          case .answered:
            // While the client reads the response, and deletes the events.
            Task.detached { Self.kill(plan) }
          default: break
          }
          return response
        }
      }

      deinit { server.stop() }

      var url: String { server.url }

      func killClient(at request: Int, _ moment: Moment) {
        let number = count.withLock { $0 } + request
        plan.withLock { $0 = Plan(request: number, moment: moment) }
      }

      func setVictim(_ process: Int32) { plan.withLock { $0?.victim = process } }

      private static func kill(_ plan: Locked<Plan?>) {
        for _ in 0..<10_000 {
          if let victim = plan.withLock({ $0?.victim }) {
            NovaLibc.kill(victim, SIGKILL)
            return
          }
          usleep(1000)
        }
      }
    }

    @Test(arguments: [1, 2, 3], Moment.allCases) func eachEventCountsOnce(_ request: Int, _ moment: Moment) async throws
    {
      let gateway = try Gateway()
      let folder = try TemporaryFolder()
      let environment = ["HOME": folder.path]
      let place = gateway.url.dropFirst("http://".count).map { $0 == ":" ? "_" : $0 }
      let directory = "\(folder.path)/.local/state/nova/analytics/\(String(place))"
      let tracker = EventTracker(directory: directory)
      tracker.track(0..<250)
      await tracker.waitUntilWritten()
      gateway.killClient(at: request, moment)
      let killed = try ProgramRun(["analytics", "flush", "--base-url", gateway.url], environment: environment)
      gateway.setVictim(killed.processIdentifier)
      let result = try await killed.result()
      // If the response is on its way, the client may finish before it is killed.
      #expect(result.status == 128 + SIGKILL || moment == .answered && result.status == 0, "\(result)")
      let waiting = await tracker.status.waitingCount
      #expect(waiting + gateway.backend.analyticsEvents.count >= 250)

      let last = try await ProgramRun(["analytics", "flush", "--base-url", gateway.url], environment: environment)
        .result()
      #expect(last.status == 0 && last.output.isEmpty, "\(last)")
      let events = gateway.backend.analyticsEvents
      #expect(events.count == 250 && Set(events.map(\.id)).count == 250 && events.map(\.sequence) == Array(1...250))
      let status = await tracker.status
      #expect(status.waitingCount == 0 && status.sentCount >= 250 - 100 && status.sentCount <= 250)
      #expect(status.lostCount == 0 && status.rejectedCount == 0)
    }
  }
#endif

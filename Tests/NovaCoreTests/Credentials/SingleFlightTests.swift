import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct SingleFlightTests {
  @TaskLocal private static var trace = ""

  @Test(arguments: [true, false]) func workIsAPartOfTheFirstCallOnlyIfItIsTold(_ inherits: Bool) async throws {
    let flight = SingleFlight<String>(inheritsTaskLocals: inherits)
    let seen = try await Self.$trace.withValue("first") { try await flight.join { Self.trace } }
    #expect(seen == (inherits ? "first" : ""))
  }

  /// Whoever gives up stops waiting, and nothing else.
  @Test(arguments: [true, false]) func workOutlivesItsFirstCall(_ inherits: Bool) async throws {
    let flight = SingleFlight<Bool>(inheritsTaskLocals: inherits)
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await flight.join {
        for await _ in gate { break }
        return Task.isCancelled
      }
    }
    while flight.waiterCount == 0 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await flight.join { true } }
    while flight.waiterCount == 0 { await Task.yield() }
    opening.yield()
    #expect(try await second.value == false)
  }
}

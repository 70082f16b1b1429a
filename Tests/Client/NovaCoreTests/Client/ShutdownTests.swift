import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

@Suite struct ShutdownTests {
  /// Answers when told to, and knows whether it was shut down.
  private final class SlowTransport: HTTPTransport {
    let isShutDown = Locked(false)
    let arrived = AsyncStream<Void>.makeStream()
    let gate: AsyncStream<Void>
    let open: AsyncStream<Void>.Continuation

    init() { (gate, open) = AsyncStream<Void>.makeStream() }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      arrived.continuation.yield()
      for await _ in gate {}
      try Task.checkCancellation()
      return HTTPResponse(status: 200, body: Array("{}".utf8))
    }

    func shutdown() async {
      isShutDown.withLock { $0 = true }
      open.finish()
    }
  }

  private let request = IsMutedRequest(muterId: "a", muteeId: "b")

  @Test func callsUnderWayEndAndNoneBeginAfterwards() async throws {
    let transport = SlowTransport()
    let client = try APIClient.test(transport, ownsTransport: true)
    let call = Task { try await client.call(GraphRPC.isMuted, request) }
    var arrivals = transport.arrived.stream.makeAsyncIterator()
    await arrivals.next()
    let shutdown = Task { await client.shutdown() }
    // Closed at once, though a call is under way.
    while true {
      let error = await apiError {
        try await client.call(GraphRPC.isMuted, request, options: CallOptions(timeout: .zero))
      }
      if error?.transport?.kind == .shutDown { break }
      await Task.yield()
    }
    #expect(!transport.isShutDown.withLock { $0 })
    transport.open.finish()
    _ = try await call.value
    await shutdown.value
    #expect(transport.isShutDown.withLock { $0 })
    let error = await apiError { try await client.call(GraphRPC.isMuted, request) }
    #expect(error?.code == .cancelled && error?.message == "the client was shut down; nothing was sent")
    await client.shutdown()
  }

  @Test func afterTheGraceTheTransportEndsWhatIsLeft() async throws {
    let transport = SlowTransport()
    let clock = ManualClock()
    let client = try APIClient.test(transport, ownsTransport: true, clock: clock)
    let call = Task { try await client.call(GraphRPC.isMuted, request) }
    var arrivals = transport.arrived.stream.makeAsyncIterator()
    await arrivals.next()
    let shutdown = Task { await client.shutdown(grace: .seconds(5)) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    await shutdown.value
    #expect(transport.isShutDown.withLock { $0 })
    _ = await call.result
  }

  @Test func nothingIsSentOnceItIsShutDown() async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 503) }
    let client = try APIClient.test(transport, ownsTransport: true, resilience: Resilience(), clock: clock)
    let call = Task { await apiError { try await client.call(GraphRPC.isMuted, request) } }
    await clock.waitForSleepers(1)
    await client.shutdown(grace: .zero)
    clock.advance(by: .seconds(5))
    let error = await call.value
    #expect(error?.transport?.kind == .shutDown && transport.requests.count == 1)
  }

  /// Others may still use it.
  @Test func aTransportThatTheClientWasGivenStaysOpen() async throws {
    let transport = SlowTransport()
    let client = try APIClient.test(transport)
    await client.shutdown()
    #expect(!transport.isShutDown.withLock { $0 })
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .cancelled)
  }
}

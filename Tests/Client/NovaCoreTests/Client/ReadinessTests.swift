import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

@Suite struct ReadinessTests {
  private let clock = ManualClock()
  private let isUp = Locked(true)

  private struct Holder: ClientHolding {
    let client: APIClient
  }

  private var transport: RecordingTransport {
    RecordingTransport { [isUp] _, _ in
      // Whatever the status: something answers.
      if isUp.withLock({ $0 }) { return HTTPResponse(status: 404, body: []) }
      throw TransportError(.connectionRefused, "nothing accepts connections", requestMayHaveLeft: false)
    }
  }

  private func nova(
    _ transport: any HTTPTransport, breaker: CircuitBreaker? = nil,
    overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) throws -> Holder {
    Holder(
      client: try .test(
        transport, overrides: overrides, resilience: Resilience(retry: .never, budget: nil, breaker: breaker),
        clock: clock))
  }

  @Test func aGatewayThatAnswersIsReady() async throws {
    let transport = transport
    let readiness = try await nova(transport).readiness()
    #expect(readiness.isReady && !readiness.isMock && "\(readiness)" == "ready")
    #expect(transport.requests.map(\.method) == [.head])
    #expect(transport.requests[0].limits.totalTimeout == .seconds(1))
    #expect(transport.requests[0].headers["Authorization"] == nil)
  }

  @Test func aGatewayThatDoesNotAnswerIsNot() async throws {
    isUp.withLock { $0 = false }
    let readiness = try await nova(transport).readiness()
    #expect(readiness.problems.map(\.kind) == [.unreachable])
    #expect("\(readiness)" == "not ready: unreachable: nothing accepts connections")
  }

  @Test func anAnswerIsUsedForTwoSeconds() async throws {
    let transport = transport
    let nova = try nova(transport)
    #expect(await nova.readiness().isReady)
    isUp.withLock { $0 = false }
    clock.advance(by: .milliseconds(1999))
    #expect(await nova.readiness().isReady)
    #expect(transport.requests.count == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await !nova.readiness().isReady)
    #expect(await !nova.readiness().isReady)
    #expect(transport.requests.count == 2)
    #expect(await !nova.readiness(maximumAge: .zero).isReady)
    #expect(transport.requests.count == 3)
  }

  @Test func manyTasksAskOnce() async throws {
    let gate = FakeGate()
    let transport = RecordingTransport { _, _ in
      try await gate.pass()
      return HTTPResponse(status: 200, body: [])
    }
    let nova = try nova(transport)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await nova.readiness(maximumAge: .seconds(60)).isReady } }
      gate.open()
      for await isReady in group { #expect(isReady) }
    }
    #expect(transport.requests.count == 1)
  }

  @Test func anOpenBreakerIsReportedWithoutAProbeUntilItsPauseIsOver() async throws {
    let transport = transport
    let nova = try nova(transport, breaker: CircuitBreaker(failureLimit: 1, pause: .seconds(5)))
    isUp.withLock { $0 = false }
    _ = await apiError {
      try await nova.client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    }
    isUp.withLock { $0 = true }
    let readiness = await nova.readiness()
    #expect(readiness.problems.map(\.kind) == [.circuitOpen])
    #expect(readiness.problems.first?.message.contains("another 5 s") == true, "\(readiness)")
    #expect(transport.requests.count == 1)
    // No call closes the circuit of a server that gets no requests because it is not ready.
    clock.advance(by: .seconds(5))
    #expect(await nova.readiness().isReady)
  }

  @Test func circuitsOfServicesCount() async throws {
    var overrides = ConfigurationOverrides()
    overrides.services = ["graph": ServiceConfiguration(baseURL: try HTTPURL(parsing: "http://localhost:9"))]
    let nova = try nova(
      transport, breaker: CircuitBreaker(failureLimit: 1, pause: .seconds(5)), overrides: overrides)
    isUp.withLock { $0 = false }
    _ = await apiError {
      try await nova.client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    }
    #expect(await nova.readiness().problems.first?.message.hasPrefix("http://localhost:9 ") == true)
  }

  @Test func aClientThatWasShutDownIsNotReady() async throws {
    let transport = transport
    let nova = try nova(transport)
    #expect(await nova.readiness().isReady)
    await nova.client.shutdown(grace: .zero)
    #expect(await nova.readiness().problems.map(\.kind) == [.shutDown])
    #expect(transport.requests.count == 1)
  }

  @Test func aMockIsReadyAndIsNotAsked() async throws {
    let backend = MockBackend()
    let readiness = try await nova(MockTransport(backend)).readiness()
    #expect(readiness.isReady && readiness.isMock && "\(readiness)" == "ready (mock)")
  }

  @Test func offlineModeIsNot() async throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(isOffline: true))
    let readiness = await Holder(client: APIClient(configuration: configuration)).readiness()
    #expect(readiness.problems.map(\.kind) == [.offline])
  }
}

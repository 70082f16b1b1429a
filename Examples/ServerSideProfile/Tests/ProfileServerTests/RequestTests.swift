import InMemoryTracing
import Instrumentation
import NovaSDK
import NovaTesting
import ProfileServer
import Testing

/// What a request passes on to the calls that are made for it.
@Suite struct Requests {
  private static let tracer: InMemoryTracer = {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    return tracer
  }()

  @Test func tokenRequestIDAndTraceReachTheGateway() async throws {
    _ = Self.tracer
    let wire = Wire(MockBackend())
    let nova = NovaClient(configuration: .builtIn, transport: wire)
    let ann = try await Account("ann", on: nova)
    let headers: HTTPHeaders = ["in-memory-trace-id": "trace-of-ann", "in-memory-span-id": "span-1"]
    let response = try await withServer(nova) { server in
      try await server.get("/profiles/\(ann.id)", token: ann.token, headers: headers)
    }
    #expect(response.status == 200)
    let requests = await wire.requests.dropFirst()
    #expect(requests.count == 4)
    #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer \(ann.token.secretValue)" })
    #expect(Set(requests.map { $0.headers["X-Request-ID"] }).count == 1)
    #expect(Set(requests.map { $0.headers["in-memory-trace-id"] }) == ["trace-of-ann"])
  }

  @Test(arguments: [("0.25", Duration.milliseconds(250)), ("60", .seconds(5)), ("-1", .seconds(5)), ("x", .seconds(5))])
  func callsEndWhenTheSenderNoLongerWaits(_ header: String, _ limit: Duration) async throws {
    let deadlines = AsyncStream.makeStream(of: ContinuousClock.Instant?.self)
    let before = ContinuousClock.now
    try await withServer(
      .mock(),
      reader: { nova in
        deadlines.continuation.yield(nova.options.deadline)
        return ProfileReader(nova)
      }
    ) { server in
      _ = try await server.get("/profiles/mock-user-id", headers: ["X-Request-Timeout": header])
    }
    let deadline = try #require(await deadlines.stream.first { _ in true })
    let passed = try #require(deadline) - before
    #expect(passed >= limit)
    if limit < .seconds(5) { #expect(passed < .seconds(5)) }
  }
}

/// What an orchestrator asks.
@Suite struct Health {
  @Test func aServerIsReadyUntilItsClientIsShutDown() async throws {
    let nova = NovaClient.mock()
    try await withServer(nova) { server in
      let answers = try await [server.get("/live").status, server.get("/ready").status]
      #expect(answers == [200, 200])
      await nova.shutdown()
      let response = try await server.get("/ready")
      #expect(response.status == 503)
      #expect(response.body.bytes.map { String(decoding: $0, as: UTF8.self) } == "shutDown\n")
      let live = try await server.get("/live").status
      #expect(live == 200)
    }
  }

  @Test func theAnswerNamesNoHosts() async throws {
    let port = try ClosedPort()
    let nova = NovaClient(configuration: try APIConfiguration(ConfigurationOverrides(baseURL: port.url)))
    let response = try await withServer(nova) { try await $0.get("/ready") }
    #expect(response.status == 503)
    #expect(response.body.bytes.map { String(decoding: $0, as: UTF8.self) } == "unreachable\n")
  }
}

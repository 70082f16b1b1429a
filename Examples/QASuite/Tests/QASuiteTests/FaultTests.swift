import NovaSDK
import NovaTesting
import NovaTestingTraits
import Testing

/// What your program sees when a gateway fails: always against a mock of its own.
@Suite struct FaultHandling {
  /// Faults of the mock, by rules that `nova serve` also takes.
  @Test(
    .freshBackend,
    arguments: [
      ("graph.GetFollowers=500", APIError.Code.serverError), ("graph.GetFollowers=429", .rateLimited),
      ("graph.GetFollowers=403", .permissionDenied),
    ])
  func failuresHaveCodes(_ rule: String, _ code: APIError.Code) async throws {
    let backend = try MockBackend.current
    backend.faults = try Faults([rule])
    let nova = client(MockTransport(backend))
    await #expect { try await nova.graph.getFollowers(userId: "ann") } throws: { code ~= $0 }
  }

  /// What failed twice succeeds at the third attempt; the clock waits in no time.
  @Test(.freshBackend) func transientFailuresAreRetried() async throws {
    let backend = try MockBackend.current
    backend.faults = try Faults(["graph.GetFollowers=503x2"])
    let page = try await client(MockTransport(backend)).graph.getFollowers(userId: "mock-user-id")
    #expect(page.totalCount == 3_021)
    #expect(backend.faults.progress.map(\.hits) == [2])
  }

  /// Faults below HTTP, from a real server.
  @Test(arguments: [Fault.resetMidBody, .closeBeforeHeaders, .truncatedBody, .html, .grpcUnavailable])
  func aReadSurvivesOneFault(_ fault: Fault) async throws {
    let server = try FaultServer([.fault(fault)])
    defer { server.stop() }
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: server.url, retryDelay: .zero))
    let nova = NovaClient(configuration: configuration)
    // A page of a proxy is no transient failure: it has its own code, and is not repeated.
    if fault.name == Fault.html.name {
      await #expect(throws: APIError.self) { try await nova.graph.getFollowers(userId: "ann") }
    } else {
      _ = try await nova.graph.getFollowers(userId: "ann")
      #expect(server.requestCount == 2)
    }
    await nova.shutdown()
  }

  private func client(_ transport: MockTransport) -> NovaClient {
    NovaClient(configuration: .builtIn, transport: transport) { $0.clock = ManualClock(autoAdvances: true) }
  }
}

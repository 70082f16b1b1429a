import NovaContract
import NovaCore
import NovaMock
import NovaRecording
import NovaServer
import NovaTestSupport
import Testing

/// The suite in front of a recorder, and then of its cassette.
@Suite(.hangLimit) struct RecordedSuiteTests {
  private static let seed: UInt64 = 44

  @Test func theSuitePassesTheRecorderAndItsCassette() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/suite.jsonl"
    let recorded = try await Self.record(to: path)
    #expect(recorded.problems.isEmpty, "\(recorded.problems.joined(separator: "\n"))")
    let comparison = ContractComparison(try await Backend.mock.value.run, recorded, strictness: .exact)
    #expect(comparison.differences.isEmpty, "\(comparison)")

    let backend = MockBackend(dataSet: .empty)
    backend.use(ReplaySource(try Cassette(path: path), isStrict: true))
    let server = try await MockServer(host: "127.0.0.1", port: 0, backend: backend)
    let replayed = await Self.run("replay", server.url)
    await server.stop()
    #expect(backend.unmatchedReports == [], "\(backend.unmatchedReports.prefix(5).joined(separator: "\n"))")
    #expect(replayed.problems.isEmpty, "\(replayed.problems.joined(separator: "\n"))")
  }

  /// Runs the suite through a recorder in front of the mock's server.
  private static func record(to path: String) async throws -> ContractRun {
    let gateway = try await MockServer(host: "127.0.0.1", port: 0, backend: MockBackend())
    let recorder = try Recorder(proxying: path, replacing: false, decode: GatewayProxy.decode)
    let proxy = GatewayProxy(target: try HTTPURL(parsing: gateway.url), recorder: recorder)
    let server = try await MockServer(host: "127.0.0.1", port: 0, proxy: proxy)
    let run = await Self.run("recorder", server.url)
    await server.stop()
    await gateway.stop()
    try await recorder.finishWhenWritten()
    return run
  }

  /// One scenario at a time, because the order of equal requests counts in a recording.
  private static func run(_ name: String, _ url: String) async -> ContractRun {
    let transport = CurlTransport()
    guard let client = try? APIClient.backend(transport, baseURL: url) else {
      return ContractRun(backend: name, results: [])
    }
    let run = await ContractSuite(client: client).run(name, concurrency: 1, seed: seed)
    await client.shutdown()
    return run
  }
}

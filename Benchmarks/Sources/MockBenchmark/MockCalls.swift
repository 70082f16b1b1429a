import NovaCore
import NovaGraph
import NovaMock

/// Calls in mock mode, one after the other, as a test suite makes them: the whole client, over the mock in place of HTTP.
enum MockCalls {
  private static let count = 20_000

  static func measure() async throws {
    let backend = MockBackend()
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: "http://localhost"))
    let client = APIClient(configuration: configuration, transport: MockTransport(backend))
    let list = GetFollowersRequest(userId: "mock-user-id", limit: 20)
    let check = IsFollowingRequest(followerId: "mock-user-id", followeeId: "user-0001")
    let body = String(decoding: try list.jsonUTF8(), as: UTF8.self)
    // The first round warms up.
    for isCounted in [false, true] {
      let calls = try await rate { _ = try await client.call(GraphRPC.getFollowers, list) }
      let checks = try await rate { _ = try await client.call(GraphRPC.isFollowing, check) }
      let requests = try await rate { backend.ask("graph/followers", body) }
      guard isCounted else { continue }
      report("rate", name: "GetFollowers, 20 ids", ["calls_per_second": calls])
      report("rate", name: "IsFollowing", ["calls_per_second": checks])
      report("rate", name: "GetFollowers, 20 ids, without a client", ["calls_per_second": requests])
    }
  }

  /// Calls per second of CPU time: what one core does that has nothing else to do.
  private static func rate(_ call: () async throws -> Void) async throws -> Double {
    let start = processorTime()
    for _ in 0..<count { try await call() }
    return Double(count) / (processorTime() - start) * 1e6
  }
}

import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Thousands of calls at once, over sockets and libcurl, while much goes wrong.
@Suite struct CrowdTests {
  private static let count = Sanitizer.watchesThreads ? 500 : 3000

  @Test func everyCallEndsAsItsFaultSpecifies() async throws {
    let faults = try Faults(
      ["latency 1ms±1", "graph.CreateFollow=503@0.2", "graph.CreateFollow=drop@0.1"], seed: 7)
    let backend = MockBackend(dataSet: .empty, faults: faults)
    try await withServer(backend) { server, _ in
      let client = try APIClient.test(
        CurlTransport(), baseURL: server.url, ownsTransport: true, token: nil, clock: ContinuousClock())
      // The calls wait for each other, on a busy machine for longer than a call's own time.
      let graph = GraphService(client: client).with { $0.timeout = .seconds(1000) }
      let outcomes = await withTaskGroup(of: (Int, String).self) { group in
        for index in 0..<Self.count {
          group.addTask {
            do {
              try await graph.followUser(followerId: "caller-\(index)", followeeId: "celebrity")
              return (index, "done")
            } catch {
              return (index, (error as? APIError)?.code.rawValue ?? "\(error)")
            }
          }
        }
        return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
      }
      let counts = outcomes.values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      #expect(Set(counts.keys) == ["done", "unavailable", "networkError"], "\(counts)")
      #expect(backend.counts.follows == counts["done"], "what was refused was not done: \(counts)")
      await client.shutdown()
      try await waitUntil { server.openConnections == 0 }
    }
  }
}

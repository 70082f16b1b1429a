import NovaAuth
import NovaCore
import NovaGraph

/// Many callers at once on a session that has expired.
enum RefreshStorm {
  private static let callers = 10_000

  static func measure() async throws {
    let configuration = try Samples.configuration("https://api.example")
    let transport = InstantTransport()
    var times: [Double] = []
    for _ in 0..<7 {
      let refreshes = Counter()
      let sessions = SessionManager(
        store: MemorySessionStore(
          StoredSession(session: try Samples.session(lifetime: -10), origin: "https://api.example")),
        auth: AuthService(client: APIClient(configuration: configuration, transport: transport)),
        refresh: { _ in
          await refreshes.count()
          try await Task.sleep(for: .milliseconds(100))
          return RefreshResponse(token: "new.token.x", expiresIn: 1 << 40)
        })
      let client = APIClient(configuration: configuration, transport: transport, tokens: sessions)
      let clock = ContinuousClock()
      let start = clock.now
      // No task group: taking a child out of a large one takes longer than its call.
      let calls = (0..<callers).map { _ in
        Task { _ = try await client.call(GraphRPC.getFollowers, Samples.request) }
      }
      for call in calls { try await call.value }
      times.append((clock.now - start) / .milliseconds(1))
      let count = await refreshes.value
      precondition(count == 1, "\(count) refreshes")
    }
    report("refresh", name: "\(callers) calls", ["ms": times.median, "worst_ms": times.max() ?? 0])
  }

  private actor Counter {
    private(set) var value = 0
    func count() { value += 1 }
  }
}

import NovaAuth
import NovaCore
import NovaGraph

/// Requests per second over loopback sockets: whole calls, and the transport alone with the same requests.
enum Sockets {
  private static let rounds = 7

  static func measure() async throws {
    let server = try PlainServer(body: Samples.answer)
    defer { server.stop() }
    let configuration = try Samples.configuration(server.url)
    let transport = CurlTransport()
    let sessions = SessionManager(
      store: MemorySessionStore(
        StoredSession(session: try Samples.session(lifetime: 1 << 40), origin: server.url)),
      auth: AuthService(client: APIClient(configuration: configuration, transport: transport)))
    let client = APIClient(configuration: configuration, transport: transport, tokens: sessions)
    let request = try sample(server.url)
    try await waitUntilReady(transport, request)
    print("\nOver libcurl and nginx on loopback, medians of \(rounds) rounds: requests/s, µs of CPU each")
    for inFlight in [1, 16, 64] {
      var (whole, bare): ([Sample], [Sample]) = ([], [])
      for _ in 0..<rounds {
        bare.append(try await run(inFlight) { _ = try await transport.send(request) })
        whole.append(try await run(inFlight) { _ = try await client.call(GraphRPC.getFollowers, Samples.request) })
      }
      for (name, samples) in [("the transport alone", bare), ("whole calls", whole)] {
        let (rate, cost) = (samples.map(\.rate).median, samples.map(\.cost).median)
        row("\(inFlight) in flight, \(name)", "\(rate.shown(0)) \(cost.shown(1))")
      }
    }
    await client.shutdown()
  }

  private struct Sample {
    let rate: Double
    let cost: Double
  }

  /// The same headers and body as a call has.
  private static func sample(_ url: String) throws -> HTTPRequest {
    HTTPRequest(
      method: .post, url: try HTTPURL(parsing: "\(url)/api/v1/graph/followers"),
      headers: [
        "Accept": "application/json", "Content-Type": "application/json", "Grpc-Timeout": "60000m",
        "X-Request-ID": "9f8b6c1e-4d2a-4b7e-8c3d-100000000000", "Authorization": "Bearer \(Samples.token)",
      ],
      body: try Samples.request.jsonUTF8())
  }

  private static func waitUntilReady(_ transport: CurlTransport, _ request: HTTPRequest) async throws {
    for _ in 0..<500 {
      if let response = try? await transport.send(request), response.isSuccess { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    _ = try await transport.send(request)
  }

  private static func run(_ inFlight: Int, _ call: @escaping @Sendable () async throws -> Void) async throws -> Sample {
    let each = (inFlight == 1 ? 4000 : 16000) / inFlight
    let (clock, processor) = (ContinuousClock(), processorTime())
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask { for _ in 0..<each { try await call() } }
      }
      try await group.waitForAll()
    }
    let (seconds, count) = ((clock.now - start) / .seconds(1), Double(inFlight * each))
    return Sample(rate: count / seconds, cost: (processorTime() - processor) / count)
  }
}

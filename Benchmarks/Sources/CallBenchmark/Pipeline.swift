import Logging
import NovaAuth
import NovaCore
import NovaGraph

/// The time of a call over a transport that answers at once, from the bare chain to everything a client has.
enum Pipeline {
  private static let rounds = 15
  private static let calls = 4000

  static func measure() async throws {
    let clients = try candidates()
    var times: [[Double]] = clients.map { _ in [] }
    for _ in 0..<rounds {
      for (index, candidate) in clients.enumerated() {
        let start = processorTime()
        for _ in 0..<calls { try await candidate.call() }
        times[index].append((processorTime() - start) / Double(calls))
      }
    }
    for (candidate, times) in zip(clients, times) { report("pipeline", name: candidate.name, ["us": times.median]) }
  }

  private struct Candidate {
    let name: String
    let call: @Sendable () async throws -> Void
  }

  private static func candidates() throws -> [Candidate] {
    let configuration = try Samples.configuration("https://api.example")
    let (transport, token) = (InstantTransport(), StoredToken(try AccessToken(Samples.token)))
    let plain = APIClient(configuration: configuration, transport: transport)
    let sessions = SessionManager(
      store: MemorySessionStore(
        StoredSession(session: try Samples.session(lifetime: 1 << 40), origin: "https://api.example")),
      auth: AuthService(client: plain))
    let logger = Logger(label: "off") { _ in SwiftLogNoOpLogHandler() }
    let request = HTTPRequest(method: .post, url: "https://api.example/x")
    let answer = Array(Samples.answer.utf8)
    return [
      Candidate(name: "the transport alone") { _ = try await transport.send(request) },
      Candidate(name: "JSON alone") {
        _ = try Samples.request.jsonUTF8()
        _ = try GetFollowersResponse(jsonUTF8: answer)
      },
      over(APIClient(configuration: configuration, transport: transport) { $0.resilience = .none }, "bare client"),
      over(
        APIClient(configuration: configuration, transport: transport, tokens: token) { $0.resilience = .none },
        "+ token"),
      over(
        APIClient(configuration: configuration, transport: transport, tokens: sessions) { $0.resilience = .none },
        "+ session manager in its place"),
      over(
        APIClient(configuration: configuration, transport: transport, tokens: sessions),
        "+ retries, budget, circuit breaker"),
      over(
        APIClient(configuration: configuration, transport: transport, tokens: sessions) { $0.logger = logger },
        "+ a logger that is off"),
    ]
  }

  private static func over(_ client: APIClient, _ name: String) -> Candidate {
    Candidate(name: name) { _ = try await client.call(GraphRPC.getFollowers, Samples.request) }
  }
}

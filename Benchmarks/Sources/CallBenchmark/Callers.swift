import NovaCore
import NovaGraph
import NovaSDK

/// What it costs to act for one of many users: a copy of the client with the user's token, and a call made with it.
enum Callers {
  private static let rounds = 15
  private static let copies = 100_000
  private static let calls = 4000

  static func measure() async throws {
    let token = try AccessToken(Samples.token)
    let nova = NovaClient(
      configuration: try Samples.configuration("https://api.example"), transport: InstantTransport())
    nova.client.setAuthToken(token)
    var (copying, withClientsToken, withOwnToken): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      copying.append(
        time(of: copies) {
          let mine = nova.with { $0.token = token }
          withExtendedLifetime(mine) {}
        })
      withClientsToken.append(try await time(of: calls) { _ = try await nova.graph.getFollowers(Samples.request) })
      let mine = nova.with { $0.token = token }
      withOwnToken.append(try await time(of: calls) { _ = try await mine.graph.getFollowers(Samples.request) })
    }
    report("callers", name: "nova.with { $0.token = token }", ["us": copying.median])
    report("callers", name: "a call with the client's token", ["us": withClientsToken.median])
    report("callers", name: "a call with a token of its own", ["us": withOwnToken.median])
  }

  /// Microseconds of CPU for each.
  private static func time(of count: Int, _ work: () -> Void) -> Double {
    let start = processorTime()
    for _ in 0..<count { work() }
    return (processorTime() - start) / Double(count)
  }

  private static func time(of count: Int, _ work: () async throws -> Void) async rethrows -> Double {
    let start = processorTime()
    for _ in 0..<count { try await work() }
    return (processorTime() - start) / Double(count)
  }
}

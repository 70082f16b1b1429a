// Reads the followers of a user through the async sequence, and prints the time and the most memory that it took.
// Usage: NovaPaging URL COUNT

import CallLoad
import NovaCore
import NovaGraph

@main
enum NovaPaging {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let wanted = Int(arguments[2]) else { throw InvalidArguments() }
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: arguments[1]))
    let client = APIClient(configuration: configuration, transport: CurlTransport())
    let graph = GraphService(client: client)
    _ = try await graph.getFollowers(userId: SampleCall.userId, limit: 1)

    let (start, memory) = (ProcessUsage.current, ProcessUsage.peakMemory)
    var count = 0
    for try await id in graph.followers(of: SampleCall.userId, maximumCount: wanted) where id.utf8.count == 36 {
      count += 1
    }
    let end = ProcessUsage.current
    guard count == wanted else { throw WrongCount(count: count) }
    let memories = [("start_kb", "\(memory)"), ("peak_kb", "\(ProcessUsage.peakMemory)")]
    printLine([("items", "\(count)")] + end.fields(since: start) + memories)
    await client.shutdown()
  }

  private struct InvalidArguments: Error {}

  private struct WrongCount: Error {
    let count: Int
  }
}

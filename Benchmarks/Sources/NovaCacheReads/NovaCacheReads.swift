// Reads 1,000 entries again and again, from caches and from a server on loopback, one at a time.
// Usage: NovaCacheReads URL DIRECTORY KIND COUNT

import CallLoad
import NovaCache
import NovaCore
import NovaGraph
import NovaOffline

@main
enum NovaCacheReads {
  private static let entries = 1_000

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[4]) else { throw InvalidArguments() }
    let (url, directory, kind) = (arguments[1], arguments[2], arguments[3])
    switch kind {
    case "call": try await measureCalls(url, store: nil, policy: .networkOnly, count)
    case "store": try await measureCalls(url, store: OfflineStore(directory: directory), policy: .cacheOnly, count)
    case "image": try await measureImages(url, in: "uncached", .init(), expected: .network, count: count)
    case "memory": try await measureImages(url, in: "cached", .init(), expected: .memory, count: count)
    case "disk":
      let options = HTTPCache.Options(memoryBytes: 0, directory: directory)
      try await measureImages(url, in: "cached", options, expected: .disk, count: count)
    default: throw InvalidArguments()
    }
  }

  private struct InvalidArguments: Error {}

  private struct WrongSource: Error {
    let source: CachedMedia.Source
  }

  private static func client(_ url: String, store: OfflineStore?) throws -> APIClient {
    var overrides = ConfigurationOverrides(baseURL: url)
    overrides.token = try AccessToken(SampleCall.token)
    return APIClient(configuration: try APIConfiguration(overrides), transport: CurlTransport()) { $0.store = store }
  }

  private static func measureCalls(_ url: String, store: OfflineStore?, policy: CachePolicy, _ count: Int) async throws
  {
    let client = try client(url, store: store)
    let read = { @Sendable (number: Int, options: CallOptions) in
      let request = GetFollowersRequest(userId: "user-\(number % entries)", limit: SampleCall.count)
      try SampleCall.check(ids: try await client.call(GraphRPC.getFollowers, request, options: options).userIds.count)
    }
    for number in 0..<entries { try await read(number, CallOptions()) }
    let options = store == nil ? CallOptions() : CallOptions(cache: policy)
    try await measure(count) { try await read($0, options) }
    await client.shutdown()
    await store?.end()
  }

  private static func measureImages(
    _ url: String, in folder: String, _ options: HTTPCache.Options, expected: CachedMedia.Source, count: Int
  ) async throws {
    let client = try client(url, store: nil)
    let images = MediaCache(client: client, cache: HTTPCache(options))
    for number in 0..<entries { _ = try await images.image("/\(folder)/\(number).png") }
    try await measure(count) { number in
      let image = try await images.image("/\(folder)/\(number % entries).png")
      guard image.source == expected else { throw WrongSource(source: image.source) }
    }
    await images.shutdown()
    await client.shutdown()
  }

  private static func measure(_ count: Int, _ read: @Sendable (Int) async throws -> Void) async throws {
    // Steps that share no factor with the number of entries visit all of them, out of order.
    for number in 0..<entries { try await read(number * 7) }
    let start = ProcessUsage.current
    for number in 0..<count { try await read(number * 7) }
    printLine([("reads", "\(count)")] + ProcessUsage.current.fields(since: start))
  }
}

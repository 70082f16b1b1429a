// What a store of 100,000 posts costs: filling it, looking things up, opening it, and making it smaller.
//
// Prints lines of JSON.

import Foundation
import NovaContent
import NovaCore
import NovaOffline

@main
enum OfflineBenchmark {
  private static let posts = 100_000
  private static let author = "author-1"

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-offline-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let transport = PageTransport(author: author, posts: posts)
    let plain = try client(transport, store: nil)
    let without = try await fill(plain, count: posts)
    report("fill", ["posts": Double(posts), "without_s": without])

    let small = "\(folder)/small"
    try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: true)
    try await use(small, transport) { _ = try await fill($0, count: 1_000) }
    try await use(folder, transport) { client in
      let with = try await fill(client, count: posts)
      report("fill", ["with_s": with, "posts_per_second": Double(posts) / with, "file_mb": Double(size(folder))])
    }
    for (count, path) in [(1_000, small), (posts, folder)] {
      var opened: [Double] = []
      for _ in 0..<21 {
        let store = OfflineStore(directory: path)
        let client = try client(transport, store: store)
        opened.append(try await microseconds { try await post(client, 7) })
        await store.end()
      }
      report("open", ["posts": Double(count), "us": opened.median])
    }
    try await use(folder, transport) { client in
      var generator = SystemRandomNumberGenerator()
      var (single, pages): ([Double], [Double]) = ([], [])
      for _ in 0..<20_000 {
        let number = Int.random(in: 0..<posts, using: &generator)
        single.append(try await microseconds { try await post(client, number) })
      }
      for _ in 0..<2_000 {
        let offset = Int.random(in: 0..<posts - 20, using: &generator)
        pages.append(try await microseconds { try await page(client, offset: offset, limit: 20, policy: .cacheOnly) })
      }
      report("post", ["us": single.median, "p99_us": single.percentile(99)])
      report("page", ["us": pages.median, "p99_us": pages.percentile(99)])
    }
    let before = size(folder)
    let limit = OfflineOptions(maximumBytes: 8 << 20)
    try await use(folder, transport, options: limit) { _ = try await fill($0, count: 10_000) }
    report("limit", ["before_mb": Double(before), "after_mb": Double(size(folder))])
  }

  private static func report(_ kind: String, _ figures: [String: Double]) {
    let members = figures.sorted { $0.key < $1.key }.map { #", "\#($0.key)": \#($0.value)"# }
    print(#"{"kind": "\#(kind)"\#(members.joined())}"#)
  }

  private static func client(_ transport: PageTransport, store: OfflineStore?) throws -> APIClient {
    var overrides = ConfigurationOverrides()
    overrides.baseURL = "http://localhost:1"
    overrides.token = try AccessToken("benchmark")
    return APIClient(configuration: try APIConfiguration(overrides), transport: transport) {
      $0.resilience = .none
      $0.store = store
    }
  }

  private static func use(
    _ folder: String, _ transport: PageTransport, options: OfflineOptions = OfflineOptions(maximumBytes: 1 << 30),
    _ body: @Sendable (APIClient) async throws -> Void
  ) async throws {
    let store = OfflineStore(directory: folder, options: options)
    try await body(client(transport, store: store))
    await store.end()
  }

  private static func fill(_ client: APIClient, count: Int) async throws -> Double {
    try await microseconds {
      for offset in stride(from: 0, to: count, by: 100) {
        try await page(client, offset: offset, limit: 100, policy: .networkOnly)
      }
    } / 1_000_000
  }

  private static func page(_ client: APIClient, offset: Int, limit: Int, policy: CachePolicy) async throws {
    let request = GetPostsByAuthorRequest(authorId: author, limit: limit, offset: offset)
    let needsStore = policy == .cacheOnly
    let options = needsStore ? CallOptions(cache: policy) : CallOptions()
    let page = try await client.respond(ContentRPC.getPostsByAuthor, request, options: options).value
    guard page.posts.count == limit else { fatalError("\(page.posts.count) posts") }
  }

  private static func post(_ client: APIClient, _ number: Int) async throws {
    let request = GetPostRequest(postId: PageTransport.id(number))
    let response = try await client.respond(ContentRPC.getPost, request, options: CallOptions(cache: .cacheOnly))
    guard response.value.found else { fatalError("post \(number) is missing") }
  }

  private static func microseconds(_ body: @Sendable () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return (clock.now - start) / .microseconds(1)
  }

  private static func size(_ folder: String) -> Int {
    let sizes = ["cache.db", "cache.db-wal"].map { name in
      (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int) ?? 0
    }
    return sizes.reduce(0, +) / 1_000_000
  }
}

/// Answers GetPostsByAuthor with pages of 100 posts that were made before.
final class PageTransport: HTTPTransport {
  private let pages: [[UInt8]]

  /// Ids in the order of a hash, as gateways give them.
  static func id(_ number: Int) -> String {
    let scattered = (UInt64(number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return "post-" + String(scattered, radix: 16)
  }

  init(author: String, posts: Int) {
    pages = stride(from: 0, to: posts, by: 100).map { offset in
      var page = GetPostsByAuthorResponse(totalCount: posts, hasMore: offset + 100 < posts)
      page.posts = (offset..<offset + 100).map { number in
        Post(
          id: Self.id(number), creatorId: author, content: "\(number) " + String(repeating: "some words ", count: 18),
          createdAt: 1_750_000_000, updatedAt: 1_750_000_000, privacy: "public", status: "published")
      }
      return (try? page.jsonUTF8()) ?? []
    }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = try GetPostsByAuthorRequest(jsonUTF8: request.body.bytes ?? [])
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: .bytes(pages[body.offset / 100]))
  }
}

extension [Double] {
  var median: Double { percentile(50) }

  func percentile(_ percent: Int) -> Double { sorted()[Swift.min(count - 1, count * percent / 100)] }
}

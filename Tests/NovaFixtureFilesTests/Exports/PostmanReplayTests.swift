import NovaCore
import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

/// A collection keeps its promises: replayed against a backend with the same world, each request gets its status.
@Suite struct PostmanReplayTests {
  @Test(arguments: [false, true]) func everyRequestGetsItsStatus(_ requiresTokens: Bool) async throws {
    let world = try World(seed: Seed(42), users: 20)
    let edges = try EdgeCase.all.flatMap { try FixtureExchange.all(of: $0) }
    let exchanges = try await FixtureExchange.all(of: world)
    let file = try #require(
      FixtureExport.postman.files(exchanges + edges, account: FixtureAccount(of: world)).first)
    let backend = MockBackend(dataSet: .world(world), requiresTokens: requiresTokens)
    let results = try await PostmanReplay.run(try JSONValue(jsonUTF8: file.bytes), over: MockTransport(backend))
    let broken = results.filter { !$0.isKept }
    #expect(
      broken.isEmpty,
      "\(broken.count) of \(results.count):\n\(broken.prefix(40).map(\.description).joined(separator: "\n"))")
    #expect(results.count == exchanges.count + 1)
  }

  @Test(arguments: ["graph.IsFollowing", "auth.GetUser", "content.DeletePost", "feed.GetFeed", "media.CompleteUpload"])
  func somePartsOfItKeepTheirPromises(_ rpc: String) async throws {
    let world = try World(seed: Seed(42), users: 20)
    let files = try await FixtureExchangeFiles(of: world, rpcs: [rpc], exports: [.postman]).files
    let file = try #require(files.first { $0.format == "postman" })
    let backend = MockBackend(dataSet: .world(world), requiresTokens: true)
    let results = try await PostmanReplay.run(try JSONValue(jsonUTF8: file.bytes), over: MockTransport(backend))
    let broken = results.filter { !$0.isKept }
    #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    #expect(results.contains { $0.place.contains(rpc) })
  }

  @Test func edgeCasesWithoutRequestsAreNotLost() async throws {
    let edges = try EdgeCase.all.flatMap { try FixtureExchange.all(of: $0) }
    let file = try #require(FixtureExport.postman.files(edges).first)
    let json = try JSONValue(jsonUTF8: file.bytes)
    let examples = Self.examples(json)
    #expect(examples.count == edges.count)
    #expect(json["variable"]?.elements?.first { $0["key"] == .string("password") }?["value"] == .string(""))
  }

  @Test func anotherPasswordIsNotWritten() throws {
    let world = try World(seed: Seed(42), users: 20)
    let account = try #require(FixtureAccount(of: world, password: try WorldPassword("not-the-standard-one")))
    let file = try #require(FixtureExport.postman.files([], account: account).first)
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(!text.contains("not-the-standard-one"))
    #expect(text.contains(account.email))
  }

  private static func examples(_ json: JSONValue) -> [JSONValue] {
    (json["item"]?.elements ?? []).flatMap { ($0["response"]?.elements ?? []) + examples($0) }
  }
}

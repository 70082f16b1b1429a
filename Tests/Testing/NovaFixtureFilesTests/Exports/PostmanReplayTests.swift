import NovaCore
import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

/// A collection keeps its promises: replayed against a backend with the same world, each request gets its status.
@Suite struct PostmanReplayTests {
  /// The collection of everything, made once for both backends.
  private static let everything = Task {
    try await PostmanReplayTests.collection(of: FixtureExchange.shared() + FixtureExchange.sharedEdges())
  }

  /// The world of the shared exchanges.
  private static func world() throws -> World { try World(seed: Seed(42), users: 20) }

  private static func collection(of exchanges: [FixtureExchange]) throws -> JSONValue {
    let files = FixtureExport.postman.files(exchanges, account: FixtureAccount(of: try world()))
    return try JSONValue(jsonUTF8: try #require(files.first).bytes)
  }

  @Test(arguments: [false, true]) func everyRequestGetsItsStatus(_ requiresTokens: Bool) async throws {
    let exchanges = try await FixtureExchange.shared()
    let backend = MockBackend(dataSet: .world(try Self.world()), requiresTokens: requiresTokens)
    let results = try await PostmanReplay.run(Self.everything.value, over: MockTransport(backend))
    let broken = results.filter { !$0.isKept }
    #expect(
      broken.isEmpty,
      "\(broken.count) of \(results.count):\n\(broken.prefix(40).map(\.description).joined(separator: "\n"))")
    #expect(results.count == exchanges.count + 1)
  }

  /// The collections that ``FixtureExchangeFiles`` makes of some RPCs, which ExchangeFilesTests holds it to.
  @Test(arguments: ["graph.IsFollowing", "auth.GetUser", "content.DeletePost", "feed.GetFeed", "media.CompleteUpload"])
  func somePartsOfItKeepTheirPromises(_ rpc: String) async throws {
    let collection = try Self.collection(of: try await FixtureExchange.shared().withPrerequisites(of: [rpc]))
    let backend = MockBackend(dataSet: .world(try Self.world()), requiresTokens: true)
    let results = try await PostmanReplay.run(collection, over: MockTransport(backend))
    let broken = results.filter { !$0.isKept }
    #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    #expect(results.contains { $0.place.contains(rpc) })
  }

  @Test func edgeCasesWithoutRequestsAreNotLost() async throws {
    let edges = try FixtureExchange.sharedEdges()
    let file = try #require(FixtureExport.postman.files(edges).first)
    let json = try JSONValue(jsonUTF8: file.bytes)
    let examples = Self.examples(json)
    #expect(examples.count == edges.count)
    #expect(json["variable"]?.elements?.first { $0["key"] == .string("password") }?["value"] == .string(""))
  }

  @Test func anotherPasswordIsNotWritten() throws {
    let password = try WorldPassword("not-the-standard-one")
    let account = try #require(FixtureAccount(of: try Self.world(), password: password))
    let file = try #require(FixtureExport.postman.files([], account: account).first)
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(!text.contains("not-the-standard-one"))
    #expect(text.contains(account.email))
  }

  private static func examples(_ json: JSONValue) -> [JSONValue] {
    (json["item"]?.elements ?? []).flatMap { ($0["response"]?.elements ?? []) + examples($0) }
  }
}

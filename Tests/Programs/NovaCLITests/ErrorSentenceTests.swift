import Foundation
import NovaAnnouncements
import NovaContent
import NovaContract
import NovaCore
import NovaFixtures
import NovaFleet
import NovaMock
import NovaMockWorlds
import NovaPostgreSQL
import NovaRedis
import NovaTestSupport
import NovaWebSocket
import Testing

@testable import NovaAuth
@testable import NovaEvents
@testable import NovaFixtureFiles
@testable import NovaRecording
@testable import NovaServer
@testable import NovaTesting
@testable import NovaTracking

/// Code that knows no error of ours prints `localizedDescription`: for every public error of every module it is the error's
/// own sentence, and not Foundation's "The operation could not be completed". Apps show it to their users for the errors of
/// calls and of signing in: for these it is the sentence of ``UserMessage``.
@Suite struct ErrorSentenceTests {
  /// An error, by the name of its type, and how it comes about.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cause: @Sendable () throws -> Void

    init(_ name: String, _ cause: @escaping @Sendable () throws -> Void) {
      testDescription = name
      self.cause = cause
    }
  }

  static let cases = [
    Case("APIError") { throw APIError(.notFound, "not found: post 42", rpc: "content.GetPost", httpStatus: 404) },
    Case("AnnouncementError") { _ = try Animal(Announcement()) },
    Case("AuthError") { throw AuthError(AuthError.weakPassword) },
    Case("CassetteError") { throw CassetteError("the cassette is damaged") },
    Case("ConfigurationError") { _ = try APIConfiguration.load(file: .none, environment: ["NOVA_TIMEOUT": "soon"]) },
    Case("ContractBaselineError") { _ = try ContractBaseline(jsonUTF8: Array("{".utf8)) },
    Case("ContractShardError") { _ = try ContractCheckShard.merged([]) },
    Case("EventPositionError") {
      throw EventPositionError(action: "read", path: "/inbox.position", reason: "permission denied")
    },
    Case("FaultRuleError") { _ = try FaultRule("no rule") },
    Case("FixtureError") { throw FixtureError.cancelled },
    Case("FixtureExchangeError") { throw FixtureExchangeError("no exchange") },
    Case("FleetKeyError") { _ = try FleetKeys(names: "short", sealing: []) },
    Case("FleetLimitError") { throw FleetLimitError(.closed, "create another one") },
    Case("FleetOutboxError") { _ = try FleetOutboxSchema("no name") },
    Case("HTTPBodyError") { throw HTTPBodyError.tooLarge(limit: 5) },
    Case("HTTPURLError") { _ = try HTTPURL(parsing: "ftp://files.example") },
    Case("MockServerError") { throw MockServerError("cannot listen") },
    Case("MockScenarioError") { _ = try MockScenario(jsonUTF8: Array("{".utf8)) },
    Case("NoCurrentBackend") { throw NoCurrentBackend() },
    Case("PostgreSQLError") { throw PostgreSQLError(.busy, "all connections are in use") },
    Case("ProtoJSONError") { _ = try JSONValue(jsonUTF8: Array("{".utf8)) },
    Case("ProtobufError") { _ = try ErrorStatus(protobuf: [0xFF]) },
    Case("MockEventError") { try MockBackend().emit(Event(), topics: ["nonsense"]) },
    Case("RedisError") { throw RedisError(.timeout, "no answer in time", mayHaveRun: true) },
    Case("SeedError") { _ = try Seed(parsing: "no seed") },
    Case("ServerSentEventError") { throw ServerSentEventError.tooLarge(limit: 5) },
    Case("SessionStoreError") { _ = try SessionKey("no key") },
    Case("StateFileError") { throw StateFileError("state.json", "is not a regular file") },
    Case("TrackingError") { throw TrackingError("cannot opt out") },
    Case("TransportError") {
      throw TransportError(.connectionLost, "the connection was lost", requestMayHaveLeft: true)
    },
    Case("UnmetExpectations") {
      if let error = UnmetExpectations(unexpected: [], unused: ["graph.GetFollowers"]) { throw error }
    },
    Case("WebSocketRefusal") { throw WebSocketRefusal(response: HTTPResponse(status: 403, headers: [:], body: [])) },
    Case("WorkShardError") { _ = try WorkShard(parsing: "9/8") },
    Case("WorldPasswordError") { _ = try WorldPassword("short") },
    Case("WorldError") { _ = try World(seed: Seed(1), users: 0) },
  ]

  static let shownToUsers: Set = ["APIError", "AnnouncementError", "AuthError", "SessionStoreError"]

  @Test(arguments: cases) func isTheLocalizedDescription(_ test: Case) throws {
    let error = try #require(throws: (any Error).self) { try test.cause() }
    #expect(String(describing: type(of: error)) == test.testDescription)
    let sentence = Self.shownToUsers.contains(test.testDescription) ? UserMessage.text(of: error) : "\(error)"
    #expect(error.localizedDescription == sentence && error is any NovaError)
    #expect(error.localizedDescription.count { $0.isLetter } > 5 && !error.localizedDescription.contains("Error("))
  }

  @Test func theTableHasEveryPublicError() throws {
    let sources = Checkout.root.appending(path: "Sources")
    var names: Set<String> = []
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: /public (?:struct|enum) (\w+): NovaError/)
      {
        names.insert(String(match.1))
      }
    }
    #expect(names == Set(Self.cases.map(\.testDescription)))
  }
}

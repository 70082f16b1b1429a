import NovaAuth
import NovaCore
public import NovaFixtures
public import NovaMockWorlds
import NovaRecording

/// Formats in which other tools import exchanges.
public enum FixtureExport: String, Sendable, Hashable, CaseIterable {
  /// WireMock stubs: a folder `mappings` with one file per stub.
  case wiremock
  /// A Mockoon environment: a route for each path, with a response for each request.
  case mockoon
  /// A Postman collection, version 2.1, that a runner can replay: a login, and a request with a test for each exchange.
  case postman
  /// An HTTP Archive, version 1.2.
  case har
  /// A Pact contract, version 4, with provider states that `nova serve` sets up.
  case pact

  /// Returns the files of an export. The same exchanges give the same bytes.
  ///
  /// WireMock and Mockoon get only the first of several responses to the same request. Secrets are placeholders:
  /// `{{secret:1}}` in HAR, as in cassettes, variables in Postman, and `secret-1` in the others, where braces have a
  /// meaning. In a pact, tokens are placeholders that verifiers replace, and passwords have a value that was made up.
  ///
  /// - Parameters:
  ///   - exchanges: the exchanges to export, in order.
  ///   - account: the account that a Postman collection logs in with first. Default: none; its variables are empty.
  ///   - time: the time of the exchanges in HAR, in Unix seconds. Default: 2025-01-01T00:00:00Z.
  ///   - prerequisites: other exchanges of the same recording, which the provider states of a pact need. Default: none.
  /// - Returns: the files with their paths in the export's folder.
  public func files(
    _ exchanges: [FixtureExchange], account: FixtureAccount? = nil, time: Int64 = 1_735_689_600,
    prerequisites: [FixtureExchange] = []
  ) -> [FixtureExportFile] {
    switch self {
    case .wiremock: WireMockExport(exchanges).files
    case .mockoon: [FixtureExportFile("environment.json", MockoonExport(exchanges).json)]
    case .postman: [FixtureExportFile("collection.json", PostmanExport(exchanges, account: account).json)]
    case .har: [FixtureExportFile("exchanges.har", Self.cassette(exchanges, time).har)]
    case .pact:
      [
        FixtureExportFile(
          "NovaSDK-NovaSocial.json", PactExport(exchanges, prerequisites: prerequisites, time: time).bytes)
      ]
    }
  }

  /// Returns the exchanges as a recording, which can be written as HAR.
  private static func cassette(_ exchanges: [FixtureExchange], _ time: Int64) -> Cassette {
    Cassette(
      createdAt: time,
      interactions: exchanges.map {
        Cassette.Interaction(rpc: $0.rpc, $0.request, $0.response, startedAt: Double(time))
      })
  }
}

/// An account of a world in a mock backend.
public struct FixtureAccount: Sendable, Hashable {
  /// The e-mail address.
  public let email: String
  /// The password; nil for one that exports must not contain.
  public let password: String?

  /// Creates the first account of a world that can log in; nil if there is none.
  ///
  /// - Parameter password: the password of the world's accounts. Default: `fixture-password`.
  public init?(of world: World, password: WorldPassword = .standard) {
    let account = (0..<world.size.users).lazy.map(world.account).first(where: \.isActive)
    guard let account else { return nil }
    email = account.email
    self.password = password == .standard ? WorldPassword.standardText : nil
  }
}

/// A file of an export.
public struct FixtureExportFile: Sendable, Hashable {
  /// The path within the export's folder: `mappings/graph.GetFollowers-1.json`.
  public let path: String
  /// The contents.
  public let bytes: [UInt8]

  init(_ path: String, _ json: JSONValue) { self.init(path, json.jsonUTF8) }

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// UUIDs derived from texts, so that they are the same in every export (RFC 9562, version 8).
enum StableUUID {
  /// Returns the UUID of a text.
  static func of(_ text: String) -> String {
    var bits = hash(text)
    bits = bits & ~(0xF << 76) | 8 << 76
    bits = bits & ~(0x3 << 62) | 2 << 62
    let digits = String(bits, radix: 16)
    let all = Array(String(repeating: "0", count: 32 - digits.count) + digits)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(all[$0]) }.joined(separator: "-")
  }

  /// FNV-1a with 128 bits.
  private static func hash(_ text: String) -> UInt128 {
    text.utf8.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) {
      ($0 ^ UInt128($1)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
  }
}

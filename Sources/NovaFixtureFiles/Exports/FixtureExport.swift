import NovaCore
import NovaRecording

/// Forms in which other tools take exchanges.
public enum FixtureExport: String, Sendable, Hashable, CaseIterable {
  /// Stubs of WireMock: a folder `mappings` with one file for each.
  case wiremock
  /// An environment of Mockoon: a route for each path, with an answer for each request.
  case mockoon
  /// A Postman collection, version 2.1: a request for each exchange, with the answer as its example.
  case postman
  /// An HTTP Archive, version 1.2.
  case har
  /// A contract of Pact, version 4.
  case pact

  /// The files of an export. The same exchanges give the same bytes.
  ///
  /// Stubs must be told from each other, so that WireMock and Mockoon get the first of several answers to the same
  /// request. Secrets are placeholders: `{{secret:1}}` in HAR and Pact, as in cassettes, and `secret-1` for the others, to
  /// which braces mean something.
  ///
  /// - Parameters:
  ///   - exchanges: what is exported, in its order.
  ///   - time: the time that HAR wants of each exchange, in Unix seconds. Default: 2025-01-01T00:00:00Z.
  /// - Returns: paths within the export's folder, with what the files hold.
  public func files(_ exchanges: [FixtureExchange], time: Int64 = 1_735_689_600) -> [FixtureExportFile] {
    switch self {
    case .wiremock: WireMockExport(exchanges).files
    case .mockoon: [FixtureExportFile("environment.json", MockoonExport(exchanges).json)]
    case .postman: [FixtureExportFile("collection.json", PostmanExport(exchanges).json)]
    case .har: [FixtureExportFile("exchanges.har", Self.cassette(exchanges, time).har)]
    case .pact:
      [FixtureExportFile("NovaSDK-NovaSocial.json", Self.cassette(exchanges, time).pact(consumer: "NovaSDK"))]
    }
  }

  /// The exchanges as a recording, which can be written as HAR and Pact.
  private static func cassette(_ exchanges: [FixtureExchange], _ time: Int64) -> Cassette {
    Cassette(
      createdAt: time,
      interactions: exchanges.map {
        Cassette.Interaction(rpc: $0.rpc, $0.request, $0.response, startedAt: Double(time))
      })
  }
}

/// A file of an export.
public struct FixtureExportFile: Sendable, Hashable {
  /// The path within the export's folder: `mappings/graph.GetFollowers-1.json`.
  public let path: String
  /// What it holds.
  public let bytes: [UInt8]

  init(_ path: String, _ json: JSONValue) { self.init(path, json.jsonUTF8) }

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

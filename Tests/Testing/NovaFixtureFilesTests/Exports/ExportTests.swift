import Foundation
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import NovaTesting
import Testing

/// The exports against the tools' published forms, which ``ExportShapes`` writes down.
@Suite struct ExportTests {
  /// The files for each tool, made once for all tests.
  private static let made = Task {
    let exchanges = try await ExportTests.exchanges()
    return Dictionary(uniqueKeysWithValues: FixtureExport.allCases.map { ($0, $0.files(exchanges)) })
  }
  private static let stubs = Task { try await ExportTests.files(.wiremock).map(ExportTests.json) }

  private static func exchanges() async throws -> [FixtureExchange] {
    try await FixtureExchange.shared() + FixtureExchange.sharedEdges()
  }

  private static func files(_ export: FixtureExport) async throws -> [FixtureExportFile] {
    let files = try await made.value[export]
    return try #require(files)
  }

  private static func json(_ file: FixtureExportFile) throws -> JSONValue { try JSONValue(jsonUTF8: file.bytes) }

  @Test func stubsAreWireMocks() async throws {
    let files = try await Self.files(.wiremock)
    let stubs = try await Self.stubs.value
    for (file, stub) in zip(files, stubs) {
      #expect(file.path.hasPrefix("mappings/") && file.path.hasSuffix(".json"))
      #expect(ExportShapes.stub.problems(stub) == [], "\(file.path)")
      // One of the forms of a body, at most.
      #expect(["body", "base64Body"].count { stub["response"]?[$0] != nil } <= 1)
    }
    #expect(Set(files.map(\.path)).count == files.count)
    #expect(Set(stubs.map { $0["id"] }).count == stubs.count)
    #expect(Set(stubs.map { $0["request"] }).count == stubs.count, "which of two equal stubs answers is anyone's guess")
    for file in files { Self.writeForOtherValidators(file, .wiremock) }
  }

  @Test func theEnvironmentIsMockoons() async throws {
    let file = try #require(try await Self.files(.mockoon).first)
    let json = try Self.json(file)
    #expect(ExportShapes.environment.problems(json) == [])
    let routes = json["routes"]?.elements ?? []
    #expect(json["rootChildren"]?.elements?.map { $0["uuid"] } == routes.map { $0["uuid"] })
    let uuids = routes.flatMap { [$0["uuid"]] + ($0["responses"]?.elements?.map { $0["uuid"] } ?? []) }
    #expect(Set(uuids).count == uuids.count)
    for route in routes {
      let answers = route["responses"]?.elements ?? []
      #expect(answers.count { $0["default"] == .bool(true) } == 1)
      let rules = answers.map { $0["rules"]?.elements?.count ?? 0 }
      #expect(rules == rules.sorted(by: >))
    }
    Self.writeForOtherValidators(file, .mockoon)
  }

  @Test func theCollectionIsPostmans() async throws {
    let exchanges = try await Self.exchanges()
    let file = try #require(try await Self.files(.postman).first)
    let json = try Self.json(file)
    #expect(ExportShapes.collection.problems(json) == [])
    let items = (json["item"]?.elements ?? []).flatMap { $0["item"]?.elements ?? [] }
      .flatMap { $0["item"]?.elements ?? [] }
    let edges = try FixtureExchange.sharedEdges()
    #expect(items.count == exchanges.count - edges.count)
    #expect(items.reduce(0) { $0 + ($1["response"]?.elements?.count ?? 0) } == exchanges.count)
    Self.writeForOtherValidators(file, .postman)
  }

  @Test func theArchiveAndThePactHoldEverything() async throws {
    let exchanges = try await Self.exchanges()
    let archive = try #require(try await Self.files(.har).first)
    let log = try Self.json(archive)["log"]
    #expect(log?["version"] == .string("1.2"))
    #expect(log?["entries"]?.elements?.count == exchanges.count)
    let pact = try #require(try await Self.files(.pact).first)
    let json = try Self.json(pact)
    let interactions = json["interactions"]?.elements ?? []
    #expect(Set(interactions.map { $0["description"] }).count == interactions.count && interactions.count > 500)
    #expect(json["metadata"]?["pactSpecification"]?["version"] == .string("4.0"))
    Self.writeForOtherValidators(archive, .har)
    Self.writeForOtherValidators(pact, .pact)
  }

  @Test(arguments: FixtureExport.allCases) func bytesAreTheSameAndHoldNoSecret(_ export: FixtureExport) async throws {
    let exchanges = try await Self.exchanges()
    let files = try await Self.files(export)
    #expect(export.files(exchanges) == files)
    for file in files {
      // Bytes are searched faster than text.
      let data = Data(file.bytes)
      #expect(data.range(of: Data("eyJ".utf8)) == nil, "\(file.path) has a token")
      if export != .har, export != .pact { #expect(data.range(of: Data("{{secret:".utf8)) == nil, "\(file.path)") }
    }
    #expect(export.files([]).allSatisfy { (try? Self.json($0)) != nil })
  }

  /// What is asked for in each way finds its answer again.
  @Test func wireMockStubsMatchTheirOwnRequests() async throws {
    let stubs = try await Self.stubs.value
    for (name, body) in [("graph.GetFollowers: a user", "equalToJson"), ("graph.GetFollowers: broken JSON", "equalTo")]
    {
      let stub = try #require(stubs.first { $0["name"] == .string(name) })
      #expect(stub["request"]?["urlPath"] == .string("/api/v1/graph/followers"))
      #expect(stub["request"]?["bodyPatterns"]?.elements?.first?[body] != nil, "\(name)")
    }
    let list = try #require(stubs.first { $0["name"]?.stringValue?.hasPrefix("capture.ListSomethings: ") == true })
    #expect(list["request"]?["queryParameters"]?["limit"]?["equalTo"]?.stringValue == "3")
  }

  /// The shapes themselves notice what is missing, of the wrong type, or too much.
  @Test func schemasRejectInvalidExports() async throws {
    // A small export is as wrong as a large one.
    let exchanges = Array(try await Self.exchanges().prefix(20))
    for (export, shape) in [
      (FixtureExport.wiremock, ExportShapes.stub), (.mockoon, ExportShapes.environment),
      (.postman, ExportShapes.collection),
    ] {
      let file = try #require(export.files(exchanges).first)
      let text = String(decoding: file.bytes, as: UTF8.self)
      for (from, to) in [("\"name\":", "\"title\":"), ("\"method\":\"", "\"method\":7,\"x\":\"")] {
        #expect(text.contains(from))
        #expect(shape.problems(try JSONValue(jsonUTF8: Array(text.replacing(from, with: to).utf8))) != [], "\(export)")
      }
    }
  }

  /// With EXPORT_FOLDER set, the exports are left there for validators that are not part of the tests.
  private static func writeForOtherValidators(_ file: FixtureExportFile, _ export: FixtureExport) {
    guard let folder = ProcessInfo.processInfo.environment["EXPORT_FOLDER"] else { return }
    let url = URL(filePath: "\(folder)/\(export)/\(file.path)")
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? Data(file.bytes).write(to: url)
  }
}

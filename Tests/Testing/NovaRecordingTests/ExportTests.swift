import Foundation
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaRecording
import NovaTesting
import Testing

/// The exports against their formats, written down here from the published ones: HAR 1.2, and Pact's version 4.
@Suite struct ExportTests {
  private static let namedValue = Shape.object(["name": .string, "value": .string], ["comment": .string])
  private static let archive: Shape = {
    let time = Shape.check("an ISO 8601 time") { $0.stringValue.flatMap { Timestamp($0) } != nil }
    let notNegative = Shape.check("a number from 0") { value in
      if case .number(let text) = value { Double(text).map { $0 >= 0 } ?? false } else { false }
    }
    let url = Shape.check("an absolute URL") { $0.stringValue.flatMap { URL(string: $0)?.host } != nil }
    let request = Shape.object(
      [
        "method": .string, "url": url, "httpVersion": .string, "cookies": .list(.anything),
        "headers": .list(namedValue),
        "queryString": .list(namedValue), "headersSize": .integer, "bodySize": .integer,
      ],
      ["postData": .object(["mimeType": .string], ["text": .string, "params": .list(.anything)]), "comment": .string])
    let content = Shape.object(
      ["size": .integer, "mimeType": .string], ["text": .string, "encoding": .string, "compression": .integer])
    let response = Shape.object(
      [
        "status": .integer, "statusText": .string, "httpVersion": .string, "cookies": .list(.anything),
        "headers": .list(namedValue), "content": content, "redirectURL": .string, "headersSize": .integer,
        "bodySize": .integer,
      ], ["comment": .string])
    let entry = Shape.object(
      [
        "startedDateTime": time, "time": notNegative, "request": request, "response": response, "cache": .object([:]),
        "timings": .object(["send": notNegative, "wait": notNegative, "receive": notNegative]),
      ], ["comment": .string])
    return .object([
      "log": .object([
        "version": .constant("1.2"), "creator": .object(["name": .string, "version": .string]), "entries": .list(entry),
      ])
    ])
  }()

  private static let pact: Shape = {
    let matcher = Shape.either(
      .object(["match": .oneOf(["type", "integer", "decimal", "null"])]),
      .object(["match": .constant("regex"), "regex": .string]))
    let matchers = Shape.map(.object(["matchers": .list(matcher)], ["combine": .oneOf(["AND", "OR"])]))
    let rules = Shape.object([:], ["body": matchers, "header": matchers, "query": matchers])
    let body = Shape.object([
      "contentType": .string, "contentTypeHint": .oneOf(["TEXT", "BINARY"]), "encoded": .either(.bool, .string),
      "content": .anything,
    ])
    let request = Shape.object(
      ["method": .oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"]), "path": .string],
      ["query": .map(.list(.string)), "headers": .map(.list(.string)), "body": body, "matchingRules": rules])
    let response = Shape.object(
      ["status": .check("100…599") { (100...599).contains($0.integerValue ?? 0) }],
      ["headers": .map(.list(.string)), "body": body, "matchingRules": rules])
    let interaction = Shape.object(
      ["type": .constant("Synchronous/HTTP"), "description": .string, "request": request, "response": response],
      [
        "key": .string, "pending": .bool,
        "providerStates": .list(.object(["name": .string], ["params": .map(.anything)])),
      ])
    return .object([
      "consumer": .object(["name": .string]), "provider": .object(["name": .string]),
      "interactions": .list(interaction),
      "metadata": .object(["pactSpecification": .object(["version": .constant("4.0")])], isOpen: true),
    ])
  }()

  /// Every kind of thing that a cassette may hold.
  static func cassette() async throws -> Cassette {
    let recorder = Recorder(clock: ManualClock())
    _ = try await SignInScenario.run(MockTransport(.seeded(1)), [recorder])
    var cassette = recorder.cassette
    let backend = MockBackend.seeded(1)
    cassette.interactions += try await recording([
      .json(.get, "/api/v1/somethings?limit=5&skip=0"), .json(.get, "/api/v1/announcements/some%20id"),
      .json(.post, "/prefix/api/v1/graph/followers", body: #"{"user_id":"mock-user-id","limit":2}"#),
      HTTPRequest(method: .put, url: "http://localhost/bytes", body: [0, 1, 2]),
      HTTPRequest(method: .put, url: "/only/a/path?x=1&x=2", body: Array("text".utf8)),
    ]) { backend.respond(to: $0) }.interactions
    let broken = recorder.recording(
      RecordingTransport { _, _ in throw TransportError(.connectionLost, "gone", requestMayHaveLeft: true) })
    _ = try? await broken.send(.json(.get, "/x"))
    cassette.interactions.append(try #require(recorder.cassette.interactions.last))
    return cassette
  }

  @Test func theArchiveIsHAR() async throws {
    let cassette = try await Self.cassette()
    let json = try JSONValue(jsonUTF8: cassette.har)
    #expect(Self.archive.problems(json) == [])
    #expect(json["log"]?["entries"].flatMap(Self.count) == cassette.interactions.count)
    Self.writeForOtherValidators(cassette.har, "cassette.har")
  }

  @Test(arguments: [Cassette.PactMatching.types, .values])
  func thePactIsPact(matching: Cassette.PactMatching) async throws {
    let cassette = try await Self.cassette()
    let pact = cassette.pact(consumer: "the tests", matching: matching) { interaction in
      interaction.rpc == "graph.CreateFollow" ? "bruce_li is signed in" : nil
    }
    let json = try JSONValue(jsonUTF8: pact)
    #expect(Self.pact.problems(json) == [])
    // All but the request that had no response.
    #expect(json["interactions"].flatMap(Self.count) == cassette.interactions.count - 1)
    guard case .array(let interactions)? = json["interactions"] else { throw CancellationError() }
    #expect(Set(interactions.map { $0["description"] }).count == interactions.count)
    Self.writeForOtherValidators(pact, "\(matching).pact.json")
  }

  @Test func pactsAcceptAnySecret() async throws {
    let json = try JSONValue(jsonUTF8: try await Self.cassette().pact(consumer: "the tests", matching: .values))
    guard case .array(let interactions)? = json["interactions"] else { throw CancellationError() }
    let login = try #require(interactions.first)
    let rule = try JSONValue(jsonUTF8: Array(#"{"matchers":[{"match":"type"}],"combine":"AND"}"#.utf8))
    #expect(login["request"]?["matchingRules"]?["body"]?["$.password"] == rule)
    #expect(login["response"]?["matchingRules"]?["body"]?["$.refresh_token"] == rule)
    let authorization = interactions[2]["request"]?["matchingRules"]?["header"]?["Authorization"]
    #expect(authorization.map { String(decoding: $0.jsonUTF8, as: UTF8.self) }?.contains("^Bearer .+$") == true)
  }

  @Test func repeatedInteractionsAreInAPactOnce() async throws {
    let request = HTTPRequest.json(.post, "/api/v1/graph/followers", body: #"{"user_id":"a"}"#)
    let cassette = try await recording([request, request]) { _ in .json("{}") }
    #expect(try JSONValue(jsonUTF8: cassette.pact(consumer: "a"))["interactions"].flatMap(Self.count) == 1)
  }

  /// The shapes themselves notice what is missing, of the wrong type, or too much.
  @Test func schemasRejectInvalidExports() async throws {
    let cassette = try await Self.cassette()
    for (shape, bytes) in [(Self.archive, cassette.har), (Self.pact, cassette.pact(consumer: "a"))] {
      let text = String(decoding: bytes, as: UTF8.self)
      for (from, to) in [("\"status\":200", "\"status\":\"200\""), ("\"method\"", "\"verb\""), ("\"POST\"", "7")] {
        #expect(text.contains(from))
        #expect(shape.problems(try JSONValue(jsonUTF8: Array(text.replacing(from, with: to).utf8))) != [])
      }
    }
  }

  private static func count(_ list: JSONValue) -> Int? { if case .array(let list) = list { list.count } else { nil } }

  /// With EXPORT_FOLDER set, the exports are left there for validators that are not part of the tests.
  private static func writeForOtherValidators(_ bytes: [UInt8], _ name: String) {
    guard let folder = ProcessInfo.processInfo.environment["EXPORT_FOLDER"] else { return }
    try? Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
  }
}

import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaRecording
import NovaTesting
import Testing

@Suite struct RecorderTests {
  @Test func writesEachInteractionAtOnceForItsOwnerOnly() async throws {
    let folder = try RecordingFolder()
    let recorder = try Recorder(path: folder.file(), clock: ManualClock())
    #expect(try Cassette(path: folder.file()) == Cassette(createdAt: 1_764_583_200))
    let story = try await SignInScenario.run(MockTransport(.seeded(1)), [recorder])
    // Not finished: as after a kill.
    let cassette = try Cassette(path: folder.file())
    #expect(cassette == recorder.cassette)
    #expect(!story.userID.isEmpty)
    #expect(
      cassette.interactions.map(\.rpc) == [
        "auth.Login", "auth.VerifyToken", "graph.CreateFollow", "graph.CreateFollow", "auth.Refresh", "auth.Logout",
      ])
    #expect(try folder.mode() == 0o600)
    #expect(folder.names == ["cassette.jsonl"])
    try recorder.finish()
  }

  @Test func noSecretReachesTheFile() async throws {
    let folder = try RecordingFolder()
    let recorder = try Recorder(path: folder.file())
    let story = try await SignInScenario.run(recorder.recording(MockTransport(.seeded(1))))
    try recorder.finish()
    let text = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(story.secrets.count >= 4)
    for secret in story.secrets { #expect(!text.contains(secret)) }
    // The token that came from Login is the one that is verified and sent along.
    let login = try #require(recorder.cassette.interactions.first)
    guard case .response(let answer) = login.outcome else { throw CancellationError() }
    let token = try #require(try JSONValue(jsonUTF8: answer.body.inMemory)["token"]?.stringValue)
    #expect(token.hasPrefix("{{secret:"))
    #expect(recorder.cassette.interactions[2].request.headers["Authorization"] == "Bearer \(token)")
    #expect(try JSONValue(jsonUTF8: recorder.cassette.interactions[1].request.body)["token"] == .string(token))
  }

  @Test func everyBeginningOfAFileCanBeRead() async throws {
    let folder = try RecordingFolder()
    let recorder = try Recorder(path: folder.file(), clock: ManualClock())
    _ = try await SignInScenario.run(MockTransport(.seeded(1)), [recorder])
    let bytes = try folder.bytes()
    for length in stride(from: 0, through: bytes.count, by: 7) {
      let beginning = Array(bytes[..<length])
      let lines = beginning.count { $0 == UInt8(ascii: "\n") }
      let cassette = try Cassette(jsonLines: beginning)
      #expect(cassette.interactions == Array(recorder.cassette.interactions.prefix(max(0, lines - 1))))
      #expect(cassette.isTruncated == (beginning.last != UInt8(ascii: "\n")))
    }
  }

  @Test func streamsAreRecordedAndReplayed() async throws {
    @Sendable func stream(_ text: String) -> HTTPBody {
      .stream(
        HTTPBodyStream(
          AsyncStream<[UInt8]> { continuation in
            for byte in text.utf8 { continuation.yield([byte]) }
            continuation.finish()
          }))
    }
    let recorder = Recorder(clock: ManualClock())
    let transport = recorder.recording(
      RecordingTransport { _, request in
        let sent = try await request.body.collect(upTo: 100)
        #expect(sent == Array(#"{"a":1}"#.utf8))
        return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: stream(#"{"b":2}"#))
      })
    var request = HTTPRequest.json(.post, "/x")
    request.streamsResponse = true
    request.body = stream(#"{"a":1}"#)
    #expect(try await transport.send(request).body.collect(upTo: 100) == Array(#"{"b":2}"#.utf8))
    request.body = stream(#"{"a":1}"#)
    let response = try await ReplayTransport.replaying(recorder.cassette) { [request] in try await $0.send(request) }
    #expect(response.body.bytes == Array(#"{"b":2}"#.utf8))
  }

  @Test func manyTasksRecordAndReplayAtOnce() async throws {
    let folder = try RecordingFolder()
    let recorder = try Recorder(path: folder.file())
    let requests = (0..<200).map {
      HTTPRequest.json(.post, "/x", body: "{\"number\":\($0),\"token\":\"secret-of-\($0 % 10)\"}")
    }
    func send(_ transport: any HTTPTransport) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for request in requests { group.addTask { _ = try await transport.send(request) } }
        try await group.waitForAll()
      }
    }
    try await send(recorder.recording(RecordingTransport("{}")))
    try recorder.finish()
    let cassette = try Cassette(path: folder.file())
    #expect(cassette.interactions.count == 200)
    #expect(Set(cassette.interactions.compactMap { try? JSONValue(jsonUTF8: $0.request.body)["token"] }).count == 10)
    _ = try await ReplayTransport.replaying(cassette) { try await send($0) }
  }

  @Test func recordsThatThereWasNoResponse() async throws {
    let recorder = Recorder(clock: ManualClock())
    let failure = TransportError(.connectionLost, "gone", requestMayHaveLeft: true)
    let client = try APIClient.test(RecordingTransport { _, _ in throw failure }, middlewares: [recorder])
    let error = await apiError { try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "a")) }
    #expect(error?.transport?.kind == .connectionLost)
    #expect(recorder.cassette.interactions.map(\.outcome) == [.failure(failure)])
    let folder = try RecordingFolder()
    try recorder.cassette.write(to: folder.file())
    #expect(try Cassette(path: folder.file()) == recorder.cassette)
  }

  @Test func replacesOnlyIfRequested() throws {
    let folder = try RecordingFolder()
    try Cassette().write(to: folder.file())
    let error = #expect(throws: CassetteError.self) { try Recorder(path: folder.file()) }
    #expect(error?.description.contains("replacing: true") == true)
    #expect(throws: Never.self) { try Recorder(path: folder.file(), replacing: true) }
    #expect(throws: CassetteError.self) { try Recorder(path: folder.file("missing/cassette.jsonl")) }
    #expect(folder.names == ["cassette.jsonl"])
  }

  @Test(arguments: [
    ("", true, nil), ("{}\n", false, "header"), ("not json\n", false, "line 1"),
    ("{\"nova_cassette\":2}\n", false, "version 2"), ("{\"nova_cassette\":1}\n{}\n", false, "line 2"),
    ("{\"nova_cassette\":1}\n{\"rpc", true, nil),
  ])
  func readsValidCassettes(text: String, isTruncated: Bool, problem: String?) throws {
    do {
      #expect(try Cassette(jsonLines: Array(text.utf8)).isTruncated == isTruncated)
      #expect(problem == nil)
    } catch {
      #expect(error.description.contains(problem ?? "nothing"))
    }
  }

  @Test(arguments: ["\"started_at\":1e300", "\"started_at\":-1e300", "\"duration_ms\":1e300", "\"duration_ms\":-1"])
  func rejectsInvalidTimes(_ time: String) throws {
    let lines =
      "{\"nova_cassette\":1}\n{\(time),\"request\":{\"method\":\"GET\",\"path\":\"/\"},\"response\":{\"status\":200}}\n"
    let error = #expect(throws: CassetteError.self) { try Cassette(jsonLines: Array(lines.utf8)) }
    #expect(error?.description.contains("line 2: expected an interaction") == true)
  }

  @Test func exportsWhateverTimeAProgramSets() throws {
    let lines =
      "{\"nova_cassette\":1}\n{\"request\":{\"method\":\"GET\",\"path\":\"/\"},\"response\":{\"status\":200}}\n"
    var cassette = try Cassette(jsonLines: Array(lines.utf8))
    for (time, written) in [
      (1e300, "9999-12-31T23:59:59Z"), (-1e300, "0001-01-01T00:00:00Z"), (.nan, "1970-01-01T00:00:00Z"),
    ] {
      cassette.interactions[0].startedAt = time
      #expect(String(decoding: cassette.har, as: UTF8.self).contains("\"\(written)\""), "\(time)")
    }
  }

  @Test func keepsBodiesOfEveryKind() async throws {
    let bodies: [[UInt8]] = [
      [], Array("{\"a\":[1.50,null]}".utf8), Array("plain ✓ text".utf8), [0, 1, 0xFF], Array("null".utf8),
    ]
    let requests = bodies.map { HTTPRequest(method: .put, url: "http://localhost/x", body: $0) }
    let cassette = try await recording(requests) { HTTPResponse(status: 200, body: $0.body) }
    let folder = try RecordingFolder()
    try cassette.write(to: folder.file())
    let read = try Cassette(path: folder.file())
    #expect(read == cassette)
    #expect(read.interactions.map(\.request.body) == bodies)
    #expect(read.interactions.map { $0.outcome } == bodies.map { .response(HTTPResponse(status: 200, body: $0)) })
  }
}

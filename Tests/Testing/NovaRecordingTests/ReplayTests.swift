import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaRecording
import NovaTesting
import Testing

@Suite struct ReplayTests {
  private static let followers = "/api/v1/graph/followers"

  @Test func replaysSessionsWithSecrets() async throws {
    let recorder = Recorder(clock: ManualClock())
    let recorded = try await SignInScenario.run(MockTransport(.seeded(1)), [recorder])
    let replayed = try await ReplayTransport.replaying(recorder.cassette) { try await SignInScenario.run($0) }
    #expect(replayed.userID == recorded.userID)
    #expect(replayed.secrets.dropFirst().allSatisfy { $0.hasPrefix("{{secret:") })
  }

  @Test(arguments: [
    // Recorded, sent, whether they mean the same.
    (#"{"user_id":"a"}"#, #"{"userId":"a","limit":0}"#, true),
    (#"{"user_id":"a","limit":"5"}"#, #"{"limit":5.0,"user_id":"a"}"#, true),
    (#"{"user_id":"a","limit":null}"#, #"{"user_id":"a"}"#, true),
    (#"{"user_id":"a","limit":5}"#, #"{"user_id":"a","limit":6}"#, false),
    (#"{"user_id":"a"}"#, #"{"user_id":"b"}"#, false),
    (#"{"user_id":"a"}"#, #"{"user_id":"a","more":1}"#, false),
    (#"{"user_id":"a","more":1}"#, #"{"user_id":"a","more":1.0}"#, true),
  ])
  func comparesAsTheContractReads(recorded: String, sent: String, isEqual: Bool) async throws {
    let cassette = try await recording([.json(.post, Self.followers, body: recorded)])
    let transport = ReplayTransport(cassette)
    let response = try? await transport.send(.json(.post, Self.followers, body: sent, host: "https://other/prefix"))
    #expect((response != nil) == isEqual)
    #expect((try? transport.verify()) == nil || isEqual)
  }

  @Test(arguments: [
    ("/api/v1/somethings?limit=5&skip=0", "/api/v1/somethings?limit=5", true),
    ("/api/v1/somethings?limit=5", "/api/v1/somethings?limit=5&x=1", false),
    ("/api/v1/somethings/5", "/api/v1/somethings/6", false),
    ("/elsewhere?a=1&b=2", "/elsewhere?b=2&a=1", true),
    ("/elsewhere?a=1&a=2", "/elsewhere?a=2&a=1", false),
    ("/elsewhere?a=0", "/elsewhere", false),
  ])
  func comparesPathsAndQueries(recorded: String, sent: String, isEqual: Bool) async throws {
    let transport = ReplayTransport(try await recording([.json(.get, recorded)]))
    #expect(((try? await transport.send(.json(.get, sent))) != nil) == isEqual)
  }

  @Test(arguments: [
    // The boundary and a password differ in each form.
    ("x1", "hunter2", "ann", "\r\n", true), ("x2", "another password", "ann", "\r\n", true),
    ("x2", "hunter2", "ann", "", true),
    ("x2", "hunter2", "bea", "\r\n", false), ("x1", "hunter2", "ann\r\n", "\r\n", false),
  ])
  func comparesFormsByTheirParts(
    boundary: String, password: String, user: String, ending: String, isEqual: Bool
  ) async throws {
    func form(boundary: String, password: String, user: String, ending: String = "\r\n") -> HTTPRequest {
      let body =
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"password\"\r\n"
        + "Content-Length: \(password.utf8.count)\r\n\r\n\(password)\r\n--\(boundary)\r\n"
        + "Content-Disposition: form-data; name=\"user\"\r\n\r\n\(user)\r\n--\(boundary)--\(ending)"
      return .json(.post, "/elsewhere", body: body)
    }
    let transport = ReplayTransport(try await recording([form(boundary: "x1", password: "hunter2", user: "ann")]))
    let sent = form(boundary: boundary, password: password, user: user, ending: ending)
    #expect(((try? await transport.send(sent)) != nil) == isEqual)
  }

  @Test func sixtyFourBitIntegersAndFloats() async throws {
    let recorded = #"{"user_id":"a","file_name":"b","file_size":"9007199254740993"}"#
    let transport = ReplayTransport(try await recording([.json(.post, "/api/v1/media/upload/start", body: recorded)]))
    let sent = recorded.replacing("\"9007199254740993\"", with: "9007199254740992")
    #expect((try? await transport.send(.json(.post, "/api/v1/media/upload/start", body: sent))) == nil)
    let same = recorded.replacing("\"9007199254740993\"", with: "9007199254740993")
    #expect((try? await transport.send(.json(.post, "/api/v1/media/upload/start", body: same))) != nil)
  }

  @Test func equalRequestsGetTheirAnswersInOrder() async throws {
    let recorder = Recorder(clock: ManualClock())
    let transport = recorder.recording(RecordingTransport { number, _ in .json("{\"total_count\":\(number)}") })
    let request = HTTPRequest.json(.post, Self.followers, body: #"{"user_id":"a"}"#)
    for _ in 0..<3 { _ = try await transport.send(request) }
    let replay = ReplayTransport(recorder.cassette)
    for number in 0..<3 {
      #expect(try await replay.send(request).body.bytes == Array("{\"total_count\":\(number)}".utf8))
    }
    #expect(throws: Never.self) { try replay.verify() }
    let error = await #expect(throws: TransportError.self) { try await replay.send(request) }
    #expect(error?.message.contains("already used") == true)
  }

  @Test func namesTheNearestAndWhatIsUnused() async throws {
    let cassette = try await recording([
      .json(.post, "/api/v1/graph/following", body: #"{"user_id":"a","limit":10}"#),
      .json(.post, Self.followers, body: #"{"user_id":"a","limit":10}"#),
    ])
    let transport = ReplayTransport(cassette)
    let client = try APIClient.test(transport, resilience: Resilience())
    let error = await apiError {
      try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "a", limit: 20))
    }
    #expect(error?.transport?.kind == .unexpectedRequest)
    #expect(error?.attempts.count == 1)
    let unmet = #expect(throws: UnmetExpectations.self) { try transport.verify() }
    #expect(
      unmet?.description == """
        unexpected request POST /api/v1/graph/followers (graph.GetFollowers); closest recorded request: #2 POST \
        /api/v1/graph/followers (graph.GetFollowers)
          request.limit: expected 10, got 20
        not requested: #1 POST /api/v1/graph/following (graph.GetFollowing)
        not requested: #2 POST /api/v1/graph/followers (graph.GetFollowers)
        """)
  }

  @Test func sameSecretsStaySameAndOthersOther() async throws {
    let login = { (password: String) in
      HTTPRequest.json(.post, "/api/v1/auth/login", body: #"{"email":"a@b.c","password":"\#(password)"}"#)
    }
    let cassette = try await recording([login("first-secret"), login("first-secret"), login("other-secret")])
    let same = ReplayTransport(cassette)
    for password in ["x", "x", "y"] { _ = try await same.send(login(password)) }
    #expect(throws: Never.self) { try same.verify() }
    let mixed = ReplayTransport(cassette)
    _ = try await mixed.send(login("x"))
    _ = try await mixed.send(login("x"))
    let error = await #expect(throws: TransportError.self) { try await mixed.send(login("x")) }
    #expect(error?.message.contains("#1 POST /api/v1/auth/login (auth.Login), which is already used") == true)
    #expect(error?.message.contains("\"x\"") == false)
  }

  @MainActor @Test func replaysOnTheMainActor() async throws {
    let request = HTTPRequest.json(.get, "/x")
    var isDone = false
    try await ReplayTransport.replaying(try await recording([request])) { transport in
      _ = try await transport.send(request)
      isDone = true
    }
    #expect(isDone)
  }

  /// With their facts, from which the message of a call with earlier attempts is made.
  @Test(arguments: [
    TransportError(.connectionLost, "gone", requestMayHaveLeft: false),
    TransportError(.connectionRefused, "no connection", reason: "refused", sent: .nothing, requestMayHaveLeft: false),
    TransportError(.offline, "offline", sent: .nothingMore, advice: "go online", requestMayHaveLeft: false),
    .deadlinePassed, .deadlinePassed(waitingFor: "an access token"),
  ]) func failuresAreReplayed(_ failure: TransportError) async throws {
    let recorder = Recorder(clock: ManualClock())
    let broken = recorder.recording(RecordingTransport { _, _ in throw failure })
    _ = try? await broken.send(.json(.get, "/x"))
    let replay = ReplayTransport(recorder.cassette)
    var error = try #require(await #expect(throws: failure) { try await replay.send(.json(.get, "/x")) })
    #expect(throws: Never.self) { try replay.verify() }
    #expect(error.text.reason == failure.text.reason && error.text.advice == failure.text.advice)
    #expect(error.text.sent == failure.text.sent)
    var later = failure
    later.noteEarlierAttempt()
    error.noteEarlierAttempt()
    #expect(error.message == later.message)
  }
}

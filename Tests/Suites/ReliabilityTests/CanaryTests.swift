import InMemoryTracing
import Logging
import MetricsTestKit
import NovaAuth
@testable import NovaCore
import NovaMock
import NovaRegistry
import NovaTestSupport
import NovaTesting
import Testing
import Tracing

/// The tests' secret shows nowhere: not in what these tests provoke, and not in what any test captured before them.
/// `Tools/run-tests` looks through the whole run, whatever its order.
@Suite(.hangLimit) struct CanaryTests {
  @Test func aLeakIsFound() {
    #expect(Canary.leaks(in: "token=\(Canary.secret)-access-1, user=u") == ["token=<THE SECRET>-access-1, user=u"])
    #expect(Canary.leaks(in: "token=****").isEmpty)
    for around in ["", "user:", "ab"] {
      let text = String(decoding: Base64.encode(Array("\(around)\(Canary.secret)".utf8)), as: UTF8.self)
      #expect(Canary.leaks(in: "Basic \(text)").count == 1)
    }
    var generator = SeededGenerator(seed: 1)
    let encoded = ["percent", "percent, lower case", "JSON in ASCII", "HTML, decimal", "HTML, hexadecimal", "bytes"]
    for spelled in SecretSpellings.all(of: Canary.secret, using: &generator) where encoded.contains(spelled.name) {
      #expect(Canary.leaks(in: "it is \(spelled.text)").count == 1, "\(spelled)")
    }
  }

  @Test func nothingCapturedSoFarShowsIt() {
    #expect(Canary.leaks.isEmpty)
  }

  // MARK: Every call

  /// Ways in which a call ends.
  private static let transports: [any HTTPTransport] = [
    MockTransport(), RecordingTransport(grants), RecordingTransport("{}"), RecordingTransport("{"),
    quoting(200, #"{"is_muted":"?","user_ids":"?","expires_in":"?","posts":{"?":"?"}}"#), quoting(200, "?"),
    quoting(200, #"{"error":{"code":"INVALID","message":"?","metadata":{"a":"?"}}}"#),
    quoting(401, #"{"code":16,"message":"? has expired"}"#), quoting(403, #"{"error":{"code":"?","message":"?"}}"#),
    quoting(400, type: "text/plain", "?"), quoting(200, type: "text/html", "<p>?</p>"), quoting(200, type: "?", "?"),
    quoting(503, type: "?", ""),
    RecordingTransport { _, _ in throw TransportError(.connectionLost, "it broke", requestMayHaveLeft: true) },
  ]
  /// Login, Register, Refresh, and GetUser read it as their answer.
  private static let grants =
    #"{"token":"\#(Canary.secret)","refresh_token":"\#(Canary.secret)","expires_in":3600,"user":{"id":"u"}}"#

  /// A server that quotes the secret, `?`, to whoever sent it.
  private static func quoting(_ status: Int, type: String = "application/json", _ body: String) -> RecordingTransport {
    RecordingTransport { _, request in
      let hasCome = request.headers["Authorization"] != nil || request.body.inMemory.contains(Array(Canary.secret.utf8))
      let quoted = [type, body].map { $0.replacing("?", with: hasCome ? Canary.secret : "nothing") }
      return HTTPResponse(
        status: status, headers: ["Content-Type": quoted[0], "Retry-After": quoted[0], "Server": quoted[0]],
        body: Array(quoted[1].utf8))
    }
  }

  /// A request with the secret wherever the contract has one.
  private func request(of rpc: RPCDescriptor) throws -> any ProtoMessage {
    let secrets = rpc.requestType.descriptor.fields.filter(\.isSecret)
    let members = secrets.map { JSONValue.Member(name: $0.name, value: .string(Canary.secret)) }
    return try rpc.requestType.init(jsonUTF8: JSONValue.object(members).jsonUTF8)
  }

  @Test(arguments: transports.indices) func noCallShowsIt(transport: Int) async throws {
    let (log, metrics, tracer) = (CapturedLog(), TestMetrics(), InMemoryTracer())
    let tracing = CallTracing(instrument: tracer)
    let client = try APIClient.test(
      Self.transports[transport], overrides: ConfigurationOverrides(logLevel: .trace, logBodyBytes: 65_536),
      middlewares: [AttemptSpans(tracing)], observer: CallMetrics(factory: metrics),
      resilience: Resilience(), logger: log.logger, clock: ManualClock(autoAdvances: true))
    for rpc in RPCRegistry.nova.rpcs {
      let context = client.newContext(rpc, CallOptions(checksArguments: false))
      do {
        let response = try await tracing.withCallSpan(context) {
          try await client.respond(rpc, try request(of: rpc), options: context.options)
        }
        Canary.capture("\(response.report)")
      } catch {
        Canary.capture(error)
        Canary.capture(dumped(error))
      }
    }
    #expect(!log.lines.isEmpty && !tracer.finishedSpans.isEmpty)
    let labels = metrics.counters.flatMap { [$0.label] + $0.dimensions.flatMap { [$0.0, $0.1] } }
    let spans = tracer.finishedSpans.map {
      "\($0.operationName) \($0.attributes) \($0.events) \($0.errors) \($0.status as Any)"
    }
    let text = (log.lines + labels + spans).joined(separator: "\n")
    #expect(Canary.leaks(in: text).isEmpty)
  }

  // MARK: Everything that can be printed

  private func dumped(_ value: Any) -> String {
    var text = "\(value) \(String(reflecting: value)) \(String(describing: value))\n"
    dump(value, to: &text)
    return text
  }

  @Test func nothingPrintedShowsIt() async throws {
    let (token, refreshToken) = (try AccessToken(Canary.secret), try #require(RefreshToken(Canary.secret)))
    let transport = RecordingTransport(Self.grants)
    let client = try APIClient.test(transport)
    client.setAuthToken(Canary.secret)
    let session = Session(
      accessToken: token, refreshToken: refreshToken, expiresAt: 2_000_000_000, user: User(id: "u"))
    let stored = StoredSession(session: session, origin: "http://localhost:8080")
    let store = MemorySessionStore(stored)
    let sessions = SessionManager(store: store, auth: AuthService(client: client), clock: ManualClock())
    _ = try await sessions.session()
    _ = try await client.call(AuthRPC.login, LoginRequest(email: "e@x.example", password: Canary.secret))
    _ = try await client.call(AuthRPC.getUser, GetUserRequest(userId: "u"))
    let requests = transport.requests
    #expect(requests.contains { $0.headers["Authorization"]?.contains(Canary.secret) == true })
    let values: [Any] = [
      token, refreshToken, session, stored, store, sessions, SessionChange.started(session), StoredToken(token), client,
      client.configuration, client.configuration.entries, AuthService(client: client),
      AuthService(client: client).with { $0.headers = requests.last?.headers ?? [:] }, requests.map(\.headers),
      requests.last as Any, CallOptions(headers: ["Authorization": "Bearer \(Canary.secret)"]),
      AttemptFailure(
        ResponseFailure(
          error: APIError(.unauthorized, ""), response: HTTPResponse(status: 401), refusedToken: token), ManualClock()),
    ]
    for value in values { #expect(Canary.leaks(in: dumped(value)).isEmpty, "\(type(of: value))") }
  }

  // MARK: The program

  /// Every way in which `nova` is run with a token, against servers that are well, say no, and are not there. Commands
  /// that sign in and keep a session belong here, too.
  private static let programs: [[String]] = [
    ["config", "show"], ["config", "show", "-o", "json"], ["config", "show", "-o", "ndjson", "--verbose"],
    ["followers", "u", "--verbose", "--explain"], ["followers", "u", "-o", "json", "--verbose", "--explain"],
    ["call", "graph.GetFollowers", #"{"user_id":"u"}"#, "--verbose", "--explain"],
    ["register", "e@x.example", "eve_1", "--password-stdin", "--verbose", "--explain"],
    ["profile", "u", "--verbose", "--explain"], ["followers", "u", "--mock", "--verbose", "--explain"],
  ]

  @Test(arguments: programs) func noProgramShowsIt(arguments: [String]) async throws {
    let answers: [FaultServer.Step] = [
      .answer(body: "{}"), .answer(status: 401, body: #"{"code":16,"message":"\#(Canary.secret) has expired"}"#),
      .answer(status: 500, body: Canary.secret), .fault(.html), .fault(.redirectToOtherOrigin307),
    ]
    for answer in answers {
      let server = try FaultServer([answer], then: .lastRepeats)
      defer { server.stop() }
      try await expectSecrecy(arguments, server.url)
    }
    let closed = try ClosedPort()
    try await expectSecrecy(arguments, closed.url)
    withExtendedLifetime(closed) {}
    try await expectSecrecy(arguments, "http://gateway.example")
  }

  private func expectSecrecy(_ arguments: [String], _ url: String) async throws {
    let environment = [
      "NOVA_TOKEN": Canary.secret, "NOVA_BASE_URL": url, "NOVA_LOG_LEVEL": "trace", "NOVA_LOG_BODY_BYTES": "65536",
      "NOVA_RETRY_ATTEMPTS": "1",
    ]
    let text = try await novaSays(arguments, input: "\(Canary.secret)\n", environment: environment)
    #expect(!text.isEmpty)
    #expect(Canary.leaks(in: text).isEmpty)
  }

  // MARK: Every spelling

  /// A server that quotes a password and a token in every form in which servers write them, to the program with all its
  /// remarks, and with bodies in its log.
  @Test(arguments: TestDepth.cases(0..<6, sample: 1)) func noProgramShowsAnySpelling(part: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(5000 + part))
    let (password, token) = (SecretSpellings.password(using: &generator), SecretSpellings.token(using: &generator))
    let calls = [
      (password, ["register", "e@x.example", "eve_1", "--password-stdin", "--verbose", "--explain"]),
      (token, ["followers", "u", "-o", "json", "--verbose", "--explain"]),
    ]
    for (secret, arguments) in calls {
      for (number, spelled) in SecretSpellings.all(of: secret, using: &generator).enumerated() where number % 6 == part
      {
        let quote = spelled.inJSON
        let answers: [FaultServer.Step] = [
          .answer(status: 401, body: #"{"code":16,"message":"no: \#(quote)","details":[{"reason":"\#(quote)"}]}"#),
          .answer(body: #"{"error":{"code":"X","message":"\#(quote)"}}"#),
          .answer(body: #"{"expires_in":"\#(quote)","total_count":"\#(quote)"}"#),
        ]
        let server = try FaultServer([answers[number / 6 % 3]], then: .lastRepeats)
        defer { server.stop() }
        let text = try await novaSays(
          arguments, input: "\(password)\n",
          environment: [
            "NOVA_TOKEN": token, "NOVA_BASE_URL": server.url, "NOVA_LOG_LEVEL": "trace", "NOVA_LOG_BODY_BYTES": "65536",
            "NOVA_RETRY_ATTEMPTS": "1",
          ])
        #expect(server.requestCount > 0 && text.contains("****"), "\(spelled) of \(secret): \(text)")
        #expect(SecretSpellings.leaks(of: secret, spelled, in: text) == [], "\(spelled) of \(secret): \(text)")
      }
    }
  }
}

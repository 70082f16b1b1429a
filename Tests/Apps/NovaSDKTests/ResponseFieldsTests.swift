import Logging
import NovaCache
import NovaCore
import NovaMedia
import NovaRecording
import NovaSDK
import NovaTestSupport
import Testing

/// No step that a response passes loses what it does not change, such as the redirects, by which a cache knows whose the
/// response is.
@Suite struct ResponseFieldsTests {
  /// Keeps what passes it.
  private final class Probe: Middleware {
    private let passed = Locked<HTTPResponse?>(nil)

    var response: HTTPResponse { get throws { try #require(passed.withLock { $0 }) } }

    func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
      var response = try await next(request)
      response.body = try await response.body.collected(upTo: 1 << 20)
      passed.withLock { [response] in $0 = response }
      return response
    }
  }

  struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> any Middleware
  }

  private static let redirects = [
    HTTPRedirect(status: 302, headers: ["Cache-Control": "private, max-age=60"], target: "https://cdn.example/a"),
    HTTPRedirect(
      status: 307, headers: ["Cache-Control": "max-age=60", "Vary": "Accept"], target: "https://cdn.example/b"),
  ]

  /// With another value than the default in each field.
  private static func response(_ status: Int = 200, isStream: Bool = false) -> HTTPResponse {
    let bytes = Array("{}".utf8)
    let stream = AsyncStream {
      $0.yield(bytes)
      $0.finish()
    }
    let body: HTTPBody = isStream ? .stream(HTTPBodyStream(stream, length: bytes.count)) : .bytes(bytes)
    var response = HTTPResponse(
      status: status, headers: ["Content-Type": "application/json", "Cache-Control": "max-age=60"], body: body)
    response.redirects = redirects
    return response
  }

  /// Whether a response has the fields of another one. Caches add header fields about themselves.
  private func isSame(_ response: HTTPResponse, as sent: HTTPResponse) async throws -> Bool {
    var response = response
    response.headers["Cache-Status"] = nil
    response.headers["Age"] = nil
    response.body = try await response.body.collected(upTo: 1 << 20)
    return response == sent
  }

  private static let read = IsMutedRequest(muterId: "a", muteeId: "b")

  @Test func everyFieldTakesPart() {
    let fields = zip(
      Mirror(reflecting: Self.response()).children, Mirror(reflecting: HTTPResponse(status: 100)).children)
    for (field, absent) in fields {
      #expect("\(field.value)" != "\(absent.value)", "give the field \(field.label ?? "") a value in these tests")
    }
  }

  private static let steps = [
    Step(testDescription: "none") { HTTPClientMetrics() },
    Step(testDescription: "cache") { CacheMiddleware(HTTPCache()) },
    Step(testDescription: "recorder") { Recorder() },
    Step(testDescription: "logging") {
      LoggingMiddleware(logger: .loud, clock: ManualClock(), options: LogOptions(bodyBytes: 100))
    },
    Step(testDescription: "tracing") { AttemptSpans() },
  ]

  /// Also the client's own: authorization, tracing, logging, masking, and the circuit breaker.
  @Test(arguments: steps, [200, 404, 503]) func stepsKeepTheFields(_ step: Step, status: Int) async throws {
    for isStream in [false, true] {
      let probe = Probe()
      let client = try APIClient.test(
        RecordingTransport { _, _ in Self.response(status, isStream: isStream) },
        middlewares: [probe, step.make()],
        resilience: Resilience(retry: .never, budget: nil, breaker: CircuitBreaker()), logger: .loud)
      if isStream {
        _ = try? await client.get("/media/a", for: MediaRPC.getUpload.descriptor)
      } else {
        _ = try? await client.call(GraphRPC.isMuted, Self.read)
      }
      #expect(try await isSame(try probe.response, as: Self.response(status)), "\(isStream)")
    }
  }

  @Test func resultsHaveTheFields() async throws {
    let transport = RecordingTransport { _, request in Self.response(isStream: request.streamsResponse) }
    let client = try APIClient.test(transport, resilience: Resilience(breaker: CircuitBreaker()))
    let rpc = MediaRPC.getUpload.descriptor
    let got = try await client.get("/media/a", for: rpc)
    #expect(try await isSame(got.http(body: got.value), as: Self.response()))
    let put = try await client.put(.bytes([1]), to: "/media/a", headers: [:], for: rpc)
    #expect(try await isSame(put, as: Self.response()))
    let called = try await client.respond(GraphRPC.isMuted, Self.read)
    #expect(called.http(body: .bytes(Array("{}".utf8))) == Self.response())
    #expect(called.with(1).http(body: .bytes(Array("{}".utf8))) == Self.response())
  }

  @Test func transportsKeepTheFields() async throws {
    let recorder = Recorder()
    let request = HTTPRequest(method: .get, url: "http://localhost/media/a")
    let recorded = try await recorder.recording(RecordingTransport { _, _ in Self.response() }).send(request)
    #expect(recorded == Self.response())
    #expect(try await ReplayTransport(recorder.cassette).send(request) == Self.response())
  }

  /// A stored response keeps all but where its redirects led, so that an outer cache keeps it for nobody.
  @Test func storedResponsesKeepTheFields() async throws {
    let cache = HTTPCache()
    let probe = Probe()
    let transport = RecordingTransport { _, _ in Self.response() }
    let client = try APIClient.test(transport, middlewares: [probe, CacheMiddleware(cache)])
    for _ in 0..<2 { _ = try await client.get("/media/a", for: MediaRPC.getUpload.descriptor) }
    #expect(transport.requests.count == 1)
    var expected = Self.response()
    expected.redirects = Self.redirects.map { HTTPRedirect(status: $0.status, headers: $0.headers, target: nil) }
    #expect(try await isSame(try probe.response, as: expected))
  }

  /// A redirect for one user leads to a file that seems to be everybody's.
  @Test func anotherCacheGivesAStoredResponseToNobodyElse() async throws {
    let (outer, inner) = (HTTPCache(), HTTPCache())
    let transport = RecordingTransport { _, _ in
      var response = Self.response()
      response.headers["Cache-Control"] = "public, max-age=60"
      return response
    }
    func get(_ user: String, _ caches: HTTPCache...) async throws {
      let client = try APIClient.test(transport, token: user, middlewares: caches.map { CacheMiddleware($0) })
      _ = try await client.get("/media/a", for: MediaRPC.getUpload.descriptor).value.collect(upTo: 100)
    }
    try await get("ada", inner)
    try await get("ada", outer, inner)
    #expect(transport.requests.count == 1)
    try await get("bob", outer)
    #expect(transport.requests.count == 2)
  }
}

extension Logger {
  fileprivate static var loud: Logger {
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .trace
    return logger
  }
}

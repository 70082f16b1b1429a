import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

/// Calls that send a stream, which can be read once.
@Suite struct StreamedCallTests {
  private struct SourceFailed: Error {}

  private func put(_ body: HTTPBody, over transport: any HTTPTransport, middlewares: [any Middleware] = []) async throws
    -> HTTPResponse
  {
    let client = try APIClient.test(
      transport, middlewares: middlewares, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
    return try await client.put(body, to: "/bytes", headers: [:], for: MediaRPC.getUpload.descriptor)
  }

  private func stream(_ chunks: [[UInt8]] = [[1]], failure: (any Error)? = nil) -> HTTPBody {
    .stream(
      HTTPBodyStream(
        AsyncThrowingStream<[UInt8], any Error> { continuation in
          for chunk in chunks { continuation.yield(chunk) }
          continuation.finish(throwing: failure)
        }))
  }

  @Test func aStreamIsNeverSentTwice() async throws {
    let failures: [@Sendable () throws -> HTTPResponse] = [
      { HTTPResponse(status: 503) },
      { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) },
    ]
    for fail in failures {
      let transport = RecordingTransport { number, _ in number == 0 ? try fail() : HTTPResponse(status: 200) }
      #expect(try await put(.bytes([1]), over: transport).status == 200)
      let once = RecordingTransport { _, _ in try fail() }
      let error = await apiError { try await put(stream(), over: once) }
      #expect(once.requests.count == 1)
      #expect(error?.attempts.map(\.consequence) == [.stop(reason: .bodyNotReplayable)])
      #expect(
        error?.report?.description.contains("the request's body is a stream, which can be sent only once") == true)
    }
  }

  @Test func aTokenIsNotReplacedForAStream() async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 401) }
    let error = await apiError { try await put(stream(), over: transport) }
    #expect(error?.code == .unauthorized && transport.requests.count == 1)
  }

  @Test func theErrorOfASourceIsNamed() async throws {
    let transport = RecordingTransport { _, request in
      HTTPResponse(status: 200, body: try await request.body.collected(upTo: 10))
    }
    let failed = await apiError { try await put(stream(failure: SourceFailed()), over: transport) }
    #expect(failed?.code == .invalidArgument && failed?.message.contains("SourceFailed") == true)
    let cancelled = await apiError { try await put(stream(failure: CancellationError()), over: transport) }
    #expect(cancelled?.code == .cancelled && cancelled?.message == APIError.ofCancellation.message)
  }

  /// A middleware may ask for a stream; the call collects it, and masks it like any other.
  @Test func aStreamedResponseIsCollected() async throws {
    struct Streaming: Middleware {
      func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
        var request = request
        request.streamsResponse = true
        return try await next(request)
      }
    }
    try await withTransport { connection in
      while let request = try connection.readRequest() {
        let isRefused = request.body == [0]
        try connection.respond(isRefused ? "400 Bad Request" : "200 OK", body: Array(#"{"message":"no"}"#.utf8))
      }
    } _: { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""), middlewares: [Streaming()])
      let rpc = MediaRPC.getUpload.descriptor
      #expect(try await client.put(.bytes([1]), to: "/bytes", headers: [:], for: rpc).body.bytes?.count == 16)
      let error = await apiError { try await client.put(.bytes([0]), to: "/bytes", headers: [:], for: rpc) }
      #expect(error?.httpStatus == 400 && error?.server?.message == "no")
    }
  }
}

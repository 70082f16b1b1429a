import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// Images in chunks, with a backend that conforms to the contract and servers that don't, over real connections.
@Suite(.hangLimit) struct ChunkedUploadTests {
  private static let image = SampleMedia.jpeg(count: 50_000)

  private static let sizes: [(size: Int, chunk: Int, puts: Int)] = [
    (2_097_153, 1_048_576, 3), (3_145_728, 1_048_576, 3), (100, 1_048_576, 1), (100_000, 16_384, 7), (9_437_184, 0, 3),
  ]

  @Test(arguments: sizes)
  func theServersChunkSizeIsKept(size: Int, chunk: Int, puts: Int) async throws {
    let backend = MockBackend(dataSet: .empty)
    let transport = RecordingTransport { _, request in
      var response = backend.respond(to: request)
      // No body is larger than the server requests.
      if request.method == .put { #expect(request.body.inMemory.count <= (chunk == 0 ? 4 << 20 : chunk)) }
      if request.url.text.hasSuffix("/upload/start") {
        var start = try StartUploadResponse(jsonUTF8: response.body.inMemory)
        start.chunkSize = Int64(chunk)
        response.body = .bytes(try start.jsonUTF8())
      }
      return response
    }
    let media = MediaService(client: try APIClient.test(transport, token: nil))
    let image = SampleMedia.jpeg(count: size)
    let url = try await media.with { $0.idempotencyKey = "mine" }.uploadImage(image: image, userId: "u")
    let sent = transport.requests.filter { $0.method == .put }
    #expect(sent.count == puts && sent.flatMap(\.body.inMemory) == image)
    #expect(
      Set(sent.map { $0.headers["Idempotency-Key"] }).count == puts
        && sent.first?.headers["Idempotency-Key"] == "mine-bytes")
    let stored = backend.respond(to: HTTPRequest(method: .get, url: "http://localhost:8080" + url))
    #expect(stored.status == 200)
    #expect(try await stored.body.collect(upTo: 64 << 20) == image)
  }

  /// Runs an upload with a server that responds to bytes, and to questions about their number, as the test specifies.
  private func upload(
    chunkSize: Int = 0, options: CallOptions = CallOptions(), completed: String = #""status":"completed""#,
    bytes: @escaping @Sendable (_ put: Int, _ first: Int, _ last: Int) -> (status: Int, size: Int?),
    stored: @escaping @Sendable (_ asked: Int) -> Int = { _ in 0 }
  ) async throws -> (error: APIError?, puts: Int, requests: Int) {
    let (puts, asked) = (Locked(0), Locked(0))
    let server = try FaultServer { request in
      var (status, body) = (200, "{}")
      if request.method == .put {
        let number = puts.withLock {
          $0 += 1; return $0
        }
        let range = request.headers["Content-Range"]?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
        let answer = bytes(number, range.first ?? -1, range.dropFirst().first ?? -1)
        status = answer.status
        body = answer.size.map { #"{"upload":{"id":"a","uploaded_size":\#($0)}}"# } ?? "{}"
      } else if request.url.text.hasSuffix("/upload/start") {
        body = #"{"upload":{"id":"a"},"upload_url":"/put","chunk_size":\#(chunkSize)}"#
      } else if request.url.text.hasSuffix("/upload/complete") {
        body = #"{"upload":{"id":"a","url":"/media/a",\#(completed)}}"#
      } else {
        let number = asked.withLock {
          $0 += 1; return $0
        }
        body = #"{"found":true,"upload":{"id":"a","uploaded_size":\#(stored(number))}}"#
      }
      return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let client = try APIClient.test(
      transport, baseURL: server.url, token: nil,
      resilience: Resilience(retry: .standard(attempts: 3, delay: .milliseconds(1)), budget: nil, breaker: nil),
      clock: ContinuousClock())
    let error = await apiError {
      try await MediaService(client: client, options: options).uploadImage(image: Self.image, userId: "u")
    }
    await transport.shutdown()
    return (error, puts.withLock { $0 }, server.requestCount)
  }

  @Test func aServerThatCreepsIsLeft() async throws {
    for (chunk, most) in [(0, 10), (16 << 10, 13)] {
      let run = try await upload(chunkSize: chunk, bytes: { _, first, _ in (200, first + 1) })
      #expect(run.error?.code == .invalidResponse && run.puts <= most, "\(run)")
      #expect(run.error?.message.contains("keeps only a part of what it is sent") == true, "\(run)")
      #expect(run.error?.rpc == "media.UploadBytes")
      let conflicts = try await upload(chunkSize: chunk, bytes: { _, _, _ in (409, nil) }, stored: { $0 })
      #expect(conflicts.error?.message.contains("keeps only a part") == true && conflicts.puts <= most, "\(conflicts)")
    }
  }

  @Test(arguments: [
    ("reports 50001 bytes, more than the file's 50000", 50_001), ("more than the file's", .max),
    ("reports 40000 bytes, though only 16384 were sent", 40_000), ("takes bytes and reports no more than the 0", 0),
    ("had 0 bytes and now reports -5", -5),
  ])
  func sizesThatCannotBeTrueAreErrors(message: String, size: Int) async throws {
    let run = try await upload(chunkSize: 16 << 10, bytes: { _, _, _ in (200, size) })
    #expect(run.error?.code == .invalidResponse && run.puts == 1, "\(run)")
    #expect(run.error?.message.contains(message) == true, "\(run)")
    guard size != 0 else { return }
    let conflict = try await upload(chunkSize: 16 << 10, bytes: { _, _, _ in (409, nil) }, stored: { _ in size })
    #expect(conflict.error?.message.contains(message) == true && conflict.puts == 1, "\(conflict)")
  }

  @Test func aServerThatLosesWhatItGetsIsLeft() async throws {
    let run = try await upload(chunkSize: 16 << 10, bytes: { number, _, last in (200, number < 3 ? last + 1 : 100) })
    #expect(run.error?.message.contains("takes bytes and reports no more than the 100") == true, "\(run)")
    #expect(run.puts == 4)
  }

  @Test(arguments: [409, 413, 422, 400]) func aRefusalForEverIsThatRefusal(status: Int) async throws {
    let run = try await upload(bytes: { _, _, _ in (status, nil) })
    #expect(run.error?.httpStatus == status && run.puts == (status == 422 ? 3 : 1), "\(run)")
  }

  @Test(arguments: [
    #""status":"uploading""#, #""status":"pending""#, #""status":"failed""#, #""uploaded_size":49999"#,
    #""file_size":1"#,
    #""uploaded_size":50001,"file_size":50001"#,
  ])
  func anEndThatIsNoneIsAnError(completed: String) async throws {
    let run = try await upload(completed: completed, bytes: { _, _, last in (200, last + 1) })
    #expect(run.error?.code == .invalidResponse && run.error?.rpc == "media.CompleteUpload", "\(run)")
  }

  @Test(arguments: [#""status":"completed""#, #""status":"processing""#, #""file_size":"50000","uploaded_size":50000"#])
  func anEndThatIsOneIsNone(completed: String) async throws {
    #expect(try await upload(completed: completed, bytes: { _, _, _ in (200, nil) }).error == nil)
  }

  private static let times: [(CallOptions, Int)] = [
    (CallOptions(timeout: .seconds(8)), 2), (CallOptions(timeout: .seconds(2)), 0),
    (CallOptions(timeout: .seconds(300)), 99), (CallOptions(), 99),
  ]

  /// One deadline for all steps, on a clock on which each takes 3 s.
  @Test(arguments: times)
  func aTimeoutBoundsTheWholeUpload(options: CallOptions, puts: Int) async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { _, request in
      // Like the transport, ends a request when its time is up.
      clock.advance(by: min(.seconds(3), request.limits.totalTimeout))
      guard request.limits.totalTimeout >= .seconds(3) else {
        throw TransportError(.totalTimeout, "test", requestMayHaveLeft: true)
      }
      let range = request.headers["Content-Range"]?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
      let body =
        request.url.text.hasSuffix("/start")
        ? #"{"upload":{"id":"a"},"upload_url":"/put","chunk_size":1}"#
        : #"{"upload":{"id":"a","url":"/media/a","uploaded_size":\#((range.dropFirst().first ?? 49_999) + 1)}}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let client = try APIClient.test(transport, token: nil, clock: clock)
    let error = await apiError {
      try await MediaService(client: client, options: options).uploadImage(image: Self.image, userId: "u")
    }
    let sent = transport.requests.filter { $0.method == .put }.count
    if puts == 99 {
      #expect(error == nil && sent == 4)
    } else {
      #expect(error?.code == .timeout && sent == puts, "\(sent): \(String(describing: error))")
      #expect(clock.elapsed <= options.timeout ?? .zero)
    }
  }

  @Test func withoutATimeoutATransfersLongestTimeBoundsTheWhole() async throws {
    let clock = ManualClock()
    let transport = RecordingTransport { _, request in
      clock.advance(by: .seconds(20))
      let first = Int(request.headers["Content-Range"]?.dropFirst(6).prefix { $0.isNumber } ?? "") ?? 0
      let body =
        request.url.text.hasSuffix("/start")
        ? #"{"upload":{"id":"a"},"upload_url":"/put","chunk_size":16384}"#
        : #"{"upload":{"id":"a","uploaded_size":\#(first + 1)}}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let client = try APIClient.test(transport, token: nil, clock: clock)
    let image = SampleMedia.jpeg(count: 512 << 10)
    let error = await apiError { try await MediaService(client: client).uploadImage(image: image, userId: "u") }
    #expect(error?.code == .timeout && clock.elapsed == .seconds(300), "\(clock.elapsed) \(String(describing: error))")
  }
}

import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// Images over a bad network: every byte is stored once, and every image is one upload.
@Suite struct ResumedUploadTests {
  private static let image = SampleMedia.jpeg()

  /// A mock backend; `fault` can change how it handles requests with bytes.
  private func media(
    _ backend: MockBackend = MockBackend(),
    _ fault: @escaping @Sendable (_ put: Int, HTTPRequest, MockBackend) async throws -> HTTPResponse?
  ) throws -> (MediaService, RecordingTransport) {
    let puts = Locked(0)
    let transport = RecordingTransport { _, request in
      if request.method == .put {
        let number = puts.withLock { puts in
          puts += 1
          return puts
        }
        if let answer = try await fault(number, request, backend) { return answer }
      }
      return backend.respond(to: request)
    }
    let client = try APIClient.test(
      transport, token: nil, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
    return (MediaService(client: client), transport)
  }

  /// A server that keeps the received part of an interrupted request.
  private static func keep(_ count: Int, of request: HTTPRequest, _ backend: MockBackend) {
    var part = request
    let first = Int(request.headers["Content-Range"]?.dropFirst(6).prefix { $0.isNumber } ?? "") ?? 0
    part.body = .bytes(Array(request.body.inMemory.prefix(count)))
    part.headers["Content-Range"] = "bytes \(first)-\(first + count - 1)/\(image.count)"
    part.headers["Content-Digest"] = nil
    let response = backend.respond(to: part)
    precondition(response.status == 200, String(decoding: response.body.inMemory, as: UTF8.self))
  }

  private static let lost = TransportError(.connectionLost, "test", requestMayHaveLeft: true)

  @Test(arguments: [[1], [400], [999], [1000], [1, 1, 1], [400, 300, 299, 1]])
  func whatTheServerHasIsNotSentAgain(kept: [Int]) async throws {
    // Each piece arrives, but its response does not. The next attempt begins where the previous one did, and is
    // corrected.
    let pieces = Locked(kept[...])
    let (media, transport) = try media { number, request, backend in
      guard number % 2 == 1, let piece = pieces.withLock({ $0.popFirst() }) else { return nil }
      Self.keep(piece, of: request, backend)
      throw Self.lost
    }
    #expect(try await media.uploadImage(image: Self.image, userId: "mock-user-id").isEmpty == false)
    #expect(transport.requests.filter { $0.url.text.hasSuffix("/upload/start") }.count == 1)
    #expect(transport.requests.filter { $0.url.text.hasSuffix("/upload/complete") }.count == 1)
    #expect(pieces.withLock(\.isEmpty))
  }

  @Test func aConflictThatNothingResolvesIsAnError() async throws {
    let (media, transport) = try media { _, _, _ in HTTPResponse(status: 409, body: Array("{}".utf8)) }
    let error = await apiError { try await media.uploadImage(image: Self.image, userId: "mock-user-id") }
    #expect(error?.code == .conflict && error?.rpc == "media.UploadBytes")
    #expect(transport.requests.filter { $0.method == .put }.count == 1)
  }

  @Test func cancellationWhileAskingIsCancellation() async throws {
    let transport = RecordingTransport { _, request in
      if request.url.text.hasSuffix("/api/v1/media/upload") { throw CancellationError() }
      let body = #"{"upload":{"id":"a"},"upload_url":"/put"}"#
      return HTTPResponse(
        status: request.method == .put ? 409 : 200, headers: ["Content-Type": "application/json"],
        body: Array(body.utf8))
    }
    let media = MediaService(client: try APIClient.test(transport, token: nil))
    let error = await apiError { try await media.uploadImage(image: Self.image, userId: "u") }
    #expect(error?.code == .cancelled)
  }

  @Test func anAnswerThatIsLostForGoodIsNoSecondUpload() async throws {
    let (media, transport) = try media { _, request, backend in
      _ = backend.respond(to: request)
      throw Self.lost
    }
    // All bytes arrive with the first attempt, and the others conflict, but their responses are lost.
    let error = await apiError { try await media.uploadImage(image: Self.image, userId: "mock-user-id") }
    #expect(error?.transport?.kind == .connectionLost && error?.attempts.count == 3)
    #expect(transport.requests.filter { $0.url.text.hasSuffix("/upload/start") }.count == 1)
  }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaRecording

/// Streams pass through a recorder while they arrive.
@Suite(.hangLimit) struct StreamRecordingTests {
  private static let request: HTTPRequest = {
    var request = HTTPRequest.json(.get, "/events")
    request.streamsResponse = true
    return request
  }()

  /// A transport whose response has these chunks, and then ends, fails, or stays open.
  private static func transport(_ chunks: [String], _ end: End) -> RecordingTransport {
    RecordingTransport { _, _ in
      let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
        for chunk in chunks { continuation.yield(Array(chunk.utf8)) }
        switch end {
        case .whole: continuation.finish()
        case .failure: continuation.finish(throwing: failure)
        case .open: break
        }
      }
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(HTTPBodyStream(stream)))
    }
  }

  enum End: CaseIterable { case whole, failure, open }

  private static let failure = TransportError(.idleTimeout, "nothing came", requestMayHaveLeft: true)

  @Test(arguments: End.allCases) func chunksArriveAsTheyCome(_ end: End) async throws {
    let folder = try RecordingFolder()
    let recorder = try Recorder(path: folder.file(), clock: ManualClock())
    let transport = recorder.recording(Self.transport(["data: 1\n\n", "data: 2\n\n"], end))
    try await Self.read(transport, until: end)
    try recorder.finish()
    let cassette = try Cassette(path: folder.file())
    #expect(cassette == recorder.cassette)
    let interaction = try #require(cassette.interactions.first)
    #expect(cassette.interactions.count == 1)
    #expect(interaction.outcome.response?.body.bytes == Array("data: 1\n\ndata: 2\n\n".utf8))
    switch end {
    case .whole: #expect(interaction.bodyFailure == nil)
    case .failure: #expect(interaction.bodyFailure == Self.failure)
    case .open: #expect(interaction.bodyFailure?.message.contains("the recording ends here") == true)
    }
    #expect(String(decoding: cassette.har, as: UTF8.self).contains("_error") == (end != .whole))
    #expect(String(decoding: cassette.pact(consumer: "a"), as: UTF8.self).contains("data: 1") == (end == .whole))
    // The replay gives the same chunks, and then the same end.
    try await ReplayTransport.replaying(cassette) { replay in
      let response = try await replay.send(Self.request)
      var text = ""
      var failure: TransportError?
      do {
        for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
      } catch {
        failure = error as? TransportError
      }
      #expect(text == "data: 1\n\ndata: 2\n\n")
      #expect(failure == interaction.bodyFailure)
    }
    guard end != .whole else { return }
    // Whoever wants the whole body does not get half of it.
    let whole = HTTPRequest.json(.get, "/events")
    await #expect(throws: TransportError.self) { try await ReplayTransport(cassette).send(whole) }
  }

  /// Reads two chunks, and then up to the end if there is one.
  private static func read(_ transport: any HTTPTransport, until end: End) async throws {
    let response = try await transport.send(Self.request)
    var chunks = response.body.makeAsyncIterator()
    #expect(try await chunks.next() == Array("data: 1\n\n".utf8))
    #expect(try await chunks.next() == Array("data: 2\n\n".utf8))
    switch end {
    case .whole: #expect(try await chunks.next() == nil)
    case .failure: await #expect(throws: failure) { try await chunks.next() }
    case .open: break
    }
  }

  /// What is still being read is recorded by `finish()`, and what is left, when it is left.
  @Test(arguments: [false, true]) func openStreamsAreRecordedByFinishing(_ isLeft: Bool) async throws {
    let recorder = Recorder(clock: ManualClock())
    let transport = recorder.recording(Self.transport(["a", "b"], .open))
    var response: HTTPResponse? = try await transport.send(Self.request)
    var chunks = response?.body.makeAsyncIterator()
    #expect(try await chunks?.next() == [UInt8(ascii: "a")])
    #expect(recorder.cassette.interactions.isEmpty)
    if isLeft { (response, chunks) = (nil, nil) } else { try recorder.finish() }
    #expect(recorder.cassette.interactions.map { $0.outcome.response?.body.bytes } == [[UInt8(ascii: "a")]])
    // The rest still arrives, and nothing is recorded twice.
    if !isLeft { #expect(try await chunks?.next() == [UInt8(ascii: "b")]) }
    (response, chunks) = (nil, nil)
    #expect(recorder.cassette.interactions.count == 1)
  }

  private static let mebibyte = [UInt8](repeating: 0x61, count: 1 << 20)
  private static let tooMany = (Recorder.largestBody >> 20) + 1

  private static func large() -> HTTPBody {
    .stream(
      HTTPBodyStream(
        AsyncStream<[UInt8]> { continuation in
          for _ in 0..<tooMany { continuation.yield(mebibyte) }
          continuation.finish()
        }))
  }

  private static func size(_ body: HTTPBody) async throws -> Int {
    var count = 0
    for try await chunk in body { count += chunk.count }
    return count
  }

  @Test func largeBodiesPassWithoutARecord() async throws {
    let recorder = Recorder(clock: ManualClock())
    let transport = recorder.recording(
      RecordingTransport { number, request in
        let sent = try await Self.size(request.body)
        #expect(sent == (number == 1 ? Self.tooMany << 20 : 0))
        return HTTPResponse(status: 200, body: number == 0 ? Self.large() : .empty)
      })
    let received = try await Self.size(transport.send(Self.request).body)
    #expect(received == Self.tooMany << 20)
    var upload = HTTPRequest(method: .put, url: "http://localhost/bytes")
    upload.body = Self.large()
    _ = try await transport.send(upload)
    let folder = try RecordingFolder()
    try recorder.cassette.write(to: folder.file())
    let cassette = try Cassette(path: folder.file())
    #expect(cassette == recorder.cassette)
    #expect(try folder.bytes().count < 5000)
    guard case .failure(let error)? = cassette.interactions.first?.outcome else {
      Issue.record("\(cassette.interactions)")
      return
    }
    #expect(error.kind == .notRecorded && error.message.contains("\(Self.tooMany << 20) bytes"))
    try await ReplayTransport.replaying(cassette) { replay in
      let missing = await Result { try await replay.send(Self.request) }
      #expect(throws: error) { try missing.get() }
      var again = HTTPRequest(method: .put, url: "http://localhost/bytes")
      again.body = Self.large()
      let status = try await replay.send(again).status
      #expect(status == 200)
    }
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous function returns or throws.
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

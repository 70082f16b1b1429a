import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct MediaFaultTests {
  private let mock = MockCaller()
  private let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private func put(_ range: Range<Int>, to path: String) async throws -> HTTPResponse {
    let chunk = Array(file[range])
    return try await MockTransport(mock.backend).send(
      HTTPRequest(
        method: .put, url: HTTPURL(received: path),
        headers: [
          "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)",
          "Content-Digest": try mock.contentDigest(of: chunk),
        ], body: chunk))
  }

  @Test func chunksAndFilesHaveNames() async throws {
    mock.backend.faults = try Faults(["media.UploadBytes=503x1", "media.DownloadBytes=429x1"])
    let path = try mock.startUpload(1000).uploadUrl
    #expect(try await put(0..<1000, to: path).status == 503)
    #expect(try mock.upload("upload-1")?.uploadedSize == 0)
    #expect(try await put(0..<1000, to: path).status == 200)
    let request = HTTPRequest(method: .get, url: HTTPURL(received: try mock.complete("upload-1", file).url))
    #expect(try await MockTransport(mock.backend).send(request).status == 429)
    #expect(try await MockTransport(mock.backend).send(request).body.bytes == file)
  }

  @Test func aCorruptChunkIsRefusedAndACorruptFileIsDamaged() async throws {
    mock.backend.faults = try Faults(["corruptx2"])
    let path = try mock.startUpload(1000).uploadUrl
    #expect(try await put(0..<1000, to: path).status == 422)
    mock.backend.faults = .none
    #expect(try await put(0..<1000, to: path).status == 200)
    let request = HTTPRequest(method: .get, url: HTTPURL(received: try mock.complete("upload-1", file).url))
    mock.backend.faults = try Faults(["media.DownloadBytes=corrupt"])
    let damaged = try #require(try await MockTransport(mock.backend).send(request).body.bytes)
    #expect(zip(damaged, file).filter { $0 != $1 }.count == 1 && damaged.count == file.count)
  }

  @Test func anAnswerThatIsLostLeavesTheChunkStored() async throws {
    mock.backend.faults = try Faults(["media.UploadBytes=drop afterx1"])
    let path = try mock.startUpload(1000).uploadUrl
    await #expect(throws: TransportError.self) { try await put(0..<400, to: path) }
    let again = try await put(0..<400, to: path)
    #expect(again.status == 409 && again.upload?.uploadedSize == 400)
  }

  @Test func aCutEndsTheConnectionWithinTheBody() async throws {
    let url = try mock.upload(file).url
    mock.backend.faults = try Faults(["media.DownloadBytes=cut 300"])
    var request = HTTPRequest(method: .get, url: HTTPURL(received: url))
    await #expect { try await MockTransport(mock.backend).send(request) } throws: {
      ($0 as? TransportError)?.kind == .connectionLost
    }
    request.streamsResponse = true
    let response = try await MockTransport(mock.backend).send(request)
    #expect(response.headers["Content-Length"] == "1000")
    var received: [UInt8] = []
    await #expect(throws: TransportError.self) { for try await chunk in response.body { received += chunk } }
    #expect(received == Array(file.prefix(300)))
  }

  /// A part announces its own length, so that a download that continues again and again comes to its end.
  @Test(arguments: [(700, 300), (800, 200), (100, 900)]) func aPartThatIsCutKeepsItsLength(start: Int, length: Int)
    async throws
  {
    let url = try mock.upload(file).url
    mock.backend.faults = try Faults(["media.DownloadBytes=cut 300"])
    var request = HTTPRequest(method: .get, url: HTTPURL(received: url), headers: ["Range": "bytes=\(start)-"])
    request.streamsResponse = true
    let response = try await MockTransport(mock.backend).send(request)
    #expect(response.headers["Content-Range"] == "bytes \(start)-999/1000")
    #expect(response.headers["Content-Length"] == "\(length)")
    var received: [UInt8] = []
    await #expect(throws: TransportError.self) { for try await chunk in response.body { received += chunk } }
    #expect(received == Array(file[start...].prefix(300)))
  }
}

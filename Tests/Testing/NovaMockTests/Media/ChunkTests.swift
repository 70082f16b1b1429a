import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct ChunkTests {
  private let mock = MockCaller()
  private let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

  @Test func aChunkIsAnsweredWithTheUpload() throws {
    let path = try mock.startUpload(1000).uploadUrl
    let response = try mock.put(file, 0..<300, to: path)
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "application/json")
    #expect(
      String(decoding: response.body.inMemory, as: UTF8.self) == """
        {"upload":{"id":"upload-1","user_id":"u","video_id":"","file_name":"walk.mp4","file_size":1000,\
        "uploaded_size":300,"status":"uploading","created_at":1750000000,"content_type":"video/mp4","url":""}}
        """)
  }

  @Test(arguments: [1, 7, 64, 333, 999, 1000])
  func chunksOfAnySizeMakeUpTheFile(size: Int) async throws {
    let path = try mock.startUpload(1000).uploadUrl
    for start in stride(from: 0, to: 1000, by: size) {
      #expect(try mock.put(file, start..<min(start + size, 1000), to: path).status == 200)
    }
    let url = try mock.complete("upload-1", file).url
    #expect(try await mock.bytes(url) == file)
  }

  @Test func wrongOffsetsGetTheCurrentOffset() throws {
    let path = try mock.startUpload(1000).uploadUrl
    #expect(try mock.put(file, 0..<300, to: path).status == 200)
    for range in [0..<300, 100..<400, 301..<302, 999..<1000] {
      let response = try mock.put(file, range, to: path)
      #expect(response.status == 409 && response.upload?.uploadedSize == 300, "\(range)")
    }
    #expect(try mock.put(file, 300..<1000, to: path).status == 200)
    _ = try mock.complete("upload-1", file)
    let late = try mock.put(file, 300..<1000, to: path)
    #expect(late.status == 409 && late.upload?.status == "completed" && late.upload?.uploadedSize == 1000)
  }

  @Test func aWrongDigestStoresNothing() throws {
    let path = try mock.startUpload(1000).uploadUrl
    #expect(try mock.put(file, 0..<10, to: path).status == 200)
    let wrong = try mock.contentDigest(of: [0])
    for _ in 1...2 {
      let response = mock.put(Array(file[10..<20]), to: path, range: "bytes 10-19/1000", digest: wrong)
      #expect(response.status == 422 && Refusal(response).grpcStatus == .invalidArgument)
      #expect(try mock.upload("upload-1")?.uploadedSize == 10)
    }
    #expect(try mock.put(file, 10..<20, to: path).upload?.uploadedSize == 20)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-9", "bytes 0-9/*", "bytes */1000", "bytes 0-8/1000", "bytes 9-0/1000", "bytes -1-8/1000",
    "bytes +0-9/1000", "bytes 0-9/999", "bytes 0-9/9", "lines 0-9/1000", "bytes=0-9/1000", "bytes 0-9/1000/1",
    "bytes 99999999999999999999-99999999999999999999/1000",
  ])
  func malformedRangesAreRefused(range: String) throws {
    let path = try mock.startUpload(1000).uploadUrl
    let response = mock.put(Array(file[0..<10]), to: path, range: range, digest: nil)
    #expect(response.status == 400 && Refusal(response).grpcStatus == .invalidArgument)
    #expect(try mock.upload("upload-1")?.uploadedSize == 0)
  }

  @Test(arguments: ["", "sha-256", "sha-256=abc", "sha-256=:abc", "sha-256=:a:", "sha-256=:AAAA:", "sha-256=:é:", ","])
  func malformedDigestsAreRefused(digest: String) throws {
    let path = try mock.startUpload(1000).uploadUrl
    #expect(mock.put([1], to: path, range: "bytes 0-0/1000", digest: digest).status == 400)
  }

  @Test func otherDigestsAreLeftUnchecked() throws {
    let path = try mock.startUpload(3).uploadUrl
    let digests = [nil, "sha-512=:AAAA:", "sha-512=:AAAA:, " + (try mock.contentDigest(of: [1]))]
    for (place, digest) in digests.enumerated() {
      #expect(mock.put([1], to: path, range: "bytes \(place)-\(place)/3", digest: digest).status == 200)
    }
  }

  @Test(arguments: [(11, nil), (11, "bytes 0-10/11"), (1, "bytes 10-10/11"), (5, "bytes 8-12/13")] as [(Int, String?)])
  func bytesPastTheEndAreTooMany(count: Int, range: String?) throws {
    let path = try mock.startUpload(10).uploadUrl
    let response = mock.put([UInt8](repeating: 1, count: count), to: path, range: range, digest: nil)
    #expect(response.status == 413 && Refusal(response).grpcStatus == .outOfRange)
    #expect(try mock.upload("upload-1")?.uploadedSize == 0)
  }

  @Test func requestsWithoutARangeContainTheWholeFile() throws {
    let path = try mock.startUpload(10).uploadUrl
    #expect(mock.put([], to: path, range: nil, digest: nil).status == 400)
    #expect(mock.put([1], to: path, range: nil, digest: nil).status == 400)
    let whole = [UInt8](repeating: 1, count: 10)
    #expect(mock.put(whole, to: path, range: nil, digest: nil).upload?.uploadedSize == 10)
    #expect(mock.put(whole, to: path, range: nil, digest: nil).status == 409)
  }

  @Test func aStreamIsReadByTheTransportAndRefusedWithoutIt() async throws {
    let path = try mock.startUpload(2).uploadUrl
    var request = HTTPRequest(method: .put, url: HTTPURL(received: path))
    for isAnswered in [false, true] {
      let chunks = AsyncStream<[UInt8]> { continuation in
        for byte in [1, 2] as [UInt8] { continuation.yield([byte]) }
        continuation.finish()
      }
      request.body = .stream(HTTPBodyStream(chunks))
      if isAnswered {
        let response = try await MockTransport(mock.backend).send(request)
        #expect(response.upload?.uploadedSize == 2)
      } else {
        #expect(mock.backend.respond(to: request).status == 400)
      }
    }
  }

  @Test func thePathIsForBytesOnly() throws {
    let path = try mock.startUpload(10).uploadUrl
    #expect(mock.put([1], to: "/api/v1/media/upload/upload-2/bytes", range: nil, digest: nil).status == 404)
    let response = mock.get(path)
    #expect(response.status == 405 && response.headers["Allow"] == "PUT")
  }
}

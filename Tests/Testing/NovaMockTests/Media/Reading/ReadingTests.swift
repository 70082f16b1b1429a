import NovaCore
import NovaCrypto
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct ReadingTests {
  private let mock = MockCaller()
  private let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private func url() throws -> String { try mock.upload(file).url }

  private func tag() throws -> String { "\"\(Hexadecimal.encode(try SHA256.digest(of: file)))\"" }

  private func digest() throws -> String {
    "sha-256=:\(String(decoding: Base64.encode(try SHA256.digest(of: file)), as: UTF8.self)):"
  }

  @Test func aFileHasTheHeadersThatCachesAndDownloadsNeed() async throws {
    let url = try url()
    let response = mock.get(url)
    #expect(response.status == 200)
    let expected = [
      "Content-Type": "video/mp4", "Content-Length": "1000", "Accept-Ranges": "bytes", "ETag": try tag(),
      "Cache-Control": "public, max-age=300", "Last-Modified": HTTPDate.text(MockCaller.start),
      "X-Content-Type-Options": "nosniff", "Repr-Digest": try digest(),
    ]
    for (name, value) in expected { #expect(response.headers[name] == value, "\(name)") }
    guard case .file(let region) = response.body else {
      Issue.record("the body is in memory: \(response.body.length ?? -1) bytes")
      return
    }
    #expect(region.length == 1000)
    let head = mock.get(url, method: .head)
    #expect(head.status == 200 && head.headers == response.headers && head.body == .empty)
  }

  @Test func rangesAreParts() async throws {
    let url = try url()
    for (range, part) in [("bytes=0-0", 0..<1), ("bytes=990-", 990..<1000), ("bytes=-10", 990..<1000)] {
      let response = mock.get(url, headers: ["Range": range])
      #expect(response.status == 206 && response.headers["Content-Length"] == String(part.count), "\(range)")
      #expect(response.headers["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/1000", "\(range)")
      #expect(response.headers["Repr-Digest"] == (try digest()), "the digest is that of the whole file")
      #expect(try await response.body.collect(upTo: 1000) == Array(file[part]), "\(range)")
    }
    let past = mock.get(url, headers: ["Range": "bytes=1000-"])
    #expect(past.status == 416 && past.headers["Content-Range"] == "bytes */1000" && past.headers["ETag"] == nil)
    #expect(mock.get(url, method: .head, headers: ["Range": "bytes=0-0"]).status == 200, "ranges are for GET")
  }

  /// The status of a request for the first byte with further headers; `TAG` and `DATE` are the file's.
  private static let conditionTable: [([String: String], Int)] = [
    (["If-None-Match": "TAG"], 304), (["If-None-Match": "W/TAG"], 304), (["If-None-Match": "*"], 304),
    (["If-None-Match": "\"a\", TAG"], 304), (["If-None-Match": "\"a,b\" ,W/\"c\",, TAG"], 304),
    (["If-None-Match": "\"a\""], 206), (["If-None-Match": "nonsense"], 206), (["If-None-Match": ""], 206),
    (["If-Modified-Since": "DATE"], 304), (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], 206),
    (["If-Modified-Since": "nonsense"], 206), (["If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"], 304),
    (["If-None-Match": "\"a\"", "If-Modified-Since": "DATE"], 206),
    (["If-Range": "TAG"], 206), (["If-Range": "W/TAG"], 200), (["If-Range": "\"a\""], 200), (["If-Range": "DATE"], 206),
    (["If-Range": "Sun, 06 Nov 1994 08:49:37 GMT"], 200), (["If-Range": "nonsense"], 200),
    (["If-Match": "TAG"], 206), (["If-Match": "*"], 206), (["If-Match": "W/TAG"], 412), (["If-Match": "\"a\""], 412),
    (["If-Unmodified-Since": "DATE"], 206), (["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], 412),
    (["If-Match": "TAG", "If-None-Match": "TAG"], 304), (["If-None-Match": "TAG", "If-Range": "\"a\""], 304),
  ]

  @Test(arguments: conditionTable) func conditions(fields: [String: String], status: Int) throws {
    let (url, tag) = (try url(), try tag())
    var headers: HTTPHeaders = ["Range": "bytes=0-0"]
    for (name, value) in fields {
      headers[name] = value.replacing("TAG", with: tag).replacing("DATE", with: HTTPDate.text(MockCaller.start))
    }
    let response = mock.get(url, headers: headers)
    #expect(response.status == status)
    if status == 304 {
      #expect(response.body == .empty && response.headers["ETag"] == tag && response.headers["Cache-Control"] != nil)
    }
  }

  @Test func unfinishedUploadsAreNoFiles() throws {
    let path = try mock.startUpload(1000).uploadUrl
    #expect(try mock.put(file, 0..<1000, to: path).status == 200)
    #expect(mock.get("/media/upload-1/walk.mp4").status == 404)
  }

  @Test func theTransportCollectsFilesUnlessTheyAreStreamed() async throws {
    var request = HTTPRequest(method: .get, url: HTTPURL(received: try url()))
    let transport = MockTransport(mock.backend)
    #expect(try await transport.send(request).body.bytes == file)
    request.limits.maximumResponseBytes = 999
    await #expect { try await transport.send(request) } throws: { ($0 as? TransportError)?.kind == .responseTooLarge }
    request.streamsResponse = true
    let streamed = try await transport.send(request)
    #expect(streamed.body.bytes == nil)
    #expect(try await streamed.body.collect(upTo: 1000) == file)
  }

  @Test func theLogHasSizesInsteadOfBytes() throws {
    let url = try url()
    _ = mock.get(url)
    let records = mock.backend.recentRequests()
    let put = try #require(records.first { $0.method == "PUT" })
    #expect(put.requestSize == 1000 && put.requestBody == "1000 bytes, not kept")
    #expect(put.responseBody?.contains(#""uploaded_size":1000"#) == true)
    let get = try #require(records.last)
    #expect(get.responseSize == 1000 && get.responseBody == "1000 bytes, not kept")
  }
}

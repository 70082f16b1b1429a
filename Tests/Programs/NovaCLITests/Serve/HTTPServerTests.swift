import NovaSDK
import NovaTestSupport
import Testing

/// The server of `nova serve`, down to the bytes.
@Suite struct HTTPServerTests {
  /// What a server of its own says to these bytes, until one side ends the connection.
  private func answer(_ text: String, _ more: [UInt8] = []) async throws -> String {
    var answer = ""
    try await withServe { url, _ in
      let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
      answer = await exchange(Array(text.utf8), more, port: port)
    }
    return answer
  }

  private let call = "POST /api/v1/graph/is-muted HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  private let body = #"{"muter_id":"a","mutee_id":"b"}"#

  @Test func responsesComeInOrder() async throws {
    let one = "\(call)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let answer = try await answer(one + one + one)
    #expect(answer.occurrences(of: "HTTP/1.1 200 OK\r\n") == 3)
    #expect(answer.occurrences(of: #"{"is_muted":false}"#) == 3)
  }

  /// The server takes 8 MiB in a request, and says so by the size of a chunk.
  @Test func anImageLargerThanABodyArrivesInChunks() async throws {
    try await withServe { url, _ in
      let transport = CurlTransport()
      let client = try APIClient.test(transport, baseURL: url, token: nil, clock: ContinuousClock())
      let media = MediaService(client: client)
      let image = SampleMedia.png(count: (9 << 20) + 1)
      let path = try await media.uploadImage(image: image, userId: "mock-user-id", contentType: "image/png")
      let stored = try await transport.send(HTTPRequest(method: .get, url: path.hasPrefix("/") ? url + path : path))
      await transport.shutdown()
      #expect(
        stored.status == 200 && stored.body.bytes == image, "\(stored.status), \(stored.body.inMemory.count) bytes")
    }
  }

  @Test func chunksMakeABody() async throws {
    let chunks = "5\r\n{\"mut\r\n1A\r\ner_id\":\"a\",\"mutee_id\":\"b\"}\r\n0\r\n\r\n"
    let answer = try await answer("\(call)Transfer-Encoding: chunked\r\n\r\n\(chunks)")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix(#"{"is_muted":false}"#))
  }

  @Test(arguments: [
    ("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
    ("GET /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 Method Not Allowed"),
    ("OPTIONS /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 Method Not Allowed"),
    (
      "POST /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{bad",
      "400 Bad Request"
    ),
    (
      "POST /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
      "400 Bad Request"
    ),
  ])
  func everyMistakeHasItsStatus(_ request: String, _ status: String) async throws {
    let answer = try await answer(request)
    #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
    #expect(answer.contains("\r\nContent-Type: application/json\r\n"))
    #expect(answer.hasSuffix("\"details\":[]}"))
  }

  @Test func aWrongMethodGetsTheAllowedOne() async throws {
    #expect(
      try await answer("GET /api/v1/graph/followers HTTP/1.1\r\nHost: localhost\r\n\r\n").contains(
        "\r\nAllow: POST\r\n"))
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "\u{0}\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
  ])
  func whatIsNotHTTPEndsTheConnectionOnly(_ bytes: String) async throws {
    try await withServe { url, _ in
      let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
      #expect(await !exchange(Array(bytes.utf8), port: port).contains("HTTP/1.1 200"))
      #expect(
        await exchange(Array("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), port: port).hasPrefix(
          "HTTP/1.1 404"))
    }
  }

  @Test func headHasNoBody() async throws {
    let answer = try await answer("HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
    #expect(answer.contains("Content-Length: 64\r\n"))
  }

  @Test func aBodyThatIsTooLargeIsReadToItsEnd() async throws {
    let count = 8 * 1024 * 1024 + 1
    let large = [UInt8](repeating: 0x20, count: count) + Array("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    let answer = try await answer("\(call)Content-Length: \(count)\r\n\r\n", large)
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.contains(#""message":"the body is larger than 8 MiB","details":[]}"#))
    #expect(answer.contains("HTTP/1.1 404 Not Found\r\n"))
  }
}

extension String {
  fileprivate func occurrences(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

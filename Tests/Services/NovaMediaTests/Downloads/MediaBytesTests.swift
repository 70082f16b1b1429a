import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct MediaBytesTests {
  private typealias Behavior = FileServer.Behavior
  private let file = someBytes(100_000)

  @Test func theBytesArriveWithWhatIsKnownAboutThem() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: file) }) { media, server in
      let bytes = try await media.bytes(of: "/1", limit: 100_000)
      #expect(bytes.contentType == "video/mp4" && bytes.length == 100_000 && bytes.etag == "\"v1\"")
      let collected = try await bytes.collect()
      #expect(collected == file)
      let again = await apiError { try await bytes.collect() }
      #expect(again?.code == .failedPrecondition && again?.message.contains("can be read once") == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: TestDepth.cases(1...10 as ClosedRange<UInt64>, sample: 3))
  func lostConnectionsAreContinued(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let breaks = (0..<8).map { _ in Int.random(in: 1...20_000, using: &generator) }
    let script = FileServer.script { number in
      Behavior(file: file, resetsAfter: number < breaks.count ? breaks[number] : nil)
    }
    try await withMedia(script) { media, _ in
      let collected = try await media.bytes(of: "/1", limit: .max).collect()
      #expect(collected == file, "seed \(seed)")
    }
  }

  @Test func theLimitHolds() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: file) }) { media, _ in
      let error = await apiError { try await media.bytes(of: "/1", limit: 99_999) }
      #expect(error?.code == .invalidResponse && error?.message.contains("limit of 99999 bytes") == true)
    }
    // Without a length, as soon as the limit is exceeded. That also ends an endless body.
    let endless: RawServer.Script = { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = [UInt8](repeating: 7, count: 10_000)
      while true {
        try connection.write("2710\r\n")
        try connection.write(chunk)
        try connection.write("\r\n")
      }
    }
    try await withMedia(endless) { media, server in
      let bytes = try await media.bytes(of: "/1", limit: 1_000_000)
      #expect(bytes.length == nil)
      let error = await apiError { try await bytes.collect() }
      #expect(error?.message.contains("limit of 1000000 bytes") == true)
      await server.waitUntilIdle()
    }
  }

  /// Bytes that were already returned cannot be voided.
  @Test func aFileThatChangesMeanwhileIsAnError() async throws {
    let other = someBytes(100_000, seed: 9)
    for (second, problem) in [
      (Behavior(file: other, etag: "\"v2\""), "the file has changed after 1000 bytes"),
      (Behavior(file: Array(file[..<900])), "the file has changed after 1000 bytes"),
    ] {
      let script = FileServer.script { $0 == 0 ? Behavior(file: file, resetsAfter: 1000) : second }
      try await withMedia(script) { media, _ in
        let bytes = try await media.bytes(of: "/1", limit: .max)
        let error = await apiError { try await bytes.collect() }
        #expect(error?.message.contains(problem) == true, "\(error?.description ?? "no error")")
      }
    }
    let weak = FileServer.script { Behavior(file: file, etag: "W/\"v1\"", resetsAfter: $0 == 0 ? 1000 : nil) }
    try await withMedia(weak) { media, _ in
      let bytes = try await media.bytes(of: "/1", limit: .max)
      let error = await apiError { try await bytes.collect() }
      #expect(error?.message.contains("no strong ETag") == true && error?.transport?.kind == .connectionLost)
    }
  }

  @Test func droppingTheBytesFreesTheConnection() async throws {
    let script: RawServer.Script = { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
      connection.hang()
    }
    try await withMedia(script) { media, server in
      do {
        var iterator = try await media.bytes(of: "/1", limit: 10).makeAsyncIterator()
        #expect(try await iterator.next()?.isEmpty == false)
      }
      await server.waitUntilIdle()
    }
  }

  /// Other servers receive neither the token nor the call's identification, wherever their URL comes from.
  @Test func theTokenStaysWithTheGateway() async throws {
    try await withRawServer(FileServer.script { _ in Behavior(file: file, resetsAfter: nil) }) { other in
      let script: RawServer.Script = { connection in
        while try connection.readRequest() != nil {
          try connection.respond("302 Found", headers: ["Location: \(other.url("/cdn"))"])
        }
      }
      let options = CallOptions(requestID: "the-id", headers: ["X-Tenant": Canary.secret])
      try await withMedia(script, options: options) { media, gateway in
        for url in ["/1", gateway.url("/1"), other.url("/direct")] {
          let collected = try await media.bytes(of: url, limit: .max).collect()
          #expect(collected == file)
        }
        #expect(gateway.requests.count == 2)
        for request in gateway.requests {
          #expect(request.header("Authorization") != nil && request.header("X-Tenant") != nil)
        }
      }
      #expect(other.requests.count == 3)
      for request in other.requests {
        let names = request.headerLines.map { String($0.prefix { $0 != ":" }).lowercased() }.sorted()
        #expect(names == ["accept", "accept-encoding", "host", "user-agent"], "\(request.headerLines)")
        #expect(Canary.leaks(in: "\(request)").isEmpty)
      }
    }
  }

  /// A gateway that redirects to a CDN: the ranges are sent there, too, and the file continues.
  @Test func rangesFollowRedirects() async throws {
    let script = FileServer.script { Behavior(file: file, resetsAfter: $0 == 0 ? 40_000 : nil) }
    try await withRawServer(script) { other in
      let redirecting: RawServer.Script = { connection in
        while try connection.readRequest() != nil {
          try connection.respond("302 Found", headers: ["Location: \(other.url("/cdn"))"])
        }
      }
      try await withMedia(redirecting) { media, _ in
        let collected = try await media.bytes(of: "/1", limit: .max).collect()
        #expect(collected == file)
      }
      #expect(other.requests.last?.header("Range") == "bytes=40000-")
      #expect(other.requests.last?.header("If-Range") == "\"v1\"")
    }
  }

  @Test(arguments: [
    ("http://169.254.169.254/latest", APIError.Code.invalidURL, "a link-local"),
    ("https://metadata.google.internal/", .invalidURL, "metadata"),
    ("http://files.example/1", .insecureConnection, "neither https nor this machine"),
    ("ftp://files.example/1", .invalidURL, "http:// or https://"), ("//files.example/1", .invalidURL, "http://"),
    ("", .invalidURL, "http://"), ("1.jpg", .invalidURL, "http://"),
    ("https://user:PASSWORD@files.example/", .invalidURL, "user name or a password"),
  ]) func otherPlacesAreRefused(_ url: String, code: APIError.Code, problem: String) async throws {
    let client = try APIClient.test(RecordingTransport("{}"))
    // The secret is not an argument of the test, because arguments are printed.
    let url = url.replacing("PASSWORD", with: Canary.secret)
    let error = await apiError { try await MediaService(client: client).bytes(of: url, limit: 10) }
    #expect(error?.code == code && error?.message.contains(problem) == true, "\(error?.description ?? "no error")")
  }
}

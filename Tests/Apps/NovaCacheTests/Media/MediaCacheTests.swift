import NovaCache
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

struct MediaCacheTests {
  private static let image: HTTPHeaders = [
    "Content-Type": "image/png", "Cache-Control": "public, max-age=60", "ETag": "\"1\"",
  ]

  private func media(
    _ options: HTTPCache.Options = .init(), clock: ManualClock = ManualClock(), maximumBytes: Int = 32 << 20,
    over transport: any HTTPTransport
  ) throws -> MediaCache {
    MediaCache(
      client: try .test(transport, clock: clock), cache: HTTPCache(options, clock: clock),
      maximumBytes: maximumBytes)
  }

  @Test func loadsFromTheNetworkMemoryAndDisk() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let server = RecordingTransport { number, request in
      if number > 0, request.headers["If-None-Match"] == "\"1\"" {
        return HTTPResponse(status: 304, headers: Self.image)
      }
      return HTTPResponse(status: 200, headers: Self.image, body: [1, 2, 3])
    }
    let first = try media(.init(directory: folder.path), clock: clock, over: server)
    let loaded = try await first.image("/media/1.png")
    #expect(loaded.bytes == [1, 2, 3])
    #expect(loaded.contentType == "image/png")
    #expect(loaded.source == .network)
    clock.advance(by: .seconds(10))
    let again = try await first.image("http://localhost:8080/media/1.png")
    #expect(again.source == .memory)
    #expect(again.age == .seconds(10))
    let second = try media(.init(directory: folder.path), clock: clock, over: server)
    #expect(try await second.image("/media/1.png").source == .disk)
    #expect(try await second.image("/media/1.png").source == .memory)
    clock.advance(by: .seconds(100))
    #expect(try await second.image("/media/1.png").bytes == [1, 2, 3])
    #expect(server.requests.count == 2)
    #expect(await second.usage().revalidated == 1)
    await second.remove("/media/1.png")
    #expect(await second.usage().entries == 0)
  }

  /// The token is sent only to the gateway, whose images are for the caller.
  @Test func keepsTheTokenOnTheGateway() async throws {
    let server = RecordingTransport { _, _ in
      HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"], body: [1])
    }
    let media = try media(over: server)
    for _ in 0..<2 { _ = try await media.image("https://cdn.example/1.png") }
    #expect(server.requests.count == 1)
    #expect(server.requests[0].headers["Authorization"] == nil)
    for _ in 0..<2 { _ = try await media.image("/1.png") }
    #expect(server.requests.count == 2)
    #expect(server.requests[1].headers["Authorization"] != nil)
  }

  @Test(arguments: ["http://169.254.169.254/latest", "ftp://localhost/a", "a b", "http://example.com/1.png"])
  func refusesUnsafePlaces(url: String) async throws {
    let server = RecordingTransport { _, _ in HTTPResponse(status: 200) }
    let media = try media(over: server)
    let error = await apiError { try await media.image(url) }
    #expect([.invalidURL, .insecureConnection].contains(error?.code), "\(error?.description ?? "no error")")
    #expect(server.requests.isEmpty)
  }

  @Test func refusesLargeImages() async throws {
    let server = RecordingTransport { _, _ in
      HTTPResponse(status: 200, headers: Self.image, body: [UInt8](repeating: 0, count: 2000))
    }
    let media = try media(maximumBytes: 1000, over: server)
    #expect(await apiError { try await media.image("/1.png") } != nil)
    #expect(await media.usage().entries == 0)
  }

  /// Bytes that were changed on the way are neither returned nor stored.
  @Test(arguments: ["Repr-Digest", "Content-Digest"])
  func refusesDamagedImages(field: String) async throws {
    let folder = try TemporaryFolder()
    let digest = "sha-256=:A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=:"
    let server = RecordingTransport { number, _ in
      var headers = Self.image
      headers[field] = digest.replacing("A5BY", with: number == 0 ? "A5BZ" : "A5BY")
      return HTTPResponse(status: 200, headers: headers, body: [1, 2, 3])
    }
    let media = try media(.init(directory: folder.path), over: server)
    let error = await apiError { try await media.image("/1.png") }
    #expect(error?.code == .invalidResponse && error?.message.contains("digest") == true)
    #expect(await media.usage().entries == 0)
    #expect(try await media.image("/1.png").bytes == [1, 2, 3])
    #expect(await media.usage().entries == 1)
  }

  /// Only a whole file, as it is stored, is an image. Nothing else is returned or stored.
  @Test(
    arguments: [
      (202, [:], 3), (204, [:], 0), (201, [:], 3), (206, [:], 3), (206, ["Content-Range": "bytes 0-2/9"], 3),
      (200, ["Content-Range": "bytes 0-2/9"], 3), (200, ["Content-Range": "bytes 0-8/9"], 3),
      (200, ["Content-Encoding": "gzip"], 3), (200, ["Content-Encoding": "none, br"], 3),
      (200, ["Content-Length": "9"], 3), (206, ["Content-Type": "multipart/byteranges; boundary=x"], 3),
    ] as [(Int, HTTPHeaders, Int)])
  func refusesWhatIsNoWholeFile(status: Int, fields: HTTPHeaders, count: Int) async throws {
    let folder = try TemporaryFolder()
    let server = RecordingTransport { _, _ in
      var headers = Self.image
      for field in fields { headers[field.name] = field.value }
      return HTTPResponse(status: status, headers: headers, body: [UInt8](repeating: 1, count: count))
    }
    let media = try media(.init(directory: folder.path), over: server)
    for url in ["/1.png", "https://cdn.example/1.png"] {
      let error = await apiError { try await media.image(url) }
      #expect(error?.code == .invalidResponse && error?.message.hasPrefix("cannot load the file: ") == true)
      #expect(error?.rpc == "media.DownloadBytes")
    }
    #expect(await media.usage().entries == 0)
  }

  /// Harmless variants that servers send.
  @Test(
    arguments: [
      (200, [:]), (203, [:]), (200, ["Content-Range": "bytes 0-2/3"]), (200, ["Content-Encoding": "UTF-8"]),
      (200, ["Content-Encoding": ""]), (200, ["Content-Encoding": "aws-chunked"]),
      (200, ["Content-Encoding": "identity, none"]), (200, ["Content-Length": "3"]),
      (206, ["Content-Range": "bytes 0-2/3"]),
    ] as [(Int, HTTPHeaders)])
  func acceptsHarmlessOddities(status: Int, fields: HTTPHeaders) async throws {
    let server = RecordingTransport { _, _ in
      var headers = Self.image
      for field in fields { headers[field.name] = field.value }
      return HTTPResponse(status: status, headers: headers, body: [1, 2, 3])
    }
    let media = try media(over: server)
    #expect(try await media.image("/1.png").bytes == [1, 2, 3])
    #expect(try await media.image("/1.png").source == (status == 206 ? .network : .memory))
  }

  // MARK: URLs that are signed again

  @Test(arguments: ["/1.png", "https://cdn.example/1.png"]) func anIDFindsAnImageAgain(path: String) async throws {
    let folder = try TemporaryFolder()
    let server = RecordingTransport { number, _ in
      HTTPResponse(status: 200, headers: Self.image, body: [UInt8(number)])
    }
    let media = try media(.init(directory: folder.path), over: server)
    #expect(try await media.image("\(path)?sig=1", id: "ada").bytes == [0])
    #expect(try await media.image("\(path)?sig=2", id: "ada").bytes == [0])
    #expect(server.requests.map { $0.url.query } == ["sig=1"])
    // Another image: a different ID, no ID, a different path, or the fragment of a URL.
    #expect(try await media.image("\(path)?sig=2", id: "bob").bytes == [1])
    #expect(try await media.image("\(path)?sig=2").bytes == [2])
    #expect(try await media.image("\(path)?sig=2", id: "").bytes == [2])
    #expect(try await media.image("\(path)2?sig=2", id: "ada").bytes == [3])
    #expect(try await media.image("\(path)#ada").bytes == [4])
    await media.remove("\(path)?sig=9", id: "ada")
    #expect(try await media.image("\(path)?sig=3", id: "ada").bytes == [5])
    #expect(try await media.image("\(path)?sig=4", id: "bob").source == .memory)
    await media.prefetch([(url: "\(path)?sig=5", id: "eve"), (url: "\(path)?sig=5", id: "bob")]).finish()
    #expect(server.requests.count == 7)
    #expect(try await media.image("\(path)?sig=6", id: "eve").source == .memory)
    // Another process.
    #expect(
      try await self.media(.init(directory: folder.path), over: server).image("\(path)?sig=7", id: "bob").source
        == .disk)
  }

  /// The signature may be what grants access, so another caller needs their own.
  @Test(arguments: ["/1.png", "https://cdn.example/1.png"]) func anIDIsTheCallers(path: String) async throws {
    let server = RecordingTransport { _, request in
      request.url.query == "sig=ada"
        ? HTTPResponse(status: 200, headers: Self.image, body: [1]) : HTTPResponse(status: 403)
    }
    let media = try media(over: server)
    let (ada, bob) = (try AccessToken("ada"), try AccessToken("bob"))
    #expect(try await media.with { $0.token = ada }.image("\(path)?sig=ada", id: "1").bytes == [1])
    #expect(try await media.with { $0.token = ada }.image("\(path)?sig=gone", id: "1").bytes == [1])
    let error = await apiError { try await media.with { $0.token = bob }.image("\(path)?sig=forged", id: "1") }
    #expect(error?.code == .permissionDenied)
  }

  @Test func reportsErrors() async throws {
    let media = try media(over: RecordingTransport { _, _ in HTTPResponse(status: 404) })
    #expect(await apiError { try await media.image("/1.png") }?.code == .notFound)
  }

  /// Many views of one image send one request, over a real connection.
  @Test(.hangLimit)
  func sharesARequest() async throws {
    let body = [UInt8](repeating: 7, count: 300_000)
    try await withTransport(to: { connection in
      try connection.respondToAll(headers: ["Cache-Control: max-age=60", "Content-Type: image/jpeg"], body: body)
    }) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""))
      let media = MediaCache(client: client, cache: HTTPCache())
      try await withThrowingTaskGroup(of: CachedMedia.self) { group in
        for _ in 0..<100 { group.addTask { try await media.image("/avatars/1.jpg") } }
        for try await image in group { #expect(image.bytes == body) }
      }
      #expect(server.requests.count == 1)
    }
  }

  // MARK: Prefetches

  /// A server that responds when the test allows it, and the paths in the order of their requests.
  private func gated(_ gate: Gate) -> RecordingTransport {
    RecordingTransport { _, _ in
      await gate.wait()
      return HTTPResponse(status: 200, headers: Self.image, body: [1])
    }
  }

  private func waitForRequests(_ count: Int, _ server: RecordingTransport) async {
    while server.requests.count < count { await Task.yield() }
  }

  /// A load that a caller awaits does not wait for prefetches, or for its own turn among them.
  @Test(.hangLimit)
  func overtakesPrefetches() async throws {
    let gate = Gate()
    let server = gated(gate)
    let media = try media(over: server)
    let prefetch = media.prefetch((0..<20).map { "/\($0)" })
    await waitForRequests(4, server)
    let visible = Task { try await media.image("/19") }
    await waitForRequests(5, server)
    #expect(server.requests[4].url.path == "/19")
    gate.open()
    _ = try await visible.value
    await prefetch.finish()
    #expect(server.requests.count == 20)
  }

  @Test(.hangLimit)
  func cancelsPrefetches() async throws {
    let gate = Gate()
    let server = gated(gate)
    let media = try media(over: server)
    let cancelled = media.prefetch((0..<10).map { "/\($0)" })
    let kept = media.prefetch(["/9", "/0"])
    await waitForRequests(4, server)
    cancelled.cancel()
    gate.open()
    await cancelled.finish()
    await kept.finish()
    #expect(Set(server.requests.map(\.url.path)).isSuperset(of: ["/0", "/9"]))
    #expect(server.requests.count < 10)
    await media.shutdown()
    await media.prefetch(["/late"]).finish()
    #expect(!server.requests.map(\.url.path).contains("/late"))
  }

  // MARK: Callers

  /// A user who can change, and a server that sends different bytes for each token.
  private func users() throws -> (StoredToken, RecordingTransport, MediaCache, ManualClock, HTTPCache) {
    let tokens = StoredToken(try AccessToken("ada"))
    let clock = ManualClock()
    let cache = HTTPCache(clock: clock)
    let server = RecordingTransport { _, request in
      let token = request.headers["Authorization"] ?? "nobody"
      return HTTPResponse(
        status: 200, headers: ["Cache-Control": "max-age=10, stale-while-revalidate=60"], body: Array(token.utf8))
    }
    let media = MediaCache(client: try .test(server, tokens: tokens, clock: clock), cache: cache)
    return (tokens, server, media, clock, cache)
  }

  private func text(_ media: MediaCache) async throws -> String {
    String(decoding: try await media.image("/1.png").bytes, as: UTF8.self)
  }

  @Test func storesForTheCaller() async throws {
    let (tokens, server, media, _, _) = try users()
    let bob = try AccessToken("bob")
    for _ in 0..<2 {
      #expect(try await text(media) == "Bearer ada")
      #expect(try await text(media.with { $0.token = bob }) == "Bearer bob")
    }
    tokens.current = nil
    for _ in 0..<2 { #expect(try await text(media) == "nobody") }
    #expect(server.requests.count == 3)
  }

  /// The options' headers are sent to the gateway, and affect what is stored.
  @Test func optionsAreThoseOfTheRequest() async throws {
    let (_, server, media, _, _) = try users()
    let uncached = media.with { $0.headers["Cache-Control"] = "no-store" }
    for _ in 0..<2 { _ = try await text(uncached) }
    #expect(server.requests.count == 2)
    #expect(server.requests[0].headers["Cache-Control"] == "no-store")
  }

  /// A load that began for one user does not continue for another one.
  @Test func revalidatesForTheSameCallerOnly() async throws {
    let (tokens, server, media, clock, cache) = try users()
    #expect(try await text(media) == "Bearer ada")
    clock.advance(by: .seconds(20))
    // The response is stale, and the background request finds another user.
    async let stale = text(media)
    tokens.current = try AccessToken("bob")
    let first = try? await stale
    await cache.waitUntilIdle()
    #expect([nil, "Bearer ada", "Bearer bob"].contains(first))
    #expect(try await text(media) == "Bearer bob")
    tokens.current = try AccessToken("ada")
    #expect(try await text(media) == "Bearer ada")
    #expect(server.requests.count <= 4)
  }

  /// A prefetch whose turn comes after another user has signed in sends nothing.
  @Test(.hangLimit) func prefetchesForTheSameCallerOnly() async throws {
    let gate = Gate()
    let tokens = StoredToken(try AccessToken("ada"))
    let server = RecordingTransport { _, _ in
      await gate.wait()
      return HTTPResponse(status: 200, headers: Self.image, body: [1])
    }
    let media = MediaCache(client: try .test(server, tokens: tokens), cache: HTTPCache())
    let prefetch = media.prefetch((0..<10).map { "/\($0)" })
    await waitForRequests(4, server)
    tokens.current = try AccessToken("bob")
    gate.open()
    await prefetch.finish()
    #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer ada" })
    #expect(server.requests.count == 4)
  }

  /// The gateway redirects one user to a storage server, and refuses another: over real connections.
  @Test(.hangLimit) func followsWhatTheGatewaySays() async throws {
    try await withRawServer({ try $0.respondToAll(headers: ["Cache-Control: public, max-age=600"], body: [7]) }) {
      cdn in
      try await withTransport(to: { connection in
        while let request = try connection.readRequest() {
          if request.header("Authorization") == "Bearer ada" {
            let headers = ["Location: \(cdn.url("/file?sig=1"))", "Cache-Control: private, no-store"]
            try connection.respond("302 Found", headers: headers)
          } else {
            try connection.respond("403 Forbidden")
          }
        }
      }) { transport, server in
        let tokens = StoredToken(try AccessToken("ada"))
        let client = try APIClient.test(transport, baseURL: server.url(""), tokens: tokens)
        let media = MediaCache(client: client, cache: HTTPCache())
        for _ in 0..<2 { #expect(try await media.image("/1.png").bytes == [7]) }
        for token in [try AccessToken("bob"), nil] {
          tokens.current = token
          let error = await apiError { try await media.image("/1.png") }
          #expect(error?.code == .permissionDenied)
        }
        #expect(server.requests.count == 4)
        #expect(cdn.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(await media.usage().entries == 0)
      }
    }
  }
}

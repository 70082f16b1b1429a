import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

/// Requests for the bytes of a URL, through everything that a call goes through.
@Suite(.hangLimit) struct BytesTests {
  private static let rpc = MediaService.downloadBytes.descriptor

  private func client(
    _ transport: any HTTPTransport, _ server: RawServer, tokens: (any TokenProvider)? = nil,
    middlewares: [any Middleware] = [], breaker: CircuitBreaker? = nil
  ) throws -> APIClient {
    try APIClient.test(
      transport, baseURL: server.url(""), tokens: tokens, middlewares: middlewares,
      resilience: Resilience(breaker: breaker), clock: ManualClock(autoAdvances: true))
  }

  /// A status is a result only if a header of the request asks for it.
  @Test(arguments: [
    (304, "If-None-Match", true), (304, "Range", false), (304, "If-Modified-Since", true), (412, "If-Match", true),
    (412, "Range", false), (416, "Range", true), (416, "If-Range", false), (206, "Range", true), (302, "Range", false),
    (404, "If-None-Match", false),
  ]) func statuses(_ status: Int, _ header: String, isResult: Bool) async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: status, body: [1, 2]) }
    let client = try APIClient.test(transport)
    var response: APIResponse<HTTPBody>?
    let error = await apiError { response = try await client.get("/x", headers: [header: "a"], for: Self.rpc) }
    #expect(response?.status == (isResult ? status : nil) && error?.httpStatus == (isResult ? nil : status))
    #expect(transport.requests[0].streamsResponse && !transport.requests[0].decompressesResponse)
  }

  @Test func aHeadIsRetriedAndAFailureCollected() async throws {
    let steps = ["503 A", "200 OK", "404 Not Found"]
    let script: RawServer.Script = { connection in
      while let request = try connection.readRequest() {
        let number = Int(request.requestLine.split(separator: " ")[1].dropFirst()) ?? 0
        try connection.respond(steps[number], body: Array(#"{"message":"gone"}"#.utf8))
      }
    }
    try await withTransport(to: script) { transport, server in
      let client = try client(transport, server)
      let error = await apiError { try await client.get("/2", for: Self.rpc) }
      #expect(error?.code == .notFound && error?.server?.message == "gone" && error?.rpc == "media.DownloadBytes")
      let down = await apiError { try await client.get("/0", for: Self.rpc) }
      #expect(down?.attempts.count == 3)
      let response = try await client.get("/1", for: Self.rpc)
      #expect(response.value.bytes == nil, "it is streamed")
      #expect(try await response.value.collect(upTo: 100).count == 18)
    }
  }

  @Test func aPageOfAStorageIsNoMessageOfTheGateway() async throws {
    let page = HTTPResponse(status: 403, headers: ["Content-Type": "text/html"], body: Array("<html>SECRET".utf8))
    let client = try APIClient.test(RecordingTransport { _, _ in page })
    let error = await apiError { try await client.get("https://cdn.example/1", for: Self.rpc) }
    #expect(error?.code == .permissionDenied && error?.server == nil)
    #expect(error?.message == "not allowed")
  }

  /// Silence, a lost connection, and a deadline behind the head are errors of the call.
  @Test func aBodyThatBreaksOffIsAnErrorOfTheCall() async throws {
    let script: RawServer.Script = { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    }
    try await withTransport(to: script) { transport, server in
      let response = try await client(transport, server).get("/1", for: Self.rpc)
      let error = await apiError { try await response.value.collect(upTo: 100) }
      #expect(error?.code == .networkError && error?.transport?.kind == .connectionLost)
      #expect(error?.rpc == "media.DownloadBytes" && error?.requestID == "test-request")
      #expect(error?.attempts.count == 1)
    }
  }

  @Test func theBreakerLearnsOfBodies() async throws {
    let script: RawServer.Script = { connection in
      guard let request = try connection.readRequest() else { return }
      let isGood = request.requestLine.contains("good")
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\(isGood ? "abc" : "")")
    }
    try await withTransport(to: script) { transport, server in
      let client = try client(transport, server, breaker: CircuitBreaker(failureLimit: 3))
      func read(_ path: String) async -> APIError? {
        await apiError { try await client.get(path, for: Self.rpc).value.collect(upTo: 10) }
      }
      for path in ["/bad", "/bad", "/good", "/bad", "/bad"] {
        let error = await read(path)
        #expect((error == nil) == (path == "/good"))
        #expect(error?.transport?.kind != .circuitOpen)
      }
      _ = await read("/bad")
      let refused = await read("/good")
      #expect(refused?.transport?.kind == .circuitOpen)
    }
  }

  /// A body in progress is a call in progress; when its time is up, it ends with a clear error.
  @Test func shutdownWaitsForBodiesAndThenEndsThem() async throws {
    let script: RawServer.Script = { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      connection.hang()
    }
    try await withTransport(to: script) { transport, server in
      let clock = ManualClock()
      let client = try APIClient.test(transport, baseURL: server.url(""), ownsTransport: true, clock: clock)
      let response = try await client.get("/1", for: Self.rpc)
      let isOver = Locked(false)
      async let shutdown: Void = {
        await client.shutdown(grace: .seconds(30))
        isOver.withLock { $0 = true }
      }()
      await clock.waitForSleepers()
      #expect(!isOver.withLock { $0 })
      clock.advance(by: .seconds(31))
      await shutdown
      let error = await apiError { try await response.value.collect(upTo: 100) }
      #expect(error?.code == .cancelled && error?.transport?.kind == .shutDown, "\(error?.description ?? "no error")")
      let next = await apiError { try await client.get("/1", for: Self.rpc) }
      #expect(next?.transport?.kind == .shutDown)
    }
  }

  /// Dropped, and read to its end: neither keeps a client from shutting down.
  @Test func bodiesThatAreOverDoNotDelayAShutdown() async throws {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil { try connection.respond(body: [1, 2, 3]) }
    }
    try await withTransport(to: script) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""))
      _ = try await client.get("/dropped", for: Self.rpc)
      let response = try await client.get("/read", for: Self.rpc)
      _ = try await response.value.collect(upTo: 10)
      await client.shutdown(grace: .seconds(30))
    }
  }
}

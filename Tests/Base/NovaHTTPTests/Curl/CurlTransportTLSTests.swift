import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

/// Uses a real nginx. Without it, these tests fail, and report what to install.
@Suite(.hangLimit) struct CurlTransportTLSTests {
  private func withNginx(
    to script: @escaping RawServer.Script = { try $0.respondToAll() }, keepaliveRequests: Int = 100,
    _ body: (CurlTransport, NginxServer, RawServer) async throws -> Void
  ) async throws {
    try await withRawServer(script) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port, keepaliveRequests: keepaliveRequests)
      defer { nginx.stop() }
      let transport = CurlTransport(options: .init(caFile: nginx.caFile))
      try await body(transport, nginx, upstream)
      await transport.shutdown()
    }
  }

  @Test func speaksHTTP2WhereTheServerDoes() async throws {
    try await withNginx { transport, nginx, _ in
      let modern = try await transport.send(.get("https://localhost:\(nginx.http2Port)/protocol"))
      #expect(String(decoding: modern.body.inMemory, as: UTF8.self) == "HTTP/2.0")
      #expect(modern.headers["content-type"] == "text/plain")
      let classic = try await transport.send(.get("https://localhost:\(nginx.http1Port)/protocol"))
      #expect(String(decoding: classic.body.inMemory, as: UTF8.self) == "HTTP/1.1")
    }
  }

  @Test func trustsNobodyItWasNotToldTo() async throws {
    try await withNginx { _, nginx, _ in
      let error = await failure(of: CurlTransport(), .post("https://localhost:\(nginx.http2Port)/protocol"))
      #expect(error?.kind == .tls)
      #expect(error?.requestMayHaveLeft == false)
      #expect(error?.message.contains("localhost:\(nginx.http2Port)") == true)
    }
  }

  @Test(arguments: [true, false]) func aHandshakeThatIsCutOffIsNoRefusal(reset: Bool) async throws {
    let script: RawServer.Script = { if reset { $0.reset() } }
    try await withRawServer(script) { server in
      let transport = CurlTransport()
      let error = await failure(of: transport, .post("https://localhost:\(server.port)/"))
      // A reset may come before the handshake begins, which is a different network failure.
      #expect(error?.kind != .tls && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      if !reset { #expect(error?.kind == .connectionFailed) }
      await transport.shutdown()
    }
  }

  @Test func checksTheHostName() async throws {
    try await withNginx { transport, nginx, _ in
      let error = await failure(of: transport, .post("https://127.0.0.1:\(nginx.http2Port)/protocol"))
      #expect(error?.kind == .tls)
      #expect(error?.requestMayHaveLeft == false)
    }
  }

  @Test func refusesToLeaveHTTPS() async throws {
    try await withNginx(to: { connection in
      try connection.respondToAll("302 Found", headers: ["Location: http://127.0.0.1:1/plain"])
    }) { transport, nginx, _ in
      let error = await failure(of: transport, .get("https://localhost:\(nginx.http2Port)/up/"))
      #expect(error?.kind == .redirectRefused)
      #expect(error?.message == "localhost:\(nginx.http2Port) redirects from https to http")
    }
  }

  /// Another port and another name of the same server, both over TLS: none of the caller's own headers are sent.
  @Test func carriesNoSecretToAnotherOriginOverTLS() async throws {
    let target = Locked("")
    try await withNginx(to: { connection in
      while let request = try connection.readRequest() {
        let isFirst = request.requestLine.contains("/up/first ")
        let location = isFirst ? ["Location: \(target.withLock { $0 })"] : []
        try connection.respond(isFirst ? "307 Moved" : "200 OK", headers: location)
      }
    }) { _, nginx, upstream in
      let transport = CurlTransport(
        options: .init(caFile: nginx.caFile, unsafelySkipsCertificateChecksOnLoopback: true))
      let headers: HTTPHeaders = [
        "Authorization": "Bearer secret", "Cookie": "a=b", "X-Own": "secret", "Accept": "a/b",
      ]
      for place in ["localhost:\(nginx.http1Port)", "127.0.0.1:\(nginx.http2Port)"] {
        target.withLock { $0 = "https://\(place)/up/next" }
        let first = "https://localhost:\(nginx.http2Port)/up/first"
        try await #expect(transport.send(.get(first, headers: headers)).status == 200)
        let seen = try #require(upstream.requests.last)
        #expect(seen.requestLine.contains("/up/next"))
        for name in ["Authorization", "Cookie", "X-Own"] { #expect(seen.header(name) == nil) }
        #expect(seen.header("Accept") == "a/b")
      }
      await transport.shutdown()
    }
  }

  /// nginx closes each connection after 100 requests. Running requests must neither fail nor run twice.
  @Test func runsManyCallsAtOnceThoughTheServerKeepsClosingConnections() async throws {
    try await withNginx(to: { connection in
      while let request = try connection.readRequest() { try connection.respond(body: request.body) }
    }) { transport, nginx, upstream in
      for (round, port) in [nginx.http2Port, nginx.http1Port].enumerated() {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in 0..<500 {
            group.addTask {
              let body = pattern(index * 40)
              try await #expect(transport.send(.post("https://localhost:\(port)/up/", body: body)).body.bytes == body)
            }
          }
          try await group.waitForAll()
        }
        #expect(upstream.requests.count == 500 * (round + 1))
      }
    }
  }

  /// nginx closes each connection after a few requests, with 64 running: most streams are above the last one that the
  /// GOAWAY names, many times in a row. They were not processed, so they are sent again, and none runs twice.
  @Test(arguments: [1, 2, 3, 7], [HTTPMethod.get, .post])
  func sendsAgainWhatAServerThatGoesAwayHasNotProcessed(keepaliveRequests: Int, method: HTTPMethod) async throws {
    try await withNginx(
      to: { connection in
        while let request = try connection.readRequest() { try connection.respond(body: request.body) }
      }, keepaliveRequests: keepaliveRequests
    ) { transport, nginx, upstream in
      let failures = Locked<[String: Int]>([:])
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<600 {
          group.addTask {
            let url = "https://localhost:\(nginx.http2Port)/up/\(index)"
            do {
              let response = try await transport.send(method == .get ? .get(url) : .post(url, body: pattern(index)))
              if response.status != 200 { failures.withLock { $0["status \(response.status)", default: 0] += 1 } }
            } catch { failures.withLock { $0["\(error)", default: 0] += 1 } }
          }
        }
      }
      #expect(failures.withLock { $0 } == [:])
      #expect(upstream.requests.count == 600)
    }
  }

  @Test func carriesLargeBodiesBothWays() async throws {
    try await withNginx(to: { connection in
      while let request = try connection.readRequest() { try connection.respond(body: request.body) }
    }) { transport, nginx, _ in
      let body = pattern(20_000_000)
      for port in [nginx.http2Port, nginx.http1Port] {
        let response = try await transport.send(.post("https://localhost:\(port)/up/", body: body))
        #expect(response.body.bytes == body)
      }
    }
  }

  @Test func streamsBothWays() async throws {
    try await withNginx(to: { connection in
      while let request = try connection.readRequest() { try connection.respond(body: request.body) }
    }) { transport, nginx, _ in
      let body = pattern(20_000_000)
      for port in [nginx.http2Port, nginx.http1Port] {
        for length in [nil, body.count] {
          let chunks = AsyncStream<[UInt8]> { continuation in
            for start in stride(from: 0, to: body.count, by: 300_000) {
              continuation.yield(Array(body[start..<min(start + 300_000, body.count)]))
            }
            continuation.finish()
          }
          var request = HTTPRequest.post("https://localhost:\(port)/up/")
          request.body = .stream(HTTPBodyStream(chunks, length: length))
          request.streamsResponse = true
          let response = try await transport.send(request)
          #expect(response.status == 200 && !response.body.isReplayable)
          #expect(try await response.body.collect(upTo: body.count) == body)
        }
      }
    }
  }

  /// Calls that hang must not block others, on one HTTP/2 connection or on several HTTP/1.1 connections.
  @Test func callsThatHangRunSideBySideAndCanBeCancelled() async throws {
    try await withNginx(to: { connection in
      _ = try connection.readRequest()
      connection.hang()
    }) { transport, nginx, upstream in
      for (round, port) in [nginx.http2Port, nginx.http1Port].enumerated() {
        let request = HTTPRequest.post("https://localhost:\(port)/up/", body: [1])
        let tasks = (0..<8).map { _ in Task { try await transport.send(request) } }
        await upstream.waitForRequests(8 * (round + 1))
        let answer = try await transport.send(.get("https://localhost:\(port)/protocol"))
        #expect(answer.status == 200)
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
      }
    }
  }
}

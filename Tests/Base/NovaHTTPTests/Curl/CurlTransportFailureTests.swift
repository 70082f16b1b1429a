import NovaHTTP
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CurlTransportFailureTests {
  @Test func truncatedBodyIsAnError() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n" + String(repeating: "x", count: 512))
    }) { transport, server in
      let error = await failure(of: transport, .get(server.url("/secret?token=1")))
      #expect(error?.kind == .connectionLost)
      #expect(error?.requestMayHaveLeft == true)
      #expect(error?.message == "the response from 127.0.0.1:\(server.port) ended after 512 of 1024 bytes")
    }
  }

  @Test func chunkedBodyWithoutEndIsAnError() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    }) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .connectionLost)
      #expect(error?.message.contains("ended early, after 3 bytes") == true, "\(String(describing: error))")
    }
  }

  /// libcurl reports it as a bad argument to one of its functions.
  @Test func aTrailerThatIsNoFieldIsNamed() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\ngrpc-status 14\r\n\r\n")
    }) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(
        error?.kind == .malformedResponse && error?.message.contains("trailer") == true, "\(String(describing: error))")
    }
  }

  @Test func closeWithoutResponseIsAnError() async throws {
    try await withTransport(to: { _ = try $0.readRequest() }) { transport, server in
      let error = await failure(of: transport, .post(server.url()))
      #expect(error?.kind == .connectionLost)
      #expect(error?.requestMayHaveLeft == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
  func resetIsAnErrorWhereverItComes(sent: String) async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write(sent)
      connection.reset()
    }) { transport, server in
      let error = await failure(of: transport, .post(server.url()))
      #expect(error?.kind == .connectionLost, "\(String(describing: error))")
      #expect(error?.requestMayHaveLeft == true)
    }
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", "\r\n\r\n"])
  func garbageIsMalformed(sent: String) async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write(sent)
    }) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .malformedResponse, "\(String(describing: error))")
      #expect(error?.requestMayHaveLeft == true)
    }
  }

  /// Ranges count the bytes as they are stored. One handle is used for both kinds of requests.
  @Test func leavesABodyCompressedIfToldTo() async throws {
    try await withTransport(to: {
      try $0.respondToAll(headers: ["Content-Encoding: gzip"], body: Array("not gzip at all".utf8))
    }) { transport, server in
      var request = HTTPRequest.get(server.url())
      for isDecompressed in [true, false, true, false] {
        request.decompressesResponse = isDecompressed
        if isDecompressed {
          let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
          #expect(error?.kind == .malformedResponse)
        } else {
          let response = try await transport.send(request)
          #expect(response.body.inMemory == Array("not gzip at all".utf8))
        }
        #expect((server.requests.last?.header("Accept-Encoding") == nil) == !isDecompressed)
      }
    }
  }

  @Test func brokenCompressionIsMalformed() async throws {
    try await withTransport(to: { connection in
      try connection.respondToAll(headers: ["Content-Encoding: gzip"], body: Array("not gzip at all".utf8))
    }) { transport, server in
      #expect(await failure(of: transport, .get(server.url()))?.kind == .malformedResponse)
    }
  }

  @Test func refusedConnectionProvablySentNothing() async throws {
    let closed = try ClosedPort()
    let transport = CurlTransport()
    let error = await failure(of: transport, .post("\(closed.url)/?token=secret"))
    #expect(error?.kind == .connectionRefused)
    #expect(error?.requestMayHaveLeft == false)
    #expect(error?.message == "127.0.0.1:\(closed.port) refused the connection")
  }

  @Test func unknownNameProvablySentNothing() async throws {
    // RFC 6761: "invalid" never resolves.
    let error = await failure(of: CurlTransport(), .get("http://nova.invalid/"))
    #expect(error?.kind == .nameResolution)
    #expect(error?.requestMayHaveLeft == false)
  }

  @Test func tlsToAPlainServerIsATLSError() async throws {
    try await withTransport(to: { connection in
      try connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.hang()
    }) { transport, server in
      let error = await failure(of: transport, .get("https://127.0.0.1:\(server.port)/"))
      #expect(error?.kind == .tls)
      #expect(error?.requestMayHaveLeft == false)
    }
  }

  /// The second request uses a kept connection and loses it: the server may have run the request.
  @Test func postIsNeverSentTwice() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.respond()
      _ = try connection.readRequest()
      connection.reset()
    }) { transport, server in
      try await #expect(transport.send(.post(server.url())).status == 200)
      let error = await failure(of: transport, .post(server.url(), body: [1]))
      #expect(error?.kind == .connectionLost)
      #expect(error?.requestMayHaveLeft == true)
      #expect(server.requests.count == 2)
    }
  }

  @Test func getIsSentAgainOnANewConnection() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.respond(body: [1])
      if connection.number == 1 { _ = try connection.readRequest() } else { try connection.respondToAll(body: [2]) }
    }) { transport, server in
      try await #expect(transport.send(.get(server.url())).body.bytes == [1])
      try await #expect(transport.send(.get(server.url())).body.bytes == [1])
      #expect(server.connectionCount == 2)
      #expect(server.requests.count == 3)
    }
  }

  @Test(arguments: [
    "", "/relative", "ftp://host/", "http://", "http:///path", "https://user@host/", "http://user:pw@host/",
    "http://host:0/", "http://host:65536/", "http://host:port/", "http://ho st/", "http://host/a b", "http://höst/",
    "http://host/\r\nX: y", "http://host/\0", "http://[::1/", "http://[]/", "http://a%2fb/", "file:///etc/passwd",
  ])
  func invalidURLsAreRefused(url: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(parsing: url) }
    #expect(error?.reason.contains("pw") == false)
  }

  @Test(arguments: [
    ("X-A", "a\r\nX-Evil: 1"), ("X-A", "a\nb"), ("X-A", "a\u{0}b"), ("X-A", "a\u{7f}"), ("", "a"), ("X A", "a"),
    ("X-A\r\nX-B", "a"), ("X-A:", "a"), ("Xé", "a"), ("Transfer-Encoding", "chunked"), ("Content-Length", "5"),
    ("Expect", "100-continue"),
  ])
  func unsafeHeadersAreRefused(name: String, value: String) async throws {
    var request = HTTPRequest.post("http://127.0.0.1:1/", body: [1])
    request.headers.append(name: name, value: value)
    let error = await failure(of: CurlTransport(), request)
    #expect(error?.kind == .invalidHeader)
    #expect(error?.requestMayHaveLeft == false)
    #expect(error?.message.contains("Evil") == false)
  }

  @Test(arguments: ["", "GE T", "GET\r\nX: y", "GET / HTTP/1.1\r\n"])
  func unsafeMethodsAreRefused(method: String) async throws {
    let request = HTTPRequest(method: HTTPMethod(rawValue: method), url: "http://127.0.0.1:1/")
    #expect(await failure(of: CurlTransport(), request)?.requestMayHaveLeft == false)
  }

  @Test func userAgentIsCheckedLikeAnyHeader() async throws {
    let transport = CurlTransport(options: .init(userAgent: "a\r\nX-Evil: 1"))
    #expect(await failure(of: transport, .get("http://127.0.0.1:1/"))?.kind == .invalidHeader)
  }
}

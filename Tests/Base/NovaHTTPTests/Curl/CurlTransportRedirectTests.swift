import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CurlTransportRedirectTests {
  private static let secrets: HTTPHeaders = [
    "Authorization": "Bearer secret", "Cookie": "a=b", "Idempotency-Key": "k", "X-Api-Key": "secret", "Accept": "a/b",
  ]

  /// Responds to `/` with a redirect to `location`, and to everything else with the requested path.
  private static func redirecting(_ status: String = "302 Found", to location: String) -> RawServer.Script {
    { connection in
      while let request = try connection.readRequest() {
        let path = request.requestLine.split(separator: " ")[1]
        if path == "/" {
          try connection.respond(status, headers: ["Location: \(location)"], body: Array("moved".utf8))
        } else {
          try connection.respond(body: Array(path.utf8))
        }
      }
    }
  }

  @Test(arguments: ["301 A", "302 B", "303 C", "307 D", "308 E"])
  func followsWithinTheOriginWithAllHeaders(status: String) async throws {
    try await withTransport(to: Self.redirecting(status, to: "/next?a=1#top")) { transport, server in
      let response = try await transport.send(.get(server.url(), headers: Self.secrets))
      #expect(response.status == 200)
      #expect(String(decoding: response.body.inMemory, as: UTF8.self) == "/next?a=1")
      #expect(response.headers["Location"] == nil)
      #expect(server.requests.last?.header("Authorization") == "Bearer secret")
      #expect(server.connectionCount == 1)
    }
  }

  @Test func headStaysHead() async throws {
    try await withTransport(to: { connection in
      while let request = try connection.readRequest() {
        let isFirst = request.requestLine.contains(" / ")
        let location = isFirst ? "Location: /next\r\n" : ""
        try connection.write("HTTP/1.1 \(isFirst ? 302 : 200) X\r\n\(location)Content-Length: 5\r\n\r\n")
      }
    }) { transport, server in
      try await #expect(transport.send(HTTPRequest(method: .head, url: server.url())).status == 200)
      #expect(server.requests.map(\.requestLine) == ["HEAD / HTTP/1.1", "HEAD /next HTTP/1.1"])
    }
  }

  /// Another port, and another name of the same server: both are other origins.
  @Test(arguments: [false, true])
  func carriesNoSecretToAnotherOrigin(sameServerByName: Bool) async throws {
    try await withRawServer({ try $0.respondToAll() }) { other in
      try await withRawServer({ connection in
        while let request = try connection.readRequest() {
          let port = request.header("Host")?.split(separator: ":").last ?? ""
          let target = sameServerByName ? "http://localhost:\(port)/x" : other.url("/x")
          let isFirst = request.requestLine.contains(" / ")
          try connection.respond(isFirst ? "307 Moved" : "200 OK", headers: isFirst ? ["Location: \(target)"] : [])
        }
      }) { server in
        let transport = CurlTransport()
        try await #expect(transport.send(.get(server.url(), headers: Self.secrets)).status == 200)
        let seen = try #require(sameServerByName ? server.requests.last : other.requests.last)
        #expect(seen.requestLine == "GET /x HTTP/1.1")
        for name in ["Authorization", "Cookie", "Idempotency-Key", "X-Api-Key"] { #expect(seen.header(name) == nil) }
        #expect(seen.header("Accept") == "a/b")
        #expect(seen.header("User-Agent") == "NovaSDK/\(NovaSDKVersion.current)")
        await transport.shutdown()
      }
    }
  }

  /// If a server's response decides where bytes come from, it must not lead into a private network.
  @Test(arguments: [
    ("https://169.254.169.254/x", "169.254.169.254:443, a link-local"),
    ("https://[fe80::1]/", "[fe80::1]:443, a link-local"),
    ("http://metadata.google.internal/", "metadata.google.internal:80, a link-local"),
    ("http://files.example/x", "files.example:80, which is neither https nor this machine"),
    ("http://10.0.0.1/x", "10.0.0.1:80, which is neither https nor this machine"),
  ]) func refusesInternalTargetsForStorage(location: String, problem: String) async throws {
    try await withTransport(to: Self.redirecting(to: location)) { transport, server in
      var request = HTTPRequest.get(server.url())
      request.redirectsToStorage = true
      let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
      #expect(
        error?.kind == .redirectRefused && error?.message.contains(problem) == true, "\(String(describing: error))")
    }
  }

  @Test func rangesAndConditionsGoToAnotherOrigin() async throws {
    let headers: HTTPHeaders = [
      "Range": "bytes=1-", "If-Range": "\"a\"", "If-None-Match": "\"b\"",
      "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    try await withRawServer({ try $0.respondToAll() }) { other in
      try await withTransport(to: Self.redirecting(to: other.url("/x"))) { transport, server in
        try await #expect(transport.send(.get(server.url(), headers: headers)).status == 200)
        for field in headers { #expect(other.requests.last?.header(field.name) == field.value) }
      }
    }
  }

  @Test func whatWasDroppedStaysDroppedOnTheWayBack() async throws {
    try await withRawServer({ connection in
      while let request = try connection.readRequest() {
        let port = request.requestLine.split(separator: " ")[1].dropFirst()
        try connection.respond("302 Found", headers: ["Location: http://127.0.0.1:\(port)/end"])
      }
    }) { other in
      try await withTransport(to: { connection in
        while let request = try connection.readRequest() {
          if request.requestLine.contains("/end") { try connection.respond(); continue }
          let port = request.header("Host")?.split(separator: ":").last ?? ""
          try connection.respond("302 Found", headers: ["Location: \(other.url("/\(port)"))"])
        }
      }) { transport, server in
        try await #expect(transport.send(.get(server.url(), headers: Self.secrets)).status == 200)
        #expect(server.requests.first?.header("Authorization") == "Bearer secret")
        #expect(other.requests.last?.header("Authorization") == nil)
        #expect(server.requests.last?.header("Authorization") == nil)
      }
    }
  }

  @Test func givesUpOnALoop() async throws {
    try await withTransport(to: Self.redirecting(to: "/")) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .redirectRefused)
      #expect(error?.requestMayHaveLeft == true)
      #expect(server.requests.count == 6)
    }
  }

  @Test func followsAsManyAsAllowedAndNoneWhenToldSo() async throws {
    try await withTransport(.init(maximumRedirects: 1), to: Self.redirecting(to: "/next")) { transport, server in
      try await #expect(transport.send(.get(server.url())).status == 200)
    }
    try await withTransport(.init(maximumRedirects: 0), to: Self.redirecting(to: "/next")) { transport, server in
      let response = try await transport.send(.get(server.url()))
      #expect(response.status == 302)
      #expect(response.headers["Location"] == "/next")
      #expect(response.body.bytes == Array("moved".utf8))
    }
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func otherMethodsGetTheRedirectAsTheirResponse(method: String) async throws {
    try await withTransport(to: Self.redirecting("307 Temporary Redirect", to: "/next")) { transport, server in
      let request = HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url(), body: [1])
      try await #expect(transport.send(request).status == 307)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "http://user:secret@127.0.0.1/", "http://127.0.0.1:0/"])
  func refusesTargetsThatAreNotPlainHTTP(location: String) async throws {
    try await withTransport(to: Self.redirecting(to: location)) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .redirectRefused, "\(String(describing: error))")
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test(arguments: ["300 Multiple Choices", "304 Not Modified", "305 Use Proxy"])
  func otherStatusesAreReturned(status: String) async throws {
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 \(status)\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
      }
    }) { transport, server in
      try await #expect(transport.send(.get(server.url())).status == Int(status.prefix(3)))
      #expect(server.requests.count == 1)
    }
  }

  /// Once a request has left its origin, its secrets are never sent again, because the other origin chose the URL.
  @Test func carriesNoSecretBack() async throws {
    try await withRawServer({ connection in
      while let request = try connection.readRequest() {
        let back = request.requestLine.split(separator: "?").last?.split(separator: " ").first ?? ""
        try connection.respond("302 Found", headers: ["Location: http://127.0.0.1:\(back)/back"])
      }
    }) { other in
      try await withTransport(to: { connection in
        while let request = try connection.readRequest() {
          let port = request.header("Host")?.split(separator: ":").last ?? ""
          let isFirst = request.requestLine.contains(" / ")
          let headers = ["Location: \(other.url("/x?\(port)"))", "Cache-Control: max-age=1", "X-Other: 1"]
          try connection.respond(isFirst ? "302 Found" : "200 OK", headers: isFirst ? headers : [])
        }
      }) { transport, server in
        let response = try await transport.send(.get(server.url(), headers: Self.secrets))
        #expect(response.status == 200)
        #expect(server.requests.count == 2)
        for name in ["Authorization", "Cookie", "Idempotency-Key", "X-Api-Key"] {
          #expect(server.requests.last?.header(name) == nil)
        }
        #expect(response.redirects.map(\.status) == [302, 302])
        #expect(response.redirects.map(\.target?.path) == ["/x", "/back"])
        #expect(response.redirects.first?.headers == ["Cache-Control": "max-age=1"])
      }
    }
  }
}

import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CurlTransportTests {
  @Test func carriesRequestAndResponseUnchanged() async throws {
    try await withTransport(to: { connection in
      try connection.respondToAll("201 Created", headers: ["X-One: 1", "X-Two:  two  ", "x-one: 3"], body: [1, 2, 3])
    }) { transport, server in
      var request = HTTPRequest.post(server.url("/a/../b?q=%20"), body: Array("{}".utf8))
      request.headers.append(name: "X-Empty", value: "")
      let response = try await transport.send(request)
      #expect(response.status == 201)
      #expect(response.headers.values(for: "X-One") == ["1", "3"])
      #expect(response.headers["X-Two"] == "two")
      #expect(response.body.bytes == [1, 2, 3])
      let seen = try #require(server.requests.first)
      #expect(seen.requestLine == "POST /a/../b?q=%20 HTTP/1.1")
      #expect(seen.header("Content-Type") == "application/json")
      #expect(seen.header("Content-Length") == "2")
      #expect(seen.header("User-Agent") == "NovaSDK/\(NovaSDKVersion.current)")
      #expect(seen.header("X-Empty") == "")
      #expect(seen.header("Expect") == nil)
      #expect(seen.body == Array("{}".utf8))
    }
  }

  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], [[], Array("body".utf8)])
  func sendsAnyMethodWithAndWithoutBody(method: String, body: [UInt8]) async throws {
    try await withTransport(to: { try $0.respondToAll(body: [7]) }) { transport, server in
      let request = HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url(), body: body)
      try await #expect(transport.send(request).body.bytes == [7])
      let seen = try #require(server.requests.first)
      #expect(seen.requestLine == "\(method) / HTTP/1.1")
      #expect(seen.body == body)
      #expect(seen.header("Content-Type") == nil)
      let promisesBody = ["POST", "PUT", "PATCH"].contains(method)
      #expect(seen.header("Content-Length") == (body.isEmpty && !promisesBody ? nil : "\(body.count)"))
    }
  }

  @Test func oneHandleServesEveryMethodInTurn() async throws {
    try await withTransport(to: { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.hasPrefix("HEAD") {
          try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        } else {
          try connection.respond(body: request.body)
        }
      }
    }) { transport, server in
      for method in ["POST", "HEAD", "GET", "PUT", "HEAD", "POST", "DELETE", "GET"] {
        let body: [UInt8] = ["POST", "PUT"].contains(method) ? pattern(method == "PUT" ? 200_000 : 10) : []
        let request = HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url(), body: body)
        try await #expect(transport.send(request).body.bytes == body)
      }
      #expect(server.connectionCount == 1)
      #expect(
        server.requests.map { $0.requestLine.split(separator: " ")[0] }.joined(separator: " ")
          == "POST HEAD GET PUT HEAD POST DELETE GET")
    }
  }

  @Test func keepsConnectionsAlive() async throws {
    try await withTransport(to: { try $0.respondToAll() }) { transport, server in
      for _ in 0..<50 { try await #expect(transport.send(.post(server.url())).status == 200) }
      #expect(server.connectionCount == 1)
      #expect(server.requests.count == 50)
    }
  }

  @Test func runsManyCallsAtOnceOnLimitedConnections() async throws {
    try await withTransport(
      .init(connections: ConnectionLimits(maximumTransfers: 8)),
      to: { connection in
        while let request = try connection.readRequest() { try connection.respond(body: request.body) }
      }
    ) { transport, server in
      let url = server.url()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          group.addTask {
            let body = Array("call \(index)".utf8)
            try await #expect(transport.send(.post(url, body: body)).body.bytes == body)
          }
        }
        try await group.waitForAll()
      }
      #expect(server.requests.count == 500)
      #expect(server.connectionCount <= 8)
    }
  }

  @Test func limitsConnectionsPerHost() async throws {
    try await withTransport(
      .init(connections: ConnectionLimits(maximumConnectionsPerHost: 2)), to: { try $0.respondToAll() }
    ) { transport, server in
      let url = server.url()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { _ = try await transport.send(.get(url)) } }
        try await group.waitForAll()
      }
      #expect(server.connectionCount <= 2)
    }
  }

  @Test(arguments: [65_536, 65_537, 20_000_000])
  func carriesLargeBodiesBothWays(size: Int) async throws {
    try await withTransport(to: { connection in
      while let request = try connection.readRequest() { try connection.respond(body: request.body) }
    }) { transport, server in
      let body = pattern(size)
      let response = try await transport.send(.post(server.url(), body: body))
      #expect(response.body.bytes == body)
    }
  }

  @Test func joinsChunksAndIgnoresTrailers() async throws {
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n")
        for chunk in ["3\r\nabc\r\n", "a\r\n0123456789\r\n", "0\r\nX-Late: yes\r\n\r\n"] { try connection.write(chunk) }
      }
    }) { transport, server in
      for _ in 0..<2 {
        let response = try await transport.send(.get(server.url()))
        #expect(String(decoding: response.body.inMemory, as: UTF8.self) == "abc0123456789")
        #expect(response.headers["X-Late"] == nil)
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test func keepsInformationalResponsesOutOfTheHead() async throws {
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n")
        try connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        try connection.respond(headers: ["X-Final: 1"])
      }
    }) { transport, server in
      let response = try await transport.send(.post(server.url(), body: [1]))
      #expect(response.status == 200)
      #expect(response.headers.map(\.name) == ["X-Final", "Content-Length"])
    }
  }

  @Test(arguments: [("GET", "204 No Content"), ("GET", "304 Not Modified"), ("HEAD", "200 OK")])
  func expectsNoBodyWhereThereIsNone(method: String, status: String) async throws {
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        // A length without a body, which HEAD and 304 responses may have.
        let length = status.hasPrefix("204") ? "" : "Content-Length: 100\r\n"
        try connection.write("HTTP/1.1 \(status)\r\n\(length)\r\n")
      }
    }) { transport, server in
      for _ in 0..<2 {
        let response = try await transport.send(
          HTTPRequest(method: HTTPMethod(rawValue: method), url: server.url()))
        #expect(response.status == Int(status.prefix(3)))
        #expect(response.body.bytes == [])
      }
      #expect(server.connectionCount == 1)
    }
  }

  @Test func returnsBodyThatEndsWithTheConnection() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.0 200 OK\r\n\r\nuntil the end")
    }) { transport, server in
      try await #expect(transport.send(.get(server.url())).body.bytes == Array("until the end".utf8))
    }
  }

  @Test func returnsAnAnswerThatComesBeforeTheBodyIsSent() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readHead()
      try connection.respond("413 Content Too Large", headers: ["Connection: close"])
      connection.hang()
    }) { transport, server in
      try await #expect(transport.send(.post(server.url(), body: pattern(8_000_000))).status == 413)
    }
  }

  @Test func replacesConnectionsTheServerClosed() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.respond()
    }) { transport, server in
      for _ in 0..<20 { try await #expect(transport.send(.get(server.url())).status == 200) }
      #expect(server.connectionCount == 20)
    }
  }
}

import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct FaultServerTests {
  private func statuses(_ server: FaultServer, _ count: Int) throws -> [Int?] {
    try (0..<count).map { _ in try WireClient.answer(server).status }
  }

  @Test func goesThroughItsSteps() throws {
    let steps: [FaultServer.Step] = [.answer(status: 418, body: "tea"), .healthy, .fault(.badGateway)]
    let server = try FaultServer(steps)
    defer { server.stop() }
    #expect(try statuses(server, 5) == [418, 200, 502, 200, 200])
    #expect(server.executions(of: "/a") == 4 && server.stepsTaken == 3)
    let stubborn = try FaultServer(steps, then: .lastRepeats)
    defer { stubborn.stop() }
    #expect(try statuses(stubborn, 5) == [418, 200, 502, 502, 502])
    let failing = try FaultServer(.serverErrors)
    defer { failing.stop() }
    #expect(try statuses(failing, 6) == [500, 502, 503, 504, 503, 200])
    let well = try FaultServer(then: .lastRepeats)
    defer { well.stop() }
    #expect(try statuses(well, 2) == [200, 200])
  }

  @Test func eachStepIsTakenOnce() async throws {
    let server = try FaultServer((0..<50).map { .answer(status: 300 + $0) })
    defer { server.stop() }
    let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<60 { group.addTask { try WireClient.answer(server).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.compactMap(\.self).sorted() == Array(repeating: 200, count: 10) + Array(300..<350))
  }

  @Test func oneConnectionCarriesManyRequests() throws {
    let server = try FaultServer([.fault(.badGateway)]) { HTTPResponse(status: 200, body: $0.body) }
    defer { server.stop() }
    let client = try WireClient(server)
    var seen: [Int?] = []
    for number in 1...3 {
      try client.send("/p?n=\(number)", body: "\(number)")
      seen.append(try client.read(atLeast: 10).status)
    }
    #expect(seen == [502, 200, 200] && server.connectionCount == 1)
    #expect(server.requests.map(\.url.target) == ["/p?n=1", "/p?n=2", "/p?n=3"])
    #expect(server.requests.map(\.body.inMemory) == [[0x31], [0x32], [0x33]] && server.requests[0].method == .post)
    #expect(server.executions(of: "/p") == 3)
  }

  @Test func countsWhatWasDoneNotWhatWasAnswered() throws {
    let server = try FaultServer([
      .fault(.resetBeforeHeaders), .fault(.resetBeforeHeaders, executes: false), .fault(.serviceUnavailable),
      .fault(.serviceUnavailable, executes: true), .answer(status: 500), .answer(status: 500, executes: true),
      .answer(executes: false),
    ])
    defer { server.stop() }
    let counts = try (0..<7).map { _ in
      _ = try WireClient.answer(server, key: "k")
      return server.executions(of: "/a")
    }
    #expect(counts == [1, 1, 1, 2, 2, 3, 3])
    #expect(server.duplicateExecutions == server.executions && server.executions.first?.idempotencyKey == "k")
    _ = try WireClient.answer(server, key: "other")
    _ = try WireClient.answer(server)
    _ = try WireClient.answer(server)
    #expect(server.executions.map(\.count) == [3, 1, 2] && server.duplicateExecutions.count == 1)
    #expect(server.executions(of: "/a") == 6 && server.executions(of: "/b") == 0)
  }

  @Test func mayRecognizeRepetitions() throws {
    let calls = Locked(0)
    let server = try FaultServer([.fault(.resetBeforeHeaders)], recognizesIdempotencyKeys: true) { _ in
      let number = calls.withLock { count in
        count += 1
        return count
      }
      return number == 3 ? .answer(503, "") : .answer(201, "call \(number)")
    }
    defer { server.stop() }
    #expect(try WireClient.answer(server, key: "k").wasReset)
    let again = try WireClient.answer(server, key: "k")
    #expect(again.status == 201 && again.body == "call 1" && again.header("Idempotency-Replayed") == "true")
    #expect(try WireClient.answer(server, "/b", key: "k").body == "call 2")
    // A failure is not remembered.
    #expect(try WireClient.answer(server, "/c", key: "k").status == 503)
    #expect(try WireClient.answer(server, "/c", key: "k").body == "call 4")
    #expect(server.executions.map(\.count) == [1, 1, 1])
  }

  /// The backend's own count and the server's agree, whether or not the backend gets to see the key.
  @Test(arguments: [true, false]) func servesAMockBackend(seesKeys: Bool) throws {
    let backend = MockBackend()
    let server = try FaultServer([.fault(.resetBeforeHeaders), .fault(.badGateway), .fault(.serviceUnavailable)]) {
      var request = $0
      if !seesKeys { request.headers["Idempotency-Key"] = nil }
      return backend.respond(to: request)
    }
    defer { server.stop() }
    let path = "/api/v1/social/share"
    let share = #"{"user_id":"u","post_id":"post-1","share_type":"dm"}"#
    let before = try shares(backend)
    for _ in 0..<4 { _ = try WireClient.answer(server, path, key: "k", body: share) }
    let count = seesKeys ? 1 : 3
    #expect(server.executions(of: path) == count && server.duplicateExecutions.isEmpty == seesKeys)
    #expect(try shares(backend) == before + count)
    let refused = try WireClient.answer(server, path, body: #"{"user_id":"u","post_id":"nothing","share_type":"dm"}"#)
    #expect(refused.status == 404 && server.executions(of: path) == count)
  }

  private func shares(_ backend: MockBackend) throws -> Int {
    let request = HTTPRequest(
      method: .post, url: "/api/v1/social/shares/count", body: Array(#"{"post_id":"post-1"}"#.utf8))
    return try #require(try JSONValue(jsonUTF8: backend.respond(to: request).body.inMemory)["count"]?.integerValue)
  }

  /// Requests that no client should send neither end the server nor count.
  @Test(arguments: ["Content-Length: -5", "Content-Length: x", "no colon", "Content-Length: 99", ""])
  func survivesWhatClientsSend(line: String) throws {
    let server = try FaultServer()
    defer { server.stop() }
    do {
      let socket = try RawSocket.connected(to: server.port)
      try socket.write(Array("POST /a HTTP/1.1\r\n\(line)\r\n\r\n".utf8))
    }
    #expect(try WireClient.answer(server).status == 200)
    #expect((1...2).contains(server.requestCount))
  }

  @Test func stopsWhenLetGoOf() throws {
    var server: FaultServer? = try FaultServer([.fault(.hangOnConnect)])
    let port = try #require(server?.port)
    let client = try RawSocket.connected(to: port)
    server = nil
    #expect(client.isReadable(within: .seconds(60)) && client.read().isEmpty)
  }

  @Test func theURLIsHTTPSWhereTheFaultNeedsIt() throws {
    let plain = try FaultServer([.fault(.plainTextOnTLSPort)])
    defer { plain.stop() }
    #expect(plain.url == "https://127.0.0.1:\(plain.port)")
    let server = try FaultServer([.fault(.badGateway)])
    defer { server.stop() }
    #expect(server.url == "http://127.0.0.1:\(server.port)")
  }
}

extension HTTPResponse {
  static func answer(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(body.utf8))
  }

  static func json(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}

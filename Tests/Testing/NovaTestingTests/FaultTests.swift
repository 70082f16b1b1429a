import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct FaultTests {
  /// What a client sees of one request: the answer, and whether what was asked for is done.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let isAsNamed: @Sendable (WireAnswer) -> Bool
    var testDescription: String { fault.name }

    init(_ fault: Fault, _ isAsNamed: @escaping @Sendable (WireAnswer) -> Bool) {
      self.fault = fault
      self.isAsNamed = isAsNamed
    }

    init(_ fault: Fault, status: Int, retryAfter: String? = nil) {
      self.init(fault) { answer in
        !answer.wasReset && answer.status == status && answer.header("Retry-After") == retryAfter
          && answer.header("Content-Length") == "\(answer.body.utf8.count)" && !answer.body.isEmpty
      }
    }
  }

  static let handled = #"{"success":true}"#
  static let cases: [Case] = [
    Case(.resetOnConnect) { $0.wasReset && $0.bytes.isEmpty },
    Case(.closeBeforeHeaders) { !$0.wasReset && $0.bytes.isEmpty },
    Case(.resetBeforeHeaders) { $0.wasReset && $0.bytes.isEmpty },
    Case(.resetMidBody) { $0.wasReset && $0.header("Content-Length") == "16" && $0.body == #"{"succes"# },
    Case(.slowBytes(every: .zero)) { !$0.wasReset && $0.body == String(repeating: " ", count: 1000) + handled },
    Case(.truncatedBody) { !$0.wasReset && $0.header("Content-Length") == "16" && $0.body == #"{"succes"# },
    Case(.truncatedChunks) {
      !$0.wasReset && $0.header("Transfer-Encoding") == "chunked" && $0.body == "10\r\n\(handled)\r\n"
    },
    Case(.shortContentLength) { !$0.wasReset && $0.header("Content-Length") == "8" && $0.body == handled },
    Case(.garbageStatusLine) { $0.text == "SSH-2.0-Gateway_1.0\r\n\r\n" },
    Case(.hugeHeaders) { $0.status == 200 && $0.head.utf8.count > 1 << 20 && $0.body == handled },
    Case(.longHeaderLine) { $0.status == 200 && $0.head.utf8.count > 1 << 20 && $0.body == handled },
    Case(.manyHeaders) { answer in
      answer.head.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) } > 100_000 && answer.body == handled
    },
    Case(.foldedHeader) { $0.head.utf8.count > 1 << 20 && $0.head.contains("x\r\n x") && $0.body == handled },
    Case(.html) {
      $0.status == 200 && $0.header("Content-Type") == "text/html; charset=utf-8"
        && $0.body.hasPrefix("<!DOCTYPE html>")
    },
    Case(.brokenGzip) { $0.header("Content-Encoding") == "gzip" && $0.body == handled },
    Case(.mislabeledEncoding) { $0.header("Content-Encoding") == "UTF-8" && $0.body == handled },
    Case(.gzipBomb()) { $0.header("Content-Encoding") == "gzip" && (1_000_000..<1_100_000).contains($0.bytes.count) },
    Case(.plainTextOnTLSPort) { $0.text.hasPrefix("HTTP/1.1 400 ") },
    Case(.unauthorized, status: 401), Case(.rateLimited, status: 429),
    Case(.rateLimitedSeconds, status: 429, retryAfter: "2"), Case(.rateLimitedZero, status: 429, retryAfter: "0"),
    Case(.rateLimitedDate, status: 429, retryAfter: "Mon, 01 Dec 2025 10:00:03 GMT"),
    Case(.rateLimitedPastDate, status: 429, retryAfter: "Mon, 01 Dec 2025 09:00:00 GMT"),
    Case(.rateLimitedGarbage, status: 429, retryAfter: "soon"),
    Case(.rateLimitedNegative, status: 429, retryAfter: "-5"),
    Case(.rateLimitedHuge, status: 429, retryAfter: "99999999999999999999"),
    Case(.internalServerError, status: 500), Case(.badGateway, status: 502), Case(.serviceUnavailable, status: 503),
    Case(.gatewayTimeout, status: 504), Case(.serviceUnavailableRetryAfter, status: 503, retryAfter: "2"),
    Case(.grpcUnavailable) { $0.status == 503 && $0.body.contains(#""code":14"#) },
    Case(.grpcResourceExhausted) { $0.status == 429 && $0.body.contains(#""code":8"#) },
    Case(.grpcAborted) { $0.status == 409 && $0.body.contains(#""code":10"#) },
    Case(.errorInSuccess) { $0.status == 200 && $0.body.contains(#""code":"UNAVAILABLE""#) },
    Case(.codeInSuccess) { $0.status == 200 && $0.body.contains(#""code":14"#) },
    Case(.redirectLoop) { $0.status == 307 && $0.header("Location")?.hasSuffix("/redirect-loop") == true },
    Case(.redirect302) { $0.status == 302 && $0.header("Location")?.hasSuffix("/a?b=c&redirected=1") == true },
    Case(.redirect303) { $0.status == 303 }, Case(.redirect307) { $0.status == 307 },
    Case(.redirect308) { $0.status == 308 }, Case(.redirectToOtherOrigin302) { $0.status == 302 },
    Case(.redirectToOtherOrigin307) { $0.status == 307 }, Case(.redirectToOtherOrigin308) { $0.status == 308 },
  ]

  @Test(arguments: cases) func behavesAsNamedOnTheWire(_ expected: Case) throws {
    let fault = expected.fault
    let server = try FaultServer([.fault(fault)], clock: ManualClock(unixTime: 1_764_583_200.9)) { _ in
      .json(200, Self.handled)
    }
    defer { server.stop() }
    let answer = try WireClient.answer(server, "/a?b=c")
    #expect(expected.isAsNamed(answer), "\(answer.text.prefix(500)) reset: \(answer.wasReset)")
    #expect(server.executions(of: "/a") == (fault.executes ? 1 : 0))
    let isRead = ![Fault.resetOnConnect.name, Fault.plainTextOnTLSPort.name].contains(fault.name)
    #expect(server.requestCount == (isRead ? 1 : 0) && server.connectionCount == 1 && server.stepsTaken == 1)
    // And then all is well.
    let next = try WireClient.answer(server)
    #expect(next.status == 200 && next.body == Self.handled && !next.wasReset)
  }

  @Test func everyFaultHasATestANameAndASentence() {
    let all = Fault.all
    #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.summary)).count == all.count)
    for fault in all {
      #expect(fault.name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }, "\(fault)")
      #expect(fault.summary.hasSuffix(".") && fault.summary.count > 10 && !fault.summary.contains("|"), "\(fault)")
    }
    let others = ["refuse", "stale-connection"]  // these have tests of their own, as have the endless ones
    let missing = Set(all.filter { !$0.isEndless }.map(\.name)).subtracting(Self.cases.map(\.fault.name) + others)
    #expect(missing.isEmpty)
  }

  @Test(arguments: Fault.all.filter(\.isEndless)) func endsWhenTheClientGoesAway(fault: Fault) async throws {
    let server = try FaultServer([.fault(fault)])
    defer { server.stop() }
    do {
      let client = try WireClient(server)
      try client.send()
      switch fault.name {
      case "hang-on-connect", "hang-before-headers": break
      case "hang-mid-body":
        let answer = try client.read(atLeast: 50)
        #expect(answer.header("Content-Length") == "2")
      case "endless-body":
        let answer = try client.read(atLeast: 1 << 20)
        #expect(answer.header("Transfer-Encoding") == "chunked" && answer.body.hasPrefix("4000\r\n   "))
      default:
        #expect(try client.read(atLeast: 100).header("Content-Length") == "1002")
      }
      if fault.name == "hang-on-connect" {
        await server.waitForConnections(1)
      } else {
        await server.waitForRequests(1)
      }
    }
    await server.waitUntilIdle()
    #expect(server.executions(of: "/a") == (fault.executes ? 1 : 0))
    #expect(try WireClient.answer(server).status == 200)
  }

  /// In every state of a connection: nothing sent, half a request sent, the whole sent, the answer not read.
  @Test(arguments: Fault.all, [0, 30, 200]) func stopEndsEverything(fault: Fault, sent: Int) throws {
    let server = try FaultServer([.fault(fault)], then: .lastRepeats)
    var clients: [RawSocket] = []
    if fault.name != Fault.refuse.name {
      let request = Array("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}".utf8)
      for _ in 0..<3 {
        let client = try RawSocket.connected(to: server.port)
        try? client.write(Array(request.prefix(sent)))
        clients.append(client)
      }
    }
    server.stop()
    server.stop()
    #expect(!RawSocket.accepts(port: server.port))
    #expect(throws: RawServerError.self, "nobody else may get the port") { try RawSocket.bound(to: server.port) }
    withExtendedLifetime(clients) {}
  }

  @Test func refusesConnectionsUntilListening() throws {
    let server = try FaultServer([.fault(.refuse), .fault(.badGateway)])
    defer { server.stop() }
    #expect(!RawSocket.accepts(port: server.port))
    try server.beginListening()
    try server.beginListening()
    #expect(try WireClient.answer(server).status == 502)
    #expect(try WireClient.answer(server).status == 200)
    #expect(server.stepsTaken == 2 && server.connectionCount == 2)
    #expect(throws: (any Error).self) { try FaultServer([.healthy, .fault(.refuse)]) }
    let closed = try ClosedPort()
    #expect(!RawSocket.accepts(port: closed.port) && closed.url == "http://127.0.0.1:\(closed.port)")
  }

  @Test func theSecondRequestLosesAKeptConnection() throws {
    let server = try FaultServer([.fault(.staleConnection)])
    defer { server.stop() }
    #expect(Fault.staleConnection.needsWarmUp)
    let client = try WireClient(server)
    try client.send("/first")
    #expect(try client.read(atLeast: 10).status == 200)
    try client.send("/second")
    let answer = client.readToEnd()
    #expect(answer.bytes.isEmpty && !answer.wasReset)
    #expect(server.executions.map(\.path) == ["/first"] && server.requestCount == 2 && server.stepsTaken == 1)
    #expect(try WireClient.answer(server, "/second").status == 200)
  }
}

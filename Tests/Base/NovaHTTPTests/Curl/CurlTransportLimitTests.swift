import Foundation
import NovaHTTP
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CurlTransportLimitTests {
  @Test func silenceEndsAtTheTotalTimeout() async throws {
    try await withTransport(to: { $0.hang() }) { transport, server in
      let limits = TransferLimits(totalTimeout: .milliseconds(60))
      let error = await failure(of: transport, .post(server.url(), limits: limits))
      #expect(error?.kind == .totalTimeout)
      #expect(error?.message == "127.0.0.1:\(server.port) did not finish the response within 60 ms")
    }
  }

  @Test func silenceEndsAtTheIdleTimeout() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
      connection.hang()
    }) { transport, server in
      let limits = TransferLimits(idleTimeout: .milliseconds(60))
      let error = await failure(of: transport, .get(server.url(), limits: limits))
      #expect(error?.kind == .idleTimeout)
      #expect(error?.message == "no byte to or from 127.0.0.1:\(server.port) for 60 ms")
    }
  }

  @Test func aSlowDripIsNotSilence() async throws {
    let body = pattern(25)
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      try connection.drip(body, every: .milliseconds(100))
    }) { transport, server in
      // 25 pauses of 100 ms: together longer than the idle timeout, but none comes close to it.
      let limits = TransferLimits(idleTimeout: .seconds(2))
      try await #expect(transport.send(.get(server.url(), limits: limits)).body.bytes == body)
    }
  }

  @Test func aSlowDripEndsAtTheTotalTimeout() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      try connection.drip(pattern(100_000), every: .milliseconds(1))
    }) { transport, server in
      let limits = TransferLimits(totalTimeout: .milliseconds(100))
      #expect(await failure(of: transport, .get(server.url(), limits: limits))?.kind == .totalTimeout)
    }
  }

  @Test func aServerThatDoesNotReadIsSilentToo() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readHead()
      connection.hangWithoutReading()
    }) { transport, server in
      let limits = TransferLimits(idleTimeout: .milliseconds(100))
      let error = await failure(of: transport, .post(server.url(), body: pattern(20_000_000), limits: limits))
      #expect(error?.kind == .idleTimeout)
    }
  }

  @Test func waitingForATurnCountsAgainstTheTotalTimeout() async throws {
    try await withTransport(
      .init(connections: ConnectionLimits(maximumTransfers: 1)),
      to: {
        _ = try $0.readRequest(); $0.hang()
      }
    ) { transport, server in
      let url = server.url()
      let first = Task { try await transport.send(.get(url)) }
      await server.waitForRequests(1)
      let error = await failure(of: transport, .post(url, limits: TransferLimits(totalTimeout: .milliseconds(50))))
      #expect(error?.kind == .totalTimeout)
      #expect(error?.requestMayHaveLeft == false)
      #expect(
        error?.message
          == "the request waited for its turn for longer than 50 ms: the maximum number of transfers is 1; "
          + "raise limits.max_transfers")
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func noTimeAtAllSendsNothing(timeout: Duration) async throws {
    try await withTransport(to: { try $0.respondToAll() }) { transport, server in
      let error = await failure(of: transport, .post(server.url(), limits: TransferLimits(totalTimeout: timeout)))
      #expect(error?.kind == .totalTimeout)
      #expect(server.requests.isEmpty || error?.requestMayHaveLeft == true)
    }
  }

  @Test func endlessTimeoutsDoNotOverflow() async throws {
    try await withTransport(to: { try $0.respondToAll() }) { transport, server in
      let forever = Duration.seconds(Int64.max)
      let limits = TransferLimits(connectTimeout: forever, idleTimeout: forever, totalTimeout: forever)
      try await #expect(transport.send(.get(server.url(), limits: limits)).status == 200)
    }
  }

  #if os(Linux)
    /// Linux drops handshakes when the backlog is full, so the connection neither succeeds nor fails.
    @Test func aConnectionThatDoesNotComeEndsAtTheConnectTimeout() async throws {
      let listener = try RawSocket.listening(backlog: 0)
      let port = try listener.localPort()
      let clients = try (0..<8).map { _ in try RawSocket.connecting(to: port) }
      let limits = TransferLimits(connectTimeout: .milliseconds(100))
      let error = await failure(of: CurlTransport(), .post("http://127.0.0.1:\(port)/", limits: limits))
      #expect(error?.kind == .connectTimeout)
      #expect(error?.requestMayHaveLeft == false)
      #expect(error?.message == "no connection to 127.0.0.1:\(port) within 100 ms")
      withExtendedLifetime(clients) {}
    }
  #endif

  @Test func aHandshakeThatDoesNotComeEndsAtTheConnectTimeout() async throws {
    try await withTransport(to: { $0.hang() }) { transport, server in
      let limits = TransferLimits(connectTimeout: .milliseconds(100))
      let error = await failure(of: transport, .post("https://127.0.0.1:\(server.port)/", limits: limits))
      #expect(error?.kind == .connectTimeout)
      #expect(error?.requestMayHaveLeft == false)
    }
  }

  @Test(arguments: [true, false])
  func aResponseMayBeAsLargeAsTheLimitAndNoLarger(isChunked: Bool) async throws {
    let body = pattern(10_000)
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        guard isChunked else { try connection.respond(body: body); continue }
        try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2710\r\n")
        try connection.write(body)
        try connection.write("\r\n0\r\n\r\n")
      }
    }) { transport, server in
      let exact = TransferLimits(maximumResponseBytes: body.count)
      try await #expect(transport.send(.get(server.url(), limits: exact)).body.bytes == body)
      let less = TransferLimits(maximumResponseBytes: body.count - 1)
      let error = await failure(of: transport, .get(server.url(), limits: less))
      #expect(error?.kind == .responseTooLarge)
      #expect(error?.requestMayHaveLeft == true)
      #expect(error?.message == "the response from 127.0.0.1:\(server.port) is larger than 9999 bytes")
    }
  }

  /// The body of a redirect is not read, however long the expected response may be.
  @Test(arguments: [true, false]) func theBodyOfARedirectHasALimit(isStreamed: Bool) async throws {
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 302 Found\r\nLocation: /x\r\nConnection: close\r\n\r\n")
      for _ in 0..<1000 { try connection.write(piece) }
    }) { transport, server in
      var request = HTTPRequest.get(server.url(), limits: TransferLimits(maximumResponseBytes: .max))
      request.streamsResponse = isStreamed
      let error = await failure(of: transport, request)
      #expect(error?.kind == .responseTooLarge && error?.message.hasSuffix("is larger than 1048576 bytes") == true)
    }
  }

  @Test func theHeadHasALimitToo() async throws {
    try await withTransport(
      .init(maximumHeaderBytes: 4096),
      to: { connection in
        _ = try connection.readRequest()
        try connection.write("HTTP/1.1 200 OK\r\n")
        while true { try connection.write("X-Endless: and on it goes\r\n") }
      }
    ) { transport, server in
      #expect(await failure(of: transport, .get(server.url()))?.kind == .responseTooLarge)
    }
  }

  /// libcurl has its own limit for a line, and reports "Out of memory".
  @Test(arguments: [90_000, 110_000, 1 << 20], ["X-Long: ", "X-Folded: a\r\n ", "Set-Cookie: a="])
  func aHeaderLineMayBeLongOrIsTooLong(count: Int, start: String) async throws {
    try await withTransport(to: { connection in
      try connection.respondToAll(headers: [start + String(repeating: "x", count: count)], body: [1])
    }) { transport, server in
      for request in [HTTPRequest.get(server.url()), .post(server.url())] {
        guard count > 100_000 else {
          try await #expect(transport.send(request).body.bytes == [1])
          continue
        }
        let error = await failure(of: transport, request)
        #expect(error?.kind == .responseTooLarge && error?.requestMayHaveLeft == true, "\(String(describing: error))")
        #expect(error?.message.contains("emory") == false)
      }
    }
  }

  @Test func aLongTrailerIsTooLongToo() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n")
      try connection.write("X-Long: " + String(repeating: "x", count: 1 << 20) + "\r\n\r\n")
    }) { transport, server in
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .responseTooLarge, "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    ("gzip", "H4sIAAAAAAACAyvJSFUoTsxNVShJrSjRUUjOzy0oSi0uTk1RKBmVGZUZlRlhMgC0ueWEEAQAAA=="),
    ("br", "Hw8E+I1Utb8GGWt7EywtyCGtFCZTQAYeMwjvz7AB"),
    ("zstd", "KLUv/QRoFQEA0HRoZSBzYW1lIHRleHQsIGNvbXByZXNzZWQgAQDO72qOAdX6h7M="),
  ])
  func decompresses(encoding: String, base64: String) async throws {
    let bytes = try [UInt8](#require(Data(base64Encoded: base64)))
    try await withTransport(to: { connection in
      try connection.respondToAll(headers: ["Content-Encoding: \(encoding)"], body: bytes)
    }) { transport, server in
      let response = try await transport.send(.get(server.url()))
      let text = String(decoding: response.body.inMemory, as: UTF8.self)
      #expect(text == String(repeating: "the same text, compressed ", count: 40))
      #expect(server.requests.first?.header("Accept-Encoding")?.contains(encoding) == true)
    }
  }

  /// 256 MiB of zeros in a few hundred bytes: brotli, and gzip inside gzip.
  @Test(arguments: [
    (
      "br",
      """
      z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8A\
      CYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC69//8//8HQAIgDgtA\
      9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/z8=
      """
    ),
    (
      "gzip, gzip",
      """
      H4sIAAAAAAACA+3coW5TcRyG4ZZVNIiuCBQCxBRhaqamCRg0gmmyC+ASljVZUJjdxPTUFIa53cE2twsgCEJQZIVW7hLO+zzq6J/658vJ+/Lr\
      dLTxZOfH1Xj8/2N19nDxc/p0BAAAAAzc6u50ZzMGjF6tb95/OAQAAACG7mh3NtmOAn8/vXjnHAAAADB4X5aL+fYPgV8nnyfOAQAAAIP3/M/9\
      2+0WcL2+fPbRPQAAAGDwbgUDAAAAIEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABa\
      BAMAAACgRTAAAAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMA\
      AACgRTAAAAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMAAACg\
      RTAAAAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABaBAMAAACgRTAA\
      AAAAYgQDAAAAoEUwAAAAAFoEAwAAAKBFMAAAAABiBAMAAACgRTAAAAAAWgQDAAAAoEUwAAAAAGIEAwAAAKBFMAAAAABazpeLvc0WMP+9vjx4\
      MwIAeOT7/rfj2evNc+EfhMX0qkb7AwA=
      """
    ),
  ])
  func aCompressionBombEndsAtTheLimit(encoding: String, base64: String) async throws {
    let bytes = try [UInt8](#require(Data(base64Encoded: base64)))
    try await withTransport(to: { connection in
      try connection.respondToAll(headers: ["Content-Encoding: \(encoding)"], body: bytes)
    }) { transport, server in
      let limits = TransferLimits(maximumResponseBytes: 1_000_000)
      #expect(await failure(of: transport, .get(server.url(), limits: limits))?.kind == .responseTooLarge)
    }
  }
}

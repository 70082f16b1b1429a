import Foundation
import NovaHTTP
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// Bodies that are larger than memory should be, or have not arrived yet.
@Suite(.hangLimit) struct StreamedBodyTests {
  private static let chunk = [UInt8](repeating: 7, count: 64 << 10)

  private func streaming(_ url: String, limits: TransferLimits = .init()) -> HTTPRequest {
    var request = HTTPRequest.get(url, limits: limits)
    request.streamsResponse = true
    return request
  }

  /// Writes chunks until the client closes the connection, and counts the bytes.
  private static func pour(_ connection: RawConnection, _ written: Locked<Int>, until enough: Int = .max) throws {
    while written.withLock({ $0 }) < enough {
      try connection.write(chunk)
      written.withLock { $0 += chunk.count }
    }
  }

  /// Options whose clock a test advances.
  private static func options(_ time: AddedTime) -> CurlTransport.Options {
    var options = CurlTransport.Options()
    options.addedTime = time
    return options
  }

  /// Advances the transport's clock, and makes the transport check it, which it does for each exchange.
  private func pass(
    _ duration: Duration, on time: AddedTime, over transport: CurlTransport, to server: RawServer
  ) async throws {
    func exchange() async throws {
      #expect(try await transport.send(.get(server.url(RawConnection.exchangePath))).body.bytes == [1])
    }
    // This exchange processes everything that arrived earlier.
    try await exchange()
    time.advance(by: duration)
    try await exchange()
  }

  /// The value of a counter when it has stopped growing.
  private func valueAtRest(of counter: Locked<Int>) async throws -> Int {
    var last = -1
    while last != counter.withLock({ $0 }) || last == 0 {
      last = counter.withLock { $0 }
      try await Task.sleep(for: .milliseconds(200))
    }
    return last
  }

  // MARK: Responses

  @Test func theHeadArrivesBeforeTheBody() async throws {
    let mayGoOn = Locked(false)
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-A: b\r\n\r\n")
      while !mayGoOn.withLock({ $0 }), !connection.isClosed(within: .milliseconds(5)) {}
      try connection.write("abc")
      try connection.write("def")
      connection.hang()
    } _: { transport, server in
      let response = try await transport.send(streaming(server.url()))
      #expect(response.status == 200 && response.headers["X-A"] == "b" && response.body.length == 6)
      #expect(!response.body.isReplayable && response.body.bytes == nil)
      mayGoOn.withLock { $0 = true }
      #expect(try await response.body.collect(upTo: 6) == Array("abcdef".utf8))
      await #expect(throws: HTTPBodyError.alreadyRead) { try await response.body.collect(upTo: 6) }
    }
  }

  @Test func aServerWaitsWhileNobodyReads() async throws {
    let (written, time) = (Locked(0), AddedTime())
    let total = 64 << 20
    try await withTransport(Self.options(time)) { connection in
      if try connection.isExchange() { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      try Self.pour(connection, written, until: total)
    } _: { transport, server in
      let limits = TransferLimits(idleTimeout: .seconds(6), maximumResponseBytes: total)
      let response = try await transport.send(streaming(server.url(), limits: limits))
      let last = try await valueAtRest(of: written)
      // The buffers of the pipe, libcurl, and the sockets.
      #expect(last < 16 << 20, "\(last) bytes were written although no one read")
      // Longer than the idle timeout, which counts the server's silence and not ours.
      try await pass(.seconds(7), on: time, over: transport, to: server)
      var count = 0
      for try await chunk in response.body {
        #expect(chunk.count <= 512 << 10)
        count += chunk.count
      }
      #expect(count == total)
    }
  }

  @Test func aReaderThatWasSlowIsNoSilenceOfTheServer() async throws {
    let (written, mayFinish, time) = (Locked(0), Locked(false), AddedTime())
    let first = 4 << 20
    try await withTransport(Self.options(time)) { connection in
      if try connection.isExchange() { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(first + 1)\r\n\r\n")
      try Self.pour(connection, written, until: first)
      // Silent until the reader has everything: nothing arrives when the transfer resumes.
      while !mayFinish.withLock({ $0 }) { usleep(5000) }
      try connection.write([2])
    } _: { transport, server in
      let limits = TransferLimits(idleTimeout: .seconds(6))
      let response = try await transport.send(streaming(server.url(), limits: limits))
      _ = try await valueAtRest(of: written)
      try await pass(.seconds(7), on: time, over: transport, to: server)
      var count = 0
      for try await chunk in response.body {
        count += chunk.count
        if count == first { mayFinish.withLock { $0 = true } }
      }
      #expect(count == first + 1)
    }
  }

  /// Verifies that the clock of the two tests above, and of the one with a slow source, ends a transfer whose server is
  /// silent.
  @Test func aServerThatIsSilentForTheIdleTimeoutFails() async throws {
    let time = AddedTime()
    try await withTransport(Self.options(time)) { connection in
      if try connection.isExchange() { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      connection.hang()
    } _: { transport, server in
      let limits = TransferLimits(idleTimeout: .seconds(6))
      let response = try await transport.send(streaming(server.url(), limits: limits))
      try await pass(.seconds(7), on: time, over: transport, to: server)
      let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
      #expect(error?.kind == .idleTimeout)
    }
  }

  @Test func anAnnouncedLengthReservesNoMemory() async throws {
    let chunks = AsyncStream<[UInt8]> { continuation in
      continuation.yield([1])
      continuation.finish()
    }
    let body = HTTPBody.stream(HTTPBodyStream(chunks, length: .max))
    await #expect(throws: HTTPBodyError.wrongLength(expected: .max, actual: 1)) { try await body.collect(upTo: .max) }
  }

  /// An `AsyncStream` ends early in a cancelled task, which is not a wrong length.
  @Test func aCancelledReadIsCancelled() async {
    let (chunks, _) = AsyncStream<[UInt8]>.makeStream()
    let body = HTTPBody.stream(HTTPBodyStream(chunks, length: 5))
    let reading = Task { try await body.collect(upTo: 10) }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func droppingABodyEndsItsTransfer() async throws {
    let written = Locked(0)
    let options = CurlTransport.Options(connections: ConnectionLimits(maximumTransfers: 1))
    try await withTransport(options) { connection in
      guard let request = try connection.readRequest() else { return }
      if request.requestLine.contains("/other") { return try connection.respond(body: [1]) }
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      try Self.pour(connection, written)
    } _: { transport, server in
      do { _ = try await transport.send(streaming(server.url())) }
      // The only slot is free again.
      #expect(try await transport.send(.get(server.url("/other"))).body.bytes == [1])
      await server.waitUntilIdle()
    }
  }

  @Test func aCancelledReaderEndsTheTransfer() async throws {
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      connection.hang()
    } _: { transport, server in
      let response = try await transport.send(streaming(server.url()))
      let began = AsyncStream<Void>.makeStream()
      let task = Task {
        for try await _ in response.body { began.continuation.yield() }
      }
      for await _ in began.stream { break }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await server.waitUntilIdle()
    }
  }

  @Test(arguments: ["", "Content-Length: 10\r\n"]) func aBodyThatBreaksOffFails(length: String) async throws {
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
      if !length.isEmpty { connection.reset() }
    } _: { transport, server in
      let response = try await transport.send(streaming(server.url()))
      let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
      #expect(error?.kind == .connectionLost)
    }
  }

  @Test func theLimitsHoldForStreams() async throws {
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 100))
      connection.hang()
    } _: { transport, server in
      let tooLarge = try await transport.send(streaming(server.url(), limits: .init(maximumResponseBytes: 99)))
      var error = await #expect(throws: TransportError.self) { try await tooLarge.body.collect(upTo: 1000) }
      #expect(error?.kind == .responseTooLarge)
      let silent = try await transport.send(streaming(server.url(), limits: .init(idleTimeout: .milliseconds(50))))
      error = await #expect(throws: TransportError.self) { try await silent.body.collect(upTo: 1000) }
      #expect(error?.kind == .idleTimeout)
      let slow = try await transport.send(streaming(server.url(), limits: .init(totalTimeout: .milliseconds(300))))
      error = await #expect(throws: TransportError.self) { try await slow.body.collect(upTo: 1000) }
      #expect(error?.kind == .totalTimeout)
      await #expect(throws: HTTPBodyError.tooLarge(limit: 5)) {
        try await transport.send(streaming(server.url())).body.collect(upTo: 5)
      }
    }
  }

  @Test func shutdownEndsStreams() async throws {
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
      connection.hang()
    } _: { transport, server in
      let response = try await transport.send(streaming(server.url()))
      await transport.shutdown()
      let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
      #expect(error?.kind == .shutDown)
    }
  }

  @Test func aBodyOutlivesTheVariableOfItsTransport() async throws {
    try await withRawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
      connection.hang()
    } _: { server in
      let response = try await CurlTransport().send(streaming(server.url()))
      #expect(try await response.body.collect(upTo: 3) == Array("abc".utf8))
    }
  }

  @Test func redirectsAndEmptyBodiesStream() async throws {
    try await withTransport { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains("/next") {
          try connection.respond(body: [1, 2])
        } else if request.requestLine.contains("/empty") {
          try connection.respond()
        } else if request.requestLine.contains("/nowhere") {
          try connection.respond("302 Found", body: [9])
        } else {
          try connection.respond("302 Found", headers: ["Location: /next"], body: Array("moved".utf8))
        }
      }
    } _: { transport, server in
      for (path, body) in [("/", [1, 2]), ("/empty", []), ("/nowhere", [9])] as [(String, [UInt8])] {
        let response = try await transport.send(streaming(server.url(path)))
        #expect(try await response.body.collect(upTo: body.count) == body)
      }
    }
  }

  @Test(arguments: [("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified")])
  func aResponseWithoutBodyHasNone(method: String, status: String) async throws {
    try await withTransport { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 \(status)\r\n\(status.hasPrefix("204") ? "" : "Content-Length: 5\r\n")\r\n")
      }
    } _: { transport, server in
      for _ in 0..<2 {
        var request = streaming(server.url())
        request.method = HTTPMethod(rawValue: method)
        let response = try await transport.send(request)
        #expect(response.body == .empty && response.status == Int(status.prefix(3)))
      }
      #expect(server.connectionCount == 1)
    }
  }

  /// When a paused transfer resumes, libcurl passes on what it has decompressed, and the limit then ends it.
  @Test func aLimitThatIsReachedAfterAPauseEndsTheTransfer() async throws {
    let limit = 400 << 10
    let body = GzipBomb.bytes(inflatingTo: 4 << 20)
    try await withTransport { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count + 1)\r\n\r\n")
      try connection.write(body)
      connection.hang()
    } _: { transport, server in
      let limits = TransferLimits(totalTimeout: .seconds(60), maximumResponseBytes: limit)
      let response = try await transport.send(streaming(server.url(), limits: limits))
      let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: .max) }
      #expect(error?.kind == .responseTooLarge)
    }
  }

  // MARK: Requests

  private func put(_ url: String, _ body: HTTPBody, limits: TransferLimits = .init()) throws -> HTTPRequest {
    HTTPRequest(method: .put, url: try HTTPURL(parsing: url), body: body, limits: limits)
  }

  private func stream(_ chunks: [[UInt8]], length: Int? = nil) -> HTTPBody {
    .stream(
      HTTPBodyStream(
        AsyncStream { continuation in
          for chunk in chunks { continuation.yield(chunk) }
          continuation.finish()
        }, length: length))
  }

  @Test func aStreamOfKnownLengthIsSentAsSuch() async throws {
    try await withTransport { connection in
      guard let request = try connection.readRequest() else { return }
      try connection.respond(body: request.body)
    } _: { transport, server in
      let request = try put(server.url(), stream([[1], [], [2, 3]], length: 3))
      #expect(try await transport.send(request).body.bytes == [1, 2, 3])
      #expect(server.requests[0].header("Content-Length") == "3")
      #expect(server.requests[0].header("Expect") == nil && server.requests[0].header("Content-Type") == nil)
    }
  }

  @Test func aStreamOfUnknownLengthIsSentInChunks() async throws {
    try await withTransport { connection in
      guard let head = try connection.readHead() else { return }
      let body = try connection.readChunkedBody()
      try connection.respond(headers: ["X-Encoding: \(head.header("Transfer-Encoding") ?? "")"], body: body)
    } _: { transport, server in
      let large = pattern(1_000_000)
      let response = try await transport.send(put(server.url(), stream([[1], large, [2]])))
      #expect(response.headers["X-Encoding"] == "chunked")
      #expect(response.body.bytes == [1] + large + [2])
    }
  }

  @Test func aSourceIsReadNoFasterThanItIsSent() async throws {
    let produced = Locked(0)
    let mayRead = Locked(false)
    try await withTransport { connection in
      _ = try connection.readHead()
      while !mayRead.withLock({ $0 }) { usleep(5000) }
      #expect(try connection.readChunkedBody().count == 64 << 20)
      try connection.respond()
    } _: { transport, server in
      let chunks = AsyncStream<[UInt8]> {
        let count = produced.withLock { count in
          count += Self.chunk.count
          return count
        }
        return count > 64 << 20 ? nil : Self.chunk
      }
      let body = HTTPBody.stream(HTTPBodyStream(chunks))
      // Filling the buffers takes less time than this, however busy the machine is.
      let limits = TransferLimits(idleTimeout: .seconds(20))
      async let status = transport.send(put(server.url(), body, limits: limits)).status
      await server.waitForConnections(1)
      let last = try await valueAtRest(of: produced)
      #expect(last < 16 << 20, "\(last) bytes were produced though the server read none")
      mayRead.withLock { $0 = true }
      #expect(try await status == 200)
    }
  }

  @Test func aSourceThatIsSlowIsNoSilenceOfTheServer() async throws {
    let (hasHead, time) = (Locked(false), AddedTime())
    try await withTransport(Self.options(time)) { connection in
      if try connection.isExchange() { return }
      hasHead.withLock { $0 = true }
      try connection.respond(body: try connection.readChunkedBody())
    } _: { transport, server in
      let source = AsyncStream<[UInt8]>.makeStream()
      let limits = TransferLimits(idleTimeout: .seconds(6))
      async let response = transport.send(
        put(server.url(), .stream(HTTPBodyStream(source.stream)), limits: limits))
      source.continuation.yield([1])
      try await waitUntil { hasHead.withLock { $0 } }
      try await pass(.seconds(7), on: time, over: transport, to: server)
      source.continuation.yield([2])
      source.continuation.finish()
      #expect(try await response.body.bytes == [1, 2])
    }
  }

  private func withTemporaryFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(try folder.write(bytes, to: "body"))
    withExtendedLifetime(folder) {}
  }

  @Test func aRegionOfAFileIsSent() async throws {
    let bytes = pattern(3_000_000)
    try await withTemporaryFile(bytes) { path in
      try await withTransport { connection in
        while let request = try connection.readRequest() { try connection.respond(body: request.body) }
      } _: { transport, server in
        for (offset, length) in [(0, nil), (1, 5), (1_000_000, 1_500_000), (2_999_999, nil), (7, 0)] as [(Int, Int?)] {
          let region = try HTTPFileRegion(path: path, offset: offset, length: length)
          let answer = try await transport.send(put(server.url(), .file(region))).body.bytes
          #expect(answer == Array(bytes[offset..<(offset + (length ?? bytes.count - offset))]))
          #expect(try await HTTPBody.file(region).collect(upTo: bytes.count) == answer)
        }
      }
      for (offset, length) in [(-1, nil), (3_000_001, nil), (1, 3_000_000), (0, -1)] as [(Int, Int?)] {
        #expect(throws: HTTPBodyError.self) { try HTTPFileRegion(path: path, offset: offset, length: length) }
      }
    }
    #expect(throws: HTTPBodyError.self) { try HTTPFileRegion(path: "/nowhere/at/all") }
    #expect(throws: HTTPBodyError.self) { try HTTPFileRegion(path: "/") }
  }

  @Test func aFileThatShrinksEndsTheTransfer() async throws {
    try await withTemporaryFile([1, 2, 3]) { path in
      let region = try HTTPFileRegion(path: path)
      try await withTransport { connection in
        _ = try connection.readHead()
        connection.hang()
      } _: { transport, server in
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let error = await failure(of: transport, try put(server.url(), .file(region)))
        #expect(error?.kind == .unreadableBody)
        try FileManager.default.removeItem(atPath: path)
        let missing = await failure(of: transport, try put(server.url(), .file(region)))
        #expect(missing?.kind == .unreadableBody && missing?.requestMayHaveLeft == false)
      }
    }
  }

  @Test func cancellingAnUploadStopsItsSource() async throws {
    let ended = AsyncStream<Void>.makeStream()
    try await withTransport { connection in
      _ = try connection.readHead()
      connection.hangWithoutReading()
    } _: { transport, server in
      let source = AsyncStream<[UInt8]>.makeStream()
      source.continuation.onTermination = { _ in ended.continuation.finish() }
      source.continuation.yield([1])
      let task = Task { try await transport.send(put(server.url(), .stream(HTTPBodyStream(source.stream)))) }
      await server.waitForConnections(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await server.waitUntilIdle()
      // A source that was never started does not end.
      source.continuation.finish()
      for await _ in ended.stream {}
    }
  }
}

extension RawConnection {
  fileprivate static let exchangePath = "/exchange"

  /// Reads a request's head, and responds to it if it is the small exchange with which a test makes the transport check
  /// its clock.
  fileprivate func isExchange() throws -> Bool {
    guard let head = try readHead() else { return true }
    guard head.requestLine.contains(Self.exchangePath) else { return false }
    try respond(body: [1])
    return true
  }
}

import Foundation
import NovaHTTP
import NovaTestSupport
import NovaTesting
import Testing

/// Uploads whose source is slow or wrong, or that the server refuses before it has read them.
@Suite(.hangLimit) struct StreamedUploadTests {
  /// A source that produces nothing until the test allows it.
  private typealias Source = (stream: AsyncStream<[UInt8]>, continuation: AsyncStream<[UInt8]>.Continuation)

  private func source() -> Source { AsyncStream<[UInt8]>.makeStream() }

  private func put(
    _ url: String, _ source: Source, length: Int? = nil, timeout: Duration = .seconds(60)
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: .put, url: try HTTPURL(parsing: url), body: .stream(HTTPBodyStream(source.stream, length: length)),
      limits: TransferLimits(totalTimeout: timeout))
  }

  // MARK: Responses that come before the end of the body

  /// Sends a response, and then closes the connection, unless the client must detect the end by itself.
  private static func answer(_ connection: RawConnection, status: String, fields: String) throws {
    _ = try connection.readHead()
    try connection.write("HTTP/1.1 \(status)\r\n\(fields)\r\nrefused")
    if fields.contains("Content-Length") { connection.hang() }
  }

  private static let endings = [
    "Content-Length: 7\r\n", "Content-Length: 7\r\nConnection: close\r\n", "Connection: close\r\n", "",
  ]

  @Test(arguments: ["413 Content Too Large", "401 Unauthorized", "308 Moved"], endings)
  func aResponseThatRefusesTheRequestEndsItsUpload(status: String, ending: String) async throws {
    for length in [nil, 10] {
      try await withTransport { connection in
        try Self.answer(connection, status: status, fields: ending)
      } _: { transport, server in
        let response = try await transport.send(put(server.url(), source(), length: length))
        #expect(response.status == Int(status.prefix(3)) && response.body.bytes == Array("refused".utf8))
        await server.waitUntilIdle()
      }
    }
  }

  @Test(arguments: endings) func aStreamedResponseThatRefusesTheRequestEnds(ending: String) async throws {
    try await withTransport { connection in
      try Self.answer(connection, status: "413 Content Too Large", fields: ending)
    } _: { transport, server in
      var request = try put(server.url(), source())
      request.streamsResponse = true
      let response = try await transport.send(request)
      #expect(try await response.body.collect(upTo: 100) == Array("refused".utf8))
    }
  }

  @Test func anUploadGoesOnAfterAResponseThatAcceptsIt() async throws {
    try await withTransport { connection in
      _ = try connection.readHead()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")
      let body = try connection.readChunkedBody()
      try connection.write("1\r\n\(body.count)\r\n0\r\n\r\n")
    } _: { transport, server in
      let source = source()
      var request = try put(server.url(), source)
      request.streamsResponse = true
      let response = try await transport.send(request)
      source.continuation.yield([1, 2, 3])
      source.continuation.finish()
      #expect(try await response.body.collect(upTo: 10) == Array("ok3".utf8))
    }
  }

  @Test func aResponseThatBreaksOffBeforeTheBodyWasSentFails() async throws {
    try await withTransport { connection in
      _ = try connection.readHead()
      try connection.write("HTTP/1.1 413 Content Too Large\r\nContent-Length: 100\r\n\r\nabc")
    } _: { transport, server in
      let error = await failure(of: transport, try put(server.url(), source()))
      #expect(error?.kind == .connectionLost)
    }
  }

  /// nginx refuses a body above its limit as soon as it has read the head.
  @Test func nginxRefusesAnUploadOverEitherProtocol() async throws {
    try await withRawServer {
      try $0.respondToAll()
    } _: { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port)
      defer { nginx.stop() }
      let transport = CurlTransport(options: .init(caFile: nginx.caFile))
      for port in [nginx.http2Port, nginx.http1Port] {
        let response = try await transport.send(
          put("https://localhost:\(port)/up/", source(), length: 100 << 20))
        #expect(response.status == 413)
      }
      #expect(upstream.requests.isEmpty)
      await transport.shutdown()
    }
  }

  // MARK: The announced length

  @Test func aSurplusThatComesLaterIsAnError() async throws {
    try await withTransport { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.respond()
    } _: { transport, server in
      let chunks = AsyncStream<[UInt8]>.makeStream()
      let request = try put(server.url(), chunks, length: 2)
      async let error = failure(of: transport, request)
      chunks.continuation.yield([1, 2])
      await server.waitForConnections(1)
      chunks.continuation.yield([3])
      #expect(await error == .unreadable("wrong length: the stream of the body is longer than the 2 bytes announced"))
      #expect(server.requests.isEmpty, "a part of the body was sent as if it were all")
    }
  }

  @Test func aBodyThatEndsEarlyIsAnError() async throws {
    try await withTransport { connection in
      _ = try connection.readRequest()
    } _: { transport, server in
      let chunks = source()
      chunks.continuation.yield([1, 2])
      chunks.continuation.finish()
      let error = await failure(of: transport, try put(server.url(), chunks, length: 3))
      #expect(error == .unreadable("wrong length: the stream of the body ended after 2 of 3 bytes"))
    }
  }

  @Test(arguments: [1, 16]) func aLargeBodyOfKnownLengthArrives(chunkCount: Int) async throws {
    try await withTransport { connection in
      while let request = try connection.readRequest() { try connection.respond(body: request.body) }
    } _: { transport, server in
      let body = pattern(1 << 20)
      let chunks = source()
      let size = body.count / chunkCount
      for index in 0..<chunkCount { chunks.continuation.yield(Array(body[(index * size)..<((index + 1) * size)])) }
      chunks.continuation.finish()
      let response = try await transport.send(put(server.url(), chunks, length: body.count))
      #expect(response.body.bytes == body)
    }
  }

  // MARK: Sources that fail

  private struct SourceFailed: Error {}

  private func failing(_ error: any Error) -> HTTPBody {
    .stream(HTTPBodyStream(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: error) }))
  }

  @Test func theErrorOfASourceIsNamed() async throws {
    try await withTransport { connection in
      _ = try connection.readHead()
      connection.hang()
    } _: { transport, server in
      var request = try put(server.url(), source())
      request.body = failing(SourceFailed())
      #expect(await failure(of: transport, request) == .unreadable("the stream of the body failed: SourceFailed"))
      let again = await failure(of: transport, request)
      #expect(again == .unreadable("body already read: a stream can be read once"))
      request.body = failing(CancellationError())
      let cancelled = request
      await #expect(throws: CancellationError.self) { try await transport.send(cancelled) }
      await server.waitUntilIdle()
    }
  }

  @Test func everyTransportReportsTheSameError() async throws {
    let body = failing(SourceFailed())
    await #expect(throws: HTTPBodyError.sourceFailed(reason: "SourceFailed")) { try await body.collect(upTo: 10) }
    await #expect(throws: HTTPBodyError.alreadyRead) { try await body.collect(upTo: 10) }
  }

  // MARK: Files

  @Test func aFileIsOpenedWhenItsTransferStarts() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "body")
    let region = try HTTPFileRegion(path: path)
    try FileManager.default.removeItem(atPath: path)
    try await withTransport(.init(connections: ConnectionLimits(maximumTransfers: 1))) { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains("/first"), !connection.isClosed(within: .zero) { return connection.hang() }
        try connection.respond(body: request.body)
      }
    } _: { transport, server in
      let first = Task { try await transport.send(.get(server.url("/first"))) }
      await server.waitForRequests(1)
      let began = AsyncStream<Void>.makeStream()
      let second = Task {
        began.continuation.finish()
        return try await transport.send(
          HTTPRequest(method: .put, url: HTTPURL(parsing: server.url()), body: .file(region)))
      }
      for await _ in began.stream {}
      for _ in 0..<1000 { await Task.yield() }
      _ = try folder.write([2], to: "body")
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(try await second.value.body.bytes == [2])
    }
    withExtendedLifetime(folder) {}
  }
}

extension TransportError {
  fileprivate static func unreadable(_ message: String) -> TransportError {
    TransportError(.unreadableBody, message, requestMayHaveLeft: true)
  }
}

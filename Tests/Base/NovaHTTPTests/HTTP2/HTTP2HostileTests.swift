#if GRPC
  import NovaHTTP
  import NovaTestSupport
  import Testing

  /// Servers that break the rules, or use another protocol.
  @Suite(.hangLimit) struct HTTP2HostileTests {
    /// Not HTTP/2 from the first byte on. Nothing of the request was sent.
    @Test(arguments: [
      ("HTTP/1.1 400 Bad Request\r\n\r\n", "is HTTP/1.1, not HTTP/2"),
      ("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F", "is TLS, not HTTP/2"),
      ("SSH-2.0-OpenSSH_9.2\r\n and more of it", "is not valid HTTP/2"),
      (String(repeating: "\0", count: 40), "is not valid HTTP/2"),
    ]) func otherProtocolsAreNamed(greeting: String, message: String) async throws {
      let server = try RawServer { connection in
        try connection.write(greeting)
        connection.hang()
      }
      let transport = HTTP2Transport()
      let error = await failure(of: transport, try .grpc("grpc://127.0.0.1:\(server.port)"))
      #expect(error?.kind == .malformedResponse && error?.requestMayHaveLeft == false)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
      await transport.shutdown()
      server.stop()
    }

    @Test func aServerThatClosesAtOnceIsReported() async throws {
      let server = try RawServer { _ in }
      let transport = HTTP2Transport()
      let error = await failure(of: transport, try .grpc("grpc://127.0.0.1:\(server.port)"))
      #expect(
        [.connectionFailed, .connectionLost].contains(error?.kind) && error?.requestMayHaveLeft == false,
        "\(String(describing: error))")
      await transport.shutdown()
      server.stop()
    }

    @Test func aSilentServerIsReported() async throws {
      let server = try RawServer { $0.hang() }
      let transport = HTTP2Transport()
      let limits = TransferLimits(connectTimeout: .milliseconds(100))
      let error = await failure(of: transport, try .grpc("grpc://127.0.0.1:\(server.port)", limits: limits))
      #expect(error?.kind == .connectTimeout && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      await transport.shutdown()
      server.stop()
    }

    static let tooLong = [UInt8](repeating: 1, count: 20_000)

    /// Each ends the call with an error, and the next call gets a response on this or another connection.
    @Test(
      arguments: [
        ("a frame that is too large", HTTP2Frame(.data, stream: 1, tooLong).bytes),
        ("data before the head", HTTP2Frame.data(1, [1]).bytes),
        (
          "compression that is invalid",
          HTTP2Frame(.headers, flags: 4, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).bytes
        ),
        ("a table index that does not exist", HTTP2Frame(.headers, flags: 4, stream: 1, [0xfe]).bytes),
        ("no status", HTTP2Frame.fields(1, status: nil, [("a", "b")], isLast: true).bytes),
        (
          "a status that is no number",
          HTTP2Frame(.headers, flags: 5, stream: 1, HTTP2Frame.literal(":status", "abc")).bytes
        ),
        ("a name in capitals", HTTP2Frame.fields(1, [("Content-Type", "b")], isLast: true).bytes),
        ("a value with a line break", HTTP2Frame.fields(1, [("a", "b\r\nc")], isLast: true).bytes),
        ("a field of a connection", HTTP2Frame.fields(1, [("connection", "close")], isLast: true).bytes),
        ("two lengths", HTTP2Frame.fields(1, [("content-length", "1"), ("content-length", "2")], isLast: true).bytes),
        (
          "a body that is too long",
          HTTP2Frame.fields(1, [("content-length", "1")]).bytes + HTTP2Frame.data(1, [1, 2], isLast: true).bytes
        ),
        (
          "a body that is too short",
          HTTP2Frame.fields(1, [("content-length", "3")]).bytes + HTTP2Frame.data(1, [1, 2], isLast: true).bytes
        ),
        (
          "trailers that are not last",
          HTTP2Frame.fields(1).bytes + HTTP2Frame.fields(1, status: nil, [("a", "b")]).bytes
        ),
        ("a stream of the server", HTTP2Frame.fields(2, isLast: true).bytes),
        ("a stream that is not open", HTTP2Frame.fields(7, isLast: true).bytes),
        ("a push", HTTP2Frame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2, 0x88]).bytes),
        ("settings with a stream", HTTP2Frame(.settings, stream: 1).bytes),
        ("settings that are invalid", HTTP2Frame(.settings, [0, 4, 0xff, 0xff, 0xff, 0xff]).bytes),
        ("settings of a wrong size", HTTP2Frame(.settings, [0, 4, 1]).bytes),
        ("a window of zero", HTTP2Frame(.windowUpdate, [0, 0, 0, 0]).bytes),
        ("a window that overflows", HTTP2Frame(.windowUpdate, [0x7f, 0xff, 0xff, 0xff]).bytes),
        ("a ping of a wrong size", HTTP2Frame(.ping, [1]).bytes),
        ("a reset of a wrong size", HTTP2Frame(.reset, stream: 1, [1]).bytes),
        ("a reset of no stream", HTTP2Frame.reset(0, 1).bytes),
        ("a continuation of nothing", HTTP2Frame(.continuation, stream: 1, [0x88]).bytes),
        ("padding that is too long", HTTP2Frame(.data, flags: 8, stream: 1, [200, 1]).bytes),
        ("an unfinished head", HTTP2Frame(.headers, stream: 1, [0x88]).bytes + HTTP2Frame.data(1, [1]).bytes),
      ] as [(String, [UInt8])]) func invalidFramesAreErrors(what: String, bytes: [UInt8]) async throws
    {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        if connection.number == 1, stream == 1 { try connection.send(bytes) } else { try connection.answer(stream) }
        try connection.answerAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(
          error?.kind == .malformedResponse && error?.requestMayHaveLeft == true,
          "\(what): \(String(describing: error))")
        #expect(
          error?.message.contains("what 127.0.0.1:\(server.port) sent is not") == true,
          "\(what): \(error?.message ?? "")")
        #expect(try await transport.send(server.request()).body.bytes == [1, 2, 3], "\(what)")
      }
    }

    /// Frames without end that cost the server nothing.
    @Test(arguments: [
      ("ping", HTTP2Frame(.ping, [UInt8](repeating: 1, count: 8))), ("settings", .settings()),
      ("empty data", .data(1, [])), ("an unknown type", HTTP2Frame(type: 0xee)),
      ("a continued head", HTTP2Frame(.continuation, stream: 1, [])),
    ]) func floodsEndTheConnection(what: String, frame: HTTP2Frame) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        _ = try connection.nextRequest()
        if frame.kind == .continuation { try connection.send(HTTP2Frame(.headers, stream: 1, [0x88])) }
        if frame.kind == .data { try connection.send(.fields(1)) }
        let block = Array(repeatElement(frame.bytes, count: 1000).joined())
        while true { try connection.send(block) }
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.requestMayHaveLeft == true, "\(what): \(String(describing: error))")
      }
    }

    /// A head of any size is refused, once it exceeds the limit.
    @Test func aLargeHeadIsRefused() async throws {
      let options = HTTP2Transport.Options(connections: .init(maximumHeaderBytes: 10_000))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        while true {
          let stream = try connection.nextRequest()
          if stream == 1 {
            try connection.send(.fields(stream, [("a", String(repeating: "b", count: 10_000))], isLast: true))
          } else {
            try connection.answer(stream)
          }
        }
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.kind == .responseTooLarge, "\(String(describing: error))")
        #expect(try await transport.send(server.request()).status == 200)
        #expect(server.connectionCount == 1)
      }
    }

    @Test(arguments: [false, true]) func aLargeBodyIsRefused(isStreamed: Bool) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        while true {
          let stream = try connection.nextRequest()
          try connection.send(.fields(stream), .data(stream, pattern(900)))
          if stream == 1 {
            try connection.send(.data(stream, pattern(900)))
          } else {
            try connection.send(.data(stream, [], isLast: true))
          }
        }
      } _: { server, transport in
        let limits = TransferLimits(maximumResponseBytes: 1000)
        let request = try server.request(streams: isStreamed, limits: limits)
        let error = await #expect(throws: TransportError.self) {
          _ = try await transport.send(request).body.collect(upTo: .max)
        }
        #expect(error?.kind == .responseTooLarge, "\(String(describing: error))")
        #expect(try await transport.send(request).body.collect(upTo: .max).count == 900)
        #expect(server.resets == [8])
      }
    }
  }
#endif

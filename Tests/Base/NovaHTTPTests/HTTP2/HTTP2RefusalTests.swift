#if GRPC
  import NovaHTTP
  import NovaSupport
  import NovaTestSupport
  import Testing

  /// Streams and connections that end early: what is sent again, and what is reported.
  @Suite(.hangLimit) struct HTTP2RefusalTests {
    /// The server's code is kept, and only a refused stream was certainly not processed.
    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 99]) func resetsAreErrors(code: Int) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        while true {
          let stream = try connection.nextRequest()
          if stream == 3 { try connection.send(.fields(stream), .data(stream, [1])) }
          try connection.send(.reset(stream, code))
        }
      } _: { server, transport in
        // Before and after the head.
        for _ in 0..<2 {
          let error = await failure(of: transport, try server.request())
          #expect(error?.kind == .connectionLost && error?.requestMayHaveLeft == true)
          #expect(error?.streamCode?.rawValue == UInt32(code))
          #expect(
            error?.message == "127.0.0.1:\(server.port) ended the stream: \(HTTP2ErrorCode(rawValue: UInt32(code)))")
        }
        #expect(server.connectionCount == 1)
      }
    }

    @Test(arguments: [1, 2]) func aRefusedStreamIsSentAgain(refusals: Int) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        for _ in 0..<refusals { try connection.send(.reset(connection.nextRequest(), 7)) }
        try connection.answerAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(body: [4, 5]))
        #expect(response.body.bytes == [1, 2, 3])
        // The whole request each time.
        #expect(
          server.frames.filter { $0.kind == .data }.map(\.payload) == Array(repeating: [4, 5], count: refusals + 1))
      }
    }

    @Test func aStreamThatIsAlwaysRefusedIsAnError() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        while true { try connection.send(.reset(connection.nextRequest(), 7)) }
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.kind == .connectionLost && error?.requestMayHaveLeft == false)
        #expect(error?.streamCode == .refusedStream)
        #expect(server.frames.count { $0.kind == .headers } == 3)
      }
    }

    /// The call does not wait for the end of the stream beside it, which may never come, but a while: at once, the server
    /// would refuse it again.
    @Test func aRefusedStreamIsSentAgainBesideALongOne() async throws {
      let pauses = Locked<[Duration]>([])
      try await withFrameServer { connection in
        try connection.send(.settings())
        let long = try connection.nextRequest()
        try connection.send(.fields(long), .data(long, [1]))
        var stream = try connection.nextRequest()
        for _ in 0..<2 {
          let start = ContinuousClock.now
          try connection.send(.reset(stream, 7))
          stream = try connection.nextRequest()
          pauses.withLock { $0.append(.now - start) }
        }
        try connection.answer(stream)
        try connection.answerAll()
      } _: { server, transport in
        let long = try await transport.send(server.request(streams: true))
        #expect(try await transport.send(server.request()).body.bytes == [1, 2, 3])
        // A busy machine only makes them longer.
        #expect(pauses.withLock { $0 }.allSatisfy { $0 >= .milliseconds(49) }, "\(pauses.withLock { $0 })")
        _ = long
      }
    }

    /// A server that always refuses one kind of request, but responds to others, is not asked without end.
    @Test func aCallIsRefusedWithoutEnd() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        var refused: Int?
        while true {
          let frame = try connection.next()
          switch frame.kind {
          case .data: refused = frame.stream
          case .headers where frame.isLast:
            // Between two refusals, there is always a response.
            try connection.answer(frame.stream)
            if let stream = refused { try connection.send(.reset(stream, 7)) }
            refused = nil
          case .settings where !frame.isLast: try connection.send(frame.acknowledgement)
          default: break
          }
        }
      } _: { server, transport in
        let refused = Task { await failure(of: transport, try server.request(body: [4, 5])) }
        let others = Task {
          while !Task.isCancelled { _ = try? await transport.send(server.request(body: [])) }
        }
        let error = try await refused.value
        others.cancel()
        await others.value
        #expect(error?.streamCode == .refusedStream && error?.requestMayHaveLeft == false)
        #expect(server.frames.count { $0.kind == .data } == 101)
      }
    }

    /// Streams above the last one are sent on another connection; the others end on the old one.
    @Test(arguments: [0, 2, 11], [false, true]) func aGoAwayMovesLaterStreams(code: Int, isGraceful: Bool) async throws
    {
      try await withFrameServer { connection in
        try connection.send(.settings())
        guard connection.number == 1 else { return try connection.answerAll() }
        let streams = try (0..<4).map { _ in try connection.nextRequest() }
        if isGraceful { try connection.send(.goAway(Int(Int32.max))) }
        try connection.send(.goAway(3, code: code))
        for stream in streams where stream <= 3 { try connection.answer(stream, [9]) }
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request()
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
          for _ in 0..<4 { group.addTask { try await transport.send(request).body.bytes ?? [] } }
          return try await group.reduce(into: []) { $0.append($1.count) }
        }
        #expect(bodies.sorted() == [1, 1, 3, 3])
        #expect(server.connectionCount == 2)
        try await waitUntil { server.openConnectionCount == 1 }
      }
    }

    /// A GOAWAY beside a long stream does not end it, and does not hold up other calls.
    @Test func aLongStreamSurvivesAGoAway() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        guard connection.number == 1 else { return try connection.answerAll() }
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]), .goAway(stream))
        _ = try connection.next(.ping)
        try connection.readAll()
      } _: { server, transport in
        let long = try await transport.send(server.request(streams: true))
        var chunks = long.body.makeAsyncIterator()
        #expect(try await chunks.next() == [1])
        for _ in 0..<3 { #expect(try await transport.send(server.request()).body.bytes == [1, 2, 3]) }
        #expect(server.connectionCount == 2)
        _ = long
      }
    }

    /// What a server does with a connection instead of answering.
    @Test(arguments: [false, true]) func aClosedConnectionIsReported(afterHead: Bool) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        guard connection.number == 1 else { return try connection.answer(stream) }
        if afterHead { try connection.send(.fields(stream), .data(stream, [1, 2])) }
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.kind == .connectionLost && error?.requestMayHaveLeft == true)
        let place = "127.0.0.1:\(server.port)"
        #expect(
          error?.message
            == (afterHead
              ? "the response from \(place) ended early, after 2 bytes"
              : "\(place) closed the connection without a response"))
        // The next call makes a new connection.
        #expect(try await transport.send(server.request()).status == 200)
      }
    }

    /// The connection ends while requests are being written to it.
    @Test(arguments: [1, 20]) func aConnectionEndsWhileItIsWritten(count: Int) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings(windowSize: 1 << 30), HTTP2Frame(.windowUpdate, [0x7f, 0, 0, 0]))
        for _ in 0..<(connection.number % 20) { _ = try connection.next(.data) }
      } _: { server, transport in
        let request = try server.request(body: pattern(1_000_000))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<40 {
            group.addTask {
              for _ in 0..<(40 / count) {
                await #expect(throws: TransportError.self) { try await transport.send(request) }
              }
            }
          }
        }
      }
    }

    /// The connection ends before the request can be written, several times.
    @Test func aConnectionThatWasClosedIdleIsReplaced() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.answer(connection.nextRequest())
      } _: { server, transport in
        for number in 1...5 {
          #expect(try await transport.send(server.request()).status == 200)
          // The server's end is seen before the next call.
          await server.waitUntilIdle()
          try await waitUntil { server.connectionCount == number }
          try await Task.sleep(for: .milliseconds(20))
        }
      }
    }
  }
#endif

#if GRPC
  import NovaHTTP
  import NovaLibc
  import NovaSupport
  import NovaTestSupport
  import Testing

  /// Responses that are read while they arrive.
  @Suite(.hangLimit) struct HTTP2StreamTests {
    @Test func chunksArriveOneByOneAndTheTrailersLast() async throws {
      let gate = Gate()
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream, [("a", "b")]))
        for number in 1...3 {
          gate.waitFor(number)
          try connection.send(.data(stream, [UInt8(number)]))
        }
        gate.waitFor(4)
        try connection.send(.fields(stream, status: nil, [("grpc-status", "0")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        #expect(response.status == 200 && response.headers == ["a": "b"])
        var chunks = response.body.makeAsyncIterator()
        for number in 1...3 {
          #expect(response.streamedTrailers?() == nil)
          gate.open(number)
          #expect(try await chunks.next() == [UInt8(number)])
        }
        gate.open(4)
        #expect(try await chunks.next() == nil)
        #expect(try await chunks.next() == nil)
        #expect(response.streamedTrailers?() == ["grpc-status": "0"])
        #expect(server.resets.isEmpty)
      }
    }

    /// A response without a body has nothing to read.
    @Test func onlyTrailersAreAWholeResponse() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.send(.fields(connection.nextRequest(), [("grpc-status", "5")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        #expect(response.body == .bytes([]) && response.headers["grpc-status"] == "5")
      }
    }

    /// Who stops reading does not need to say so.
    @Test func aDroppedResponseResetsItsStream() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]))
        try connection.readAll()
      } _: { server, transport in
        do {
          let response = try await transport.send(server.request(streams: true))
          var chunks = response.body.makeAsyncIterator()
          #expect(try await chunks.next() == [1])
        }
        try await waitUntil { server.resets == [8] }
      }
    }

    @Test func aCancelledReaderResetsItsStream() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        let reading = Task { try await response.body.collect(upTo: .max) }
        try await Task.sleep(for: .milliseconds(20))
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await waitUntil { server.resets == [8] }
      }
    }

    /// Bytes before a failure are read before it is thrown.
    @Test(arguments: [true, false]) func anEarlyEndIsAnError(isReset: Bool) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]), .data(stream, [2]))
        if isReset { try connection.send(.reset(stream, 2)) } else { return }
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        await server.waitForConnections(1)
        var received: [UInt8] = []
        let error = await #expect(throws: TransportError.self) {
          for try await chunk in response.body { received += chunk }
        }
        #expect(received == [1, 2])
        #expect(error?.kind == .connectionLost && error?.requestMayHaveLeft == true)
        #expect(error?.streamCode == (isReset ? .internalError : nil))
        #expect(response.streamedTrailers?() == nil)
      }
    }

    /// A slow reader makes the server wait, and nobody else.
    @Test func aSlowReaderHoldsUpOnlyItsServer() async throws {
      let total = 3_000_000
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream))
        var (sent, other) = (0, 0)
        while sent < total {
          let part = min(16_384, total - sent)
          while connection.openedWindow(of: stream) + (1 << 20) - sent < part {
            let frame = try connection.next()
            if frame.kind == .data, frame.isLast {
              other = frame.stream
              try connection.answer(other)
            }
          }
          try connection.send(.data(stream, [UInt8](repeating: 1, count: part)))
          sent += part
        }
        #expect(other > 0)
        try connection.send(.fields(stream, status: nil, [("grpc-status", "0")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        var chunks = response.body.makeAsyncIterator()
        var count = try await chunks.next()?.count ?? 0
        // The window is full soon, and another call still gets its response.
        #expect(try await transport.send(server.request()).body.bytes == [1, 2, 3])
        while let chunk = try await chunks.next() { count += chunk.count }
        #expect(count == total && response.streamedTrailers?()?["grpc-status"] == "0")
      }
    }

    @Test func shutdownEndsAStream() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.send(.fields(connection.nextRequest()))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(streams: true))
        let reading = Task { try await response.body.collect(upTo: .max) }
        try await Task.sleep(for: .milliseconds(20))
        await transport.shutdown()
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.kind == .shutDown)
        await server.waitUntilIdle()
        #expect(await failure(of: transport, try server.request())?.kind == .shutDown)
      }
    }
  }

  /// Makes a script wait for a test.
  final class Gate: Sendable {
    private let opened = Locked(0)

    func open(_ number: Int) { opened.withLock { $0 = number } }

    func waitFor(_ number: Int) {
      while opened.withLock({ $0 }) < number { usleep(1000) }
    }
  }
#endif

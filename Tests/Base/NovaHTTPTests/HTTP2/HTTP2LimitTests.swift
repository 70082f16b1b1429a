#if GRPC
  import NovaHTTP
  import NovaLibc
  import NovaSupport
  import NovaTestSupport
  import Testing

  /// Deadlines, cancellation, and the numbers of streams.
  @Suite(.hangLimit) struct HTTP2LimitTests {
    @Test(arguments: [
      (
        TransferLimits(totalTimeout: .milliseconds(900)), TransportError.Kind.totalTimeout,
        "did not finish the response within 900 ms"
      ),
      (TransferLimits(idleTimeout: .milliseconds(100)), .idleTimeout, "no byte to or from"),
    ]) func silenceEndsACall(limits: TransferLimits, kind: TransportError.Kind, message: String) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.readAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request(limits: limits))
        #expect(error?.kind == kind && error?.requestMayHaveLeft == true)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        try await waitUntil { server.resets == [8] }
        // The next call gets another connection.
        try await waitUntil { server.openConnectionCount == 0 }
      }
    }

    /// The server takes no bytes of the body.
    @Test func aStalledWindowEndsTheCall() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings(windowSize: 10))
        try connection.readAll()
      } _: { server, transport in
        let limits = TransferLimits(idleTimeout: .milliseconds(100))
        let error = await failure(of: transport, try server.request(body: pattern(1000), limits: limits))
        #expect(error?.kind == .idleTimeout && error?.requestMayHaveLeft == true)
        try await waitUntil { server.resets == [8] }
        #expect(server.frames.filter { $0.kind == .data }.map(\.payload.count) == [10])
      }
    }

    /// A reader that takes its time is not a silent server.
    @Test func aSlowReaderIsNotIdle() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]))
        try connection.send(.data(stream, [2]), .fields(stream, status: nil, [("grpc-status", "0")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let limits = TransferLimits(idleTimeout: .milliseconds(500))
        let response = try await transport.send(server.request(streams: true, limits: limits))
        try await Task.sleep(for: .seconds(1))
        #expect(try await response.body.collect(upTo: 10) == [1, 2])
      }
    }

    @Test(arguments: [false, true]) func cancellationResetsTheStreamAtOnce(isStreamed: Bool) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request(streams: isStreamed)
        let call = Task { try await transport.send(request) }
        try await waitUntil { server.frames.contains { $0.kind == .data } }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await waitUntil { server.resets == [8] }
        #expect(server.openConnectionCount == 1)
      }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.answerAll()
      } _: { server, transport in
        let request = try server.request()
        let call = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await transport.send(request)
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await transport.send(request).status == 200)
        #expect(server.frames.count { $0.kind == .headers } == 1)
      }
    }

    /// A call that waits for a connection is cancelled without one.
    @Test func cancellationEndsTheWaitForAConnection() async throws {
      let server = try RawServer { $0.hang() }
      let transport = HTTP2Transport()
      let request = try HTTPRequest.grpc("grpc://127.0.0.1:\(server.port)")
      let call = Task { try await transport.send(request) }
      await server.waitForConnections(1)
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      await transport.shutdown()
      server.stop()
    }

    /// The server's limit, also one that it changes, and zero.
    @Test func theServersLimitOfStreamsIsKept() async throws {
      let most = Locked(0)
      try await withFrameServer { connection in
        try connection.send(.settings(maximumStreams: 2))
        var open: [Int] = []
        var limit = 2
        for number in 1...20 {
          open.append(try connection.nextRequest())
          most.withLock { $0 = max($0, open.count - limit) }
          guard open.count == limit else { continue }
          if number == 10 {
            limit = 3
            try connection.send(.settings(maximumStreams: 3))
          }
          try connection.answer(open.removeFirst())
        }
        for stream in open { try connection.answer(stream) }
        try connection.answerAll()
      } _: { server, transport in
        let request = try server.request()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<20 { group.addTask { _ = try await transport.send(request) } }
          try await group.waitForAll()
        }
        #expect(most.withLock { $0 } == 0)
        #expect(server.connectionCount == 1)
      }
    }

    @Test func aServerWithoutRoomIsNamed() async throws {
      let options = HTTP2Transport.Options(
        connections: .init(connections: ConnectionLimits(queueTimeout: .milliseconds(100))))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings(maximumStreams: 0))
        try connection.readAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.kind == .totalTimeout && error?.requestMayHaveLeft == false)
        #expect(
          error?.message == "the request waited for its turn for longer than 100 ms: 127.0.0.1:\(server.port) allows 0 "
            + "streams at a time")
      }
    }

    /// Room that comes later is used.
    @Test func roomThatComesLaterIsUsed() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings(maximumStreams: 0))
        _ = try connection.next(.settings)
        usleep(50_000)
        try connection.send(.settings(maximumStreams: 1))
        try connection.answerAll()
      } _: { server, transport in
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
      }
    }

    /// The transport's own limit, and the words of its errors.
    @Test(arguments: [false, true]) func theTransportsLimitIsKept(isStream: Bool) async throws {
      let limits = ConnectionLimits(maximumTransfers: 1, maximumStreams: 1, queueTimeout: .milliseconds(100))
      let options = HTTP2Transport.Options(connections: .init(connections: limits))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]))
        try connection.answerAll()
      } _: { server, transport in
        var request = try server.request(streams: true)
        request.isOpenEnded = isStream
        let first = try await transport.send(request)
        let error = await failure(of: transport, request)
        #expect(error?.kind == .totalTimeout && error?.requestMayHaveLeft == false)
        #expect(
          error?.message
            == (isStream
              ? "the stream waited for its turn for longer than 100 ms: the maximum number of open streams is 1; end some, "
                + "or raise limits.max_streams"
              : "the request waited for its turn for longer than 100 ms: the maximum number of transfers is 1; raise "
                + "limits.max_transfers"))
        // The other kind has its own limit.
        request.isOpenEnded = !isStream
        request.streamsResponse = false
        #expect(try await transport.send(request).status == 200)
        _ = first
      }
    }

    /// A transport that is released closes its connections. A body that is still read keeps it.
    @Test func aReleasedTransportClosesItsConnections() async throws {
      let server = try FrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(.fields(stream), .data(stream, [1]), .data(stream, [2], isLast: true))
        try connection.readAll()
      }
      let body = try await HTTP2Transport().send(server.request(streams: true)).body
      #expect(server.openConnectionCount == 1)
      #expect(try await body.collect(upTo: 10) == [1, 2])
      let request = try server.request()
      _ = try await HTTP2Transport().send(request)
      try await waitUntil { server.openConnectionCount < 2 }
      server.stop()
    }

    @Test func shutdownEndsRunningAndWaitingCalls() async throws {
      let limits = ConnectionLimits(maximumTransfers: 3)
      let options = HTTP2Transport.Options(connections: .init(connections: limits))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request()
        let calls = (0..<6).map { _ in Task { try await transport.send(request) } }
        try await waitUntil { server.frames.count { $0.kind == .data } == 3 }
        await transport.shutdown()
        var kinds: [Bool] = []
        for call in calls {
          let error = await #expect(throws: TransportError.self) { try await call.value }
          #expect(error?.kind == .shutDown)
          kinds.append(error?.requestMayHaveLeft == true)
        }
        #expect(kinds.count { $0 } == 3)
        await server.waitUntilIdle()
      }
    }
  }
#endif

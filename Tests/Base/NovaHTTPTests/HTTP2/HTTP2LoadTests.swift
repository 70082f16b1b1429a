#if GRPC
  import NovaHTTP
  import NovaSupport
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// Many calls and streams at once: none is lost, and none stays open.
  @Suite(.hangLimit) struct HTTP2LoadTests {
    private static let options = HTTP2Transport.Options(
      connections: .init(connections: ConnectionLimits(maximumTransfers: 20_000, maximumStreams: 2000)))

    @Test func tenThousandCallsSucceedAtOnce() async throws {
      try await withFrameServer(options: Self.options) { connection in
        try connection.send(.settings())
        try connection.answerAll()
      } _: { server, transport in
        let request = try server.request()
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<10_000 {
            group.addTask { try await transport.send(request).trailers["grpc-status"] == "0" ? 1 : 0 }
          }
          return try await group.reduce(0, +)
        }
        #expect(count == 10_000 && server.connectionCount == 1)
      }
    }

    /// With a limit of the server, and connections that it ends all the time.
    @Test func callsSurviveAServerThatLeavesAllTheTime() async throws {
      try await withFrameServer(options: Self.options) { connection in
        try connection.send(.settings(maximumStreams: 10))
        for _ in 0..<50 { try connection.answer(connection.nextRequest()) }
        let last = try connection.nextRequest()
        try connection.send(.goAway(last - 2))
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request()
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<2000 { group.addTask { try await transport.send(request).body.bytes?.count ?? 0 } }
          return try await group.reduce(0, +)
        }
        #expect(count == 6000 && server.connectionCount >= 39)
      }
    }

    @Test func aThousandStreamsAreReadAtOnce() async throws {
      try await withFrameServer(options: Self.options) { connection in
        try connection.send(.settings())
        let streams = try (0..<1000).map { _ in
          let stream = try connection.nextRequest()
          try connection.send(.fields(stream))
          return stream
        }
        for number in 0..<3 { for stream in streams { try connection.send(.data(stream, [UInt8(number)])) } }
        for stream in streams {
          try connection.send(.fields(stream, status: nil, [("grpc-status", "0")], isLast: true))
        }
        try connection.readAll()
      } _: { server, transport in
        var request = try server.request(streams: true)
        request.isOpenEnded = true
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { [request] group in
          for _ in 0..<1000 {
            group.addTask {
              let response = try await transport.send(request)
              let body = try await response.body.collect(upTo: 10)
              return response.streamedTrailers?() == nil ? [] : body
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 1000 && bodies.allSatisfy { $0 == [0, 1, 2] })
        #expect(server.connectionCount == 1 && server.resets.isEmpty)
      }
    }

    /// Calls are cancelled at any time. In the end, the server has no open stream.
    @Test func cancelledCallsLeaveNoStreamOpen() async throws {
      try await withFrameServer(options: Self.options) { connection in
        try connection.send(.settings())
        while true {
          let stream = try connection.nextRequest()
          if stream % 4 == 1 { try connection.answer(stream) }
        }
      } _: { server, transport in
        let request = try server.request()
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<1000 {
            group.addTask {
              let call = Task { try await transport.send(request) }
              if number % 3 > 0 { try? await Task.sleep(for: .microseconds(number * 7 % 1000)) }
              call.cancel()
              _ = try? await call.value
            }
          }
        }
        // Every stream was answered or reset.
        try await waitUntil {
          let frames = server.frames
          let reset = Set(frames.filter { $0.kind == .reset }.map(\.stream))
          return frames.filter { $0.kind == .headers }.allSatisfy { $0.stream % 4 == 1 || reset.contains($0.stream) }
        }
        #expect(server.connectionCount == 1)
      }
    }

    /// Calls in a queue fail one after another, without deep recursion.
    @Test func tenThousandCallsFailAtOnce() async throws {
      let closed = try ClosedPort()
      defer { withExtendedLifetime(closed) {} }
      let transport = HTTP2Transport()
      let request = try HTTPRequest.grpc("grpc://127.0.0.1:\(closed.port)")
      let count = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<10_000 {
          group.addTask {
            do { return try await transport.send(request).status == 0 } catch {
              return (error as? TransportError)?.kind == .connectionRefused
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(count == 10_000)
      await transport.shutdown()
    }

    @Test func shutdownEndsAThousandCalls() async throws {
      try await withFrameServer(options: Self.options) { connection in
        try connection.send(.settings())
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request()
        let calls = (0..<1000).map { _ in Task { try await transport.send(request) } }
        try await waitUntil { server.frames.count { $0.kind == .headers } > 500 }
        await transport.shutdown()
        for call in calls { await #expect(throws: TransportError.self) { try await call.value } }
        await server.waitUntilIdle()
      }
    }
  }
#endif

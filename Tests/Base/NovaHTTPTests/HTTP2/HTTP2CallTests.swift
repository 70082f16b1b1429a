#if GRPC
  import NovaHTTP
  import NovaTestSupport
  import Testing

  /// Calls whose response is in memory.
  @Suite(.hangLimit) struct HTTP2CallTests {
    @Test func aCallHasItsHeadItsBodyAndItsTrailers() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        try connection.send(
          .fields(stream, [("content-type", "application/grpc"), ("a", "1"), ("a", "2")]), .data(stream, [1]),
          .data(stream, [2, 3]),
          .fields(stream, status: nil, [("grpc-status", "0"), ("b", "")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
        #expect(response.headers == ["content-type": "application/grpc", "a": "1", "a": "2"])
        #expect(response.body == .bytes([1, 2, 3]))
        #expect(response.trailers == ["grpc-status": "0", "b": ""])
        #expect(response.streamedTrailers == nil)
      }
    }

    /// Everything that a server may do around a response.
    @Test(
      arguments: [
        // Only trailers: a head that is the last frame.
        ([.fields(1, [("grpc-status", "5")], isLast: true)], [], nil),
        // The end is a frame without bytes.
        ([.fields(1), .data(1, [1]), .data(1, [], isLast: true)], [1], nil),
        ([.fields(1), .data(1, [1], isLast: true)], [1], nil),
        // Interim responses.
        (
          [.fields(1, status: 100), .fields(1, status: 103, [("link", "a")]), .fields(1), .data(1, [2], isLast: true)],
          [2], nil
        ),
        ([.fields(1), .fields(1, status: nil, [("grpc-status", "0")], isLast: true)], [], "0"),
        // A reset after the end, without an error.
        ([.fields(1), .data(1, [3], isLast: true), .reset(1, 0)], [3], nil),
        ([.fields(1, [("content-length", "2")]), .data(1, [3, 4], isLast: true)], [3, 4], nil),
        // Frames that are allowed anywhere, and one of an unknown type.
        (
          [
            HTTP2Frame(type: 0xee, stream: 1, [1, 2]), HTTP2Frame(.ping, [UInt8](repeating: 1, count: 8)), .fields(1),
            .settings(windowSize: 100), .data(1, [5], isLast: true),
          ], [5], nil
        ),
      ] as [([HTTP2Frame], [UInt8], String?)])
    func responsesAreComplete(frames: [HTTP2Frame], body: [UInt8], status: String?) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        _ = try connection.nextRequest()
        try connection.send(frames.flatMap(\.bytes))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
        #expect(response.body == .bytes(body))
        #expect(response.trailers["grpc-status"] == status)
      }
    }

    @Test(arguments: [0, 1, 100, 16_384, 16_385, 1_000_000, 5_000_000]) func bodiesArriveWhole(count: Int) async throws
    {
      let body = pattern(count)
      try await withFrameServer { connection in
        try connection.send(.settings(windowSize: 1 << 20))
        // The connection's window.
        try connection.send(HTTP2Frame(.windowUpdate, [0x7f, 0, 0, 0]))
        var sent = 0
        while true {
          var received: [UInt8] = []
          var frame = try connection.next(.headers)
          while !frame.isLast {
            frame = try connection.next(.data)
            received += frame.payload
            if !frame.isLast {
              try connection.send(HTTP2Frame(.windowUpdate, stream: frame.stream, [0, 0, 0x40, 0]))
            }
          }
          try connection.send(.fields(frame.stream))
          for start in Swift.stride(from: 0, to: received.count, by: 16_384) {
            let part = Array(received[start..<min(start + 16_384, received.count)])
            // The windows end before the body does, unless the client opens them again while it reads.
            while min(
              connection.openedWindow() + 65_535 - sent, connection.openedWindow(of: frame.stream) + (1 << 20) - start)
              < part.count
            {
              _ = try connection.next()
            }
            try connection.send(.data(frame.stream, part))
            sent += part.count
          }
          try connection.send(.fields(frame.stream, status: nil, [("grpc-status", "0")], isLast: true))
        }
      } _: { server, transport in
        for _ in 0..<2 {
          let response = try await transport.send(server.request(body: body))
          #expect(response.body.bytes == body)
        }
        #expect(server.connectionCount == 1)
      }
    }

    @Test func callsShareAConnection() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        // The last one is answered first.
        let streams = try (0..<5).map { _ in try connection.nextRequest() }
        for stream in streams.reversed() { try connection.answer(stream, [UInt8(stream)]) }
        try connection.readAll()
      } _: { server, transport in
        let request = try server.request()
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
          for _ in 0..<5 { group.addTask { try await transport.send(request).body.bytes ?? [] } }
          return try await group.reduce(into: []) { $0.append($1[0]) }
        }
        #expect(bodies.sorted() == [1, 3, 5, 7, 9])
        #expect(server.connectionCount == 1)
      }
    }

    /// Messages of failures are sent as they are.
    @Test(
      arguments: ["no user ", " no user", "\tno\tuser\t", " ", "", "no \u{7D}~ user", "kein Nützer"], [false, true])
    func messagesMayBeginAndEndWithSpaces(message: String, inTrailers: Bool) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        if inTrailers { try connection.send(.fields(stream)) }
        let status = inTrailers ? nil : 200
        try connection.send(
          .fields(stream, status: status, [("grpc-status", "5"), ("grpc-message", message)], isLast: true))
      } _: { server, transport in
        let response = try await transport.send(server.request())
        let fields = inTrailers ? response.trailers : response.headers
        #expect(fields["grpc-status"] == "5")
        #expect(fields["grpc-message"] == message)
      }
    }

    /// The server responds before it has the whole request, and does not want the rest.
    @Test func anEarlyResponseCounts() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.next(.headers).stream
        try connection.send(.fields(stream, [("grpc-status", "8")], isLast: true))
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request(body: pattern(1_000_000)))
        #expect(response.headers["grpc-status"] == "8")
        try await waitUntil { server.resets == [0] }
      }
    }
  }
#endif

#if GRPC
  @testable import NovaHTTP
  import NovaSupport
  import NovaTestSupport
  import Testing

  /// Connections that are silent: pings, dead connections, and unused ones.
  @Suite(.hangLimit) struct HTTP2PingTests {
    /// A silent connection with an open stream is checked, and a server that responds keeps it.
    @Test func aSilentStreamIsKeptByPings() async throws {
      let options = HTTP2Transport.Options(pingInterval: .milliseconds(30))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        for _ in 0..<3 { try connection.send(connection.next(.ping).acknowledgement) }
        try connection.answer(stream)
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
        // Nothing is sent while no stream is open.
        try await Task.sleep(for: .milliseconds(50))
        let count = server.frames.count { $0.kind == .ping }
        try await Task.sleep(for: .milliseconds(150))
        #expect(server.frames.count { $0.kind == .ping } == count)
      }
    }

    @Test func aDeadConnectionIsNoticed() async throws {
      let options = HTTP2Transport.Options(pingInterval: .milliseconds(200), pingTimeout: .milliseconds(500))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        if connection.number == 1 { while true { _ = try connection.next() } }
        try connection.answer(stream)
        try connection.readAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request())
        #expect(error?.kind == .connectionLost && error?.requestMayHaveLeft == true)
        #expect(error?.message == "127.0.0.1:\(server.port) did not respond to a ping within 500 ms")
        let response2 = try await transport.send(server.request())
        #expect(response2.status == 200)
        #expect(server.connectionCount == 2)
      }
    }

    /// A server that stopped responding keeps the connection; the next attempt gets another one.
    @Test(arguments: [0, 3]) func aCallAfterATimeoutGetsAnotherConnection(bytesBeforeSilence: Int) async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        if connection.number == 1 {
          if bytesBeforeSilence > 0 {
            try connection.send(.fields(stream))
            try connection.send(.data(stream, [UInt8](repeating: 0, count: bytesBeforeSilence)))
          }
          try connection.readAll()
        }
        try connection.answer(stream)
        try connection.readAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request(limits: .init(idleTimeout: .milliseconds(150))))
        #expect(error?.kind == .idleTimeout)
        #expect(try await transport.send(server.request()).status == 200)
        #expect(server.connectionCount == 2)
      }
    }

    /// Pings do not hide that a call gets no response.
    @Test func pingsDoNotExtendACall() async throws {
      let options = HTTP2Transport.Options(pingInterval: .milliseconds(20))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        try connection.readAll()
      } _: { server, transport in
        let error = await failure(of: transport, try server.request(limits: .init(idleTimeout: .milliseconds(150))))
        #expect(error?.kind == .idleTimeout)
      }
    }

    /// A connection that was unused for long is checked before a call is entrusted to it.
    @Test(arguments: [false, true]) func anUnusedConnectionIsChecked(isDead: Bool) async throws {
      let time = AddedTime()
      var options = HTTP2Transport.Options(pingTimeout: isDead ? .milliseconds(100) : .seconds(20))
      options.connections.addedTime = time
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        try connection.answer(connection.nextRequest())
        let ping = try connection.next(.ping)
        if isDead, connection.number == 1 { while true { _ = try connection.next() } }
        try connection.send(ping.acknowledgement)
        try connection.answerAll()
      } _: { server, transport in
        let response3 = try await transport.send(server.request())
        #expect(response3.status == 200)
        time.advance(by: .seconds(3600))
        let response4 = try await transport.send(server.request())
        #expect(response4.status == 200)
        #expect(server.connectionCount == (isDead ? 2 : 1))
        #expect(server.frames.count { $0.kind == .headers } == 2)
      }
    }

    /// A server that complains about pings closes the connection, and its calls are sent again.
    @Test func aServerThatComplainsAboutPingsIsUsedAgain() async throws {
      let options = HTTP2Transport.Options(pingInterval: .milliseconds(40))
      try await withFrameServer(options: options) { connection in
        try connection.send(.settings())
        let stream = try connection.nextRequest()
        if connection.number == 1 {
          _ = try connection.next(.ping)
          return try connection.send(.goAway(0, code: 11, text: "too_many_pings"))
        }
        try connection.answer(stream)
        try connection.readAll()
      } _: { server, transport in
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
      }
    }

    @Test func pingsBecomeRarer() throws {
      let core = HTTP2Core(options: .init())
      let channel = HTTP2Channel(to: try HTTPURL(parsingService: "grpc://localhost:1").origin, core: core)
      for interval in [Duration.seconds(60), nil] {
        let endpoint = HTTP2Endpoint(channel.origin, address: nil, channel: channel, pingInterval: interval)
        endpoint.slowPings()
        #expect(endpoint.pingInterval == interval.map { $0 * 2 })
      }
      withExtendedLifetime(core) {}
    }
  }
#endif

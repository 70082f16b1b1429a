import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

@Suite(.hangLimit) struct ConnectionTests {
  // MARK: Closing

  private static let closes: [(RawFrame, WebSocketClosure, UInt16?)] = [
    (RawFrame(close: 1000, "done"), WebSocketClosure(code: .normal, reason: "done"), 1000),
    (RawFrame(close: 4429, "too slow"), WebSocketClosure(code: .init(rawValue: 4429), reason: "too slow"), 4429),
    (RawFrame(close: 1012), WebSocketClosure(code: .restart), 1012),
    (RawFrame(RawFrame.close), WebSocketClosure(code: .noCode), nil),
  ]

  @Test(arguments: closes)
  func theServersCloseIsAnswered(frame: RawFrame, closure: WebSocketClosure, code: UInt16?) async throws {
    let seen = Seen<RawFrame>()
    try await withRawServer({ connection in
      try connection.open(RawFrame(text: "a"), frame, RawFrame(text: "never read"))
      let reader = FrameReader(connection)
      if let frame = reader.next() { seen.add(frame) }
    }) { server in
      let socket = try await connect(to: server)
      #expect(try await socket.receiveAll() == [.text("a")])
      #expect(socket.closure == closure)
      #expect(try await socket.receive() == nil, "the end stays the end")
      await server.waitUntilIdle()
      #expect(seen.all.map(\.opcode) == [RawFrame.close] && seen.all.first?.closeCode == code)
    }
  }

  private static let ownCloses: [(WebSocketCloseCode, String, UInt16?)] = [
    (.normal, "", 1000), (.init(rawValue: 4000), "bye", 4000), (.noCode, "lost", nil),
    (.init(rawValue: 1006), "", nil), (.normal, String(repeating: "ą", count: 100), 1000),
  ]

  @Test(arguments: ownCloses)
  func closingIsAnsweredByTheServer(code: WebSocketCloseCode, reason: String, sent: UInt16?) async throws {
    let seen = Seen<RawFrame>()
    try await withRawServer({ connection in
      try connection.open()
      if let frame = FrameReader(connection).next() { seen.add(frame) }
      try connection.send(RawFrame(text: "on its way"))
      try connection.send(RawFrame(close: 1000, "ok"))
    }) { server in
      let socket = try await connect(to: server)
      await socket.close(code, reason: reason)
      #expect(socket.closure == WebSocketClosure(code: .normal, reason: "ok"))
      #expect(try await socket.receiveAll() == [])
      let frame = try #require(seen.all.first)
      #expect(frame.closeCode == sent)
      #expect(frame.payload.count <= 125)
      #expect(sent == nil || reason.hasPrefix(String(decoding: frame.payload.dropFirst(2), as: UTF8.self)))
      await #expect(throws: TransportError.self) { try await socket.send("late") }
      await socket.close()
    }
  }

  @Test func aCloseWithoutAnswerEndsInTime() async throws {
    try await withRawServer({ connection in
      try connection.open()
      connection.hang()
    }) { server in
      let clock = ManualClock()
      let socket = try await connect(to: server, clock: clock)
      async let closed: Void = socket.close()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
      await closed
      #expect(await transportFailure { try await socket.receive() }?.kind == .connectionLost)
      #expect(socket.closure == nil)
    }
  }

  @Test(arguments: [true, false]) func aConnectionThatEndsWithoutACloseIsLost(isReset: Bool) async throws {
    try await withRawServer({ connection in
      try connection.open(RawFrame(text: "a"))
      _ = FrameReader(connection).next()
      if isReset { connection.reset() }
    }) { server in
      let socket = try await connect(to: server)
      #expect(try await socket.receive() == .text("a"))
      try await socket.send("go")
      #expect(await transportFailure { try await socket.receive() }?.kind == .connectionLost)
      #expect(await transportFailure { try await socket.send("b") }?.kind == .connectionLost)
    }
  }

  @Test func aDroppedConnectionIsClosed() async throws {
    try await withRawServer({ connection in
      try connection.open()
      connection.hang()
    }) { server in
      do { _ = try await connect(to: server, limits: WebSocketLimits()) }
      await server.waitUntilIdle()
    }
  }

  // MARK: Pings

  @Test func aPongAnswersAPing() async throws {
    try await withRawServer({ connection in
      try connection.open()
      let reader = FrameReader(connection)
      while let frame = reader.next() {
        // First a pong that does not belong to the ping.
        try connection.send(RawFrame(RawFrame.pong, [0]))
        try connection.send(RawFrame(RawFrame.pong, frame.payload))
      }
    }) { server in
      let clock = ManualClock()
      let socket = try await connect(to: server, clock: clock)
      async let end = transportFailure { try await socket.receive() }
      for _ in 0..<3 { try await socket.ping() }
      server.stop()
      #expect(await end?.kind == .connectionLost)
    }
  }

  /// The peer has disappeared without closing the connection, as in a broken network.
  @Test func withoutAPongTheConnectionIsLost() async throws {
    try await withRawServer({ connection in
      try connection.open()
      connection.hang()
    }) { server in
      let clock = ManualClock()
      let socket = try await connect(to: server, clock: clock)
      async let end = transportFailure { try await socket.receive() }
      async let ping = transportFailure { try await socket.ping() }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
      #expect(await ping?.kind == .idleTimeout)
      #expect(await end?.kind == .idleTimeout)
      await server.waitUntilIdle()
    }
  }

  @Test func aSilentServerIsPingedAndLeft() async throws {
    let seen = Seen<UInt8>()
    try await withRawServer({ connection in
      try connection.open()
      let reader = FrameReader(connection)
      while let frame = reader.next() {
        seen.add(frame.opcode)
      }
    }) { server in
      let clock = ManualClock()
      let socket = try await connect(to: server, limits: WebSocketLimits(), clock: clock)
      async let end = transportFailure { try await socket.receive() }
      // The handshake's deadline is a sleeper until it is cancelled, so several steps are needed.
      try await waitUntil {
        clock.advanceToNextSleeper()
        return socket.isOver(server)
      }
      #expect(await end?.kind == .idleTimeout)
      #expect(seen.all == [RawFrame.ping])
    }
  }

  /// The interval starts with the last frame.
  @Test func aSilentServerIsPingedAfterTheInterval() async throws {
    let seen = Seen<UInt8>()
    try await withRawServer({ connection in
      try connection.open()
      let reader = FrameReader(connection)
      while let frame = reader.next() {
        seen.add(frame.opcode)
        if frame.opcode == RawFrame.text { try connection.send(RawFrame(text: "answer")) }
      }
    }) { server in
      let clock = ManualClock()
      let limits = WebSocketLimits(handshakeTimeout: .seconds(3600))
      let socket = try await connect(to: server, limits: limits, clock: clock)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(19))
      try await socket.send("a")
      #expect(try await socket.receive() == .text("answer"))
      let answered = clock.elapsed
      async let end = transportFailure { try await socket.receive() }
      try await waitUntil {
        // Stops at the time at which the ping must arrive.
        if clock.elapsed - answered < .seconds(20) { clock.advance(by: .milliseconds(500)) }
        return seen.all.contains(RawFrame.ping)
      }
      #expect(clock.elapsed - answered == .seconds(20))
      server.stop()
      #expect(await end != nil)
    }
  }

  // MARK: Backpressure and cancellation

  @Test func whatIsNotReceivedIsNotRead() async throws {
    let sent = Seen<Int>()
    let text = String(repeating: "x", count: 10_000)
    let count = 3000
    try await withRawServer({ connection in
      try connection.open()
      for number in 0..<count {
        try connection.send(RawFrame(text: "\(number) " + text))
        sent.add(number)
      }
      try connection.send(RawFrame(close: 1000))
      connection.hang()
    }) { server in
      let socket = try await connect(to: server)
      var last = -1
      try await waitUntil {
        try await Task.sleep(for: .milliseconds(100))
        defer { last = sent.all.count }
        return last == sent.all.count
      }
      #expect(sent.all.count < count, "the client took \(sent.all.count) messages of 10 KB without a receiver")
      // A pong after these messages cannot arrive, but the connection stays open.
      var number = 0
      while case .text(let message) = try await socket.receive() {
        #expect(message.hasPrefix("\(number) "))
        number += 1
      }
      #expect(number == count)
    }
  }

  /// A peer may send any number of pings without reading the pongs. Pongs that cannot be sent are replaced by the pong
  /// of the newest ping.
  @Test func answersDoNotPileUp() async throws {
    let pongs = Seen<RawFrame>()
    let (count, payload) = (TestDepth.isFull() ? 200_000 : 120_000, [UInt8](repeating: 1, count: 121))
    try await withRawServer({ connection in
      try connection.open()
      for start in stride(from: 0, to: count, by: 100) {
        let pings = (start..<start + 100).map { number in
          RawFrame(RawFrame.ping, payload + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        }
        try connection.write(pings.flatMap(\.bytes))
      }
      try connection.send(RawFrame(text: "all"))
      let reader = FrameReader(connection)
      while let frame = reader.next(), frame.opcode == RawFrame.pong { pongs.add(frame) }
    }) { server in
      let socket = try await connect(to: server)
      #expect(try await socket.receive() == .text("all"), "pings are read, whether or not their answers are")
      await socket.close()
      await server.waitUntilIdle()
      let numbers = pongs.all.map { $0.payload.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } }
      #expect(numbers.count < count && numbers.last == count - 1, "\(numbers.count) \(numbers.last ?? -1)")
      #expect(numbers == numbers.sorted())
    }
  }

  @Test func sendingWaitsForThePeer() async throws {
    try await withRawServer({ connection in
      try connection.open()
      connection.hangWithoutReading()
    }) { server in
      let socket = try await connect(to: server)
      let sent = Seen<Int>()
      let task = Task {
        for number in 0..<10_000 {
          try await socket.send(.binary(Array(repeating: 1, count: 100_000)))
          sent.add(number)
        }
      }
      var last = -1
      try await waitUntil {
        try await Task.sleep(for: .milliseconds(200))
        defer { last = sent.all.count }
        return last == sent.all.count
      }
      #expect(sent.all.count < 1000)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func cancellingTheReceiverClosesTheConnection() async throws {
    try await withRawServer({ connection in
      try connection.open(RawFrame(text: "a"))
      connection.hang()
    }) { server in
      let socket = try await connect(to: server)
      #expect(try await socket.receive() == .text("a"))
      let task = Task { try await socket.receive() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await server.waitUntilIdle()
      await #expect(throws: CancellationError.self) { try await socket.receive() }
    }
  }

  @Test func onlyOneTaskReceives() async throws {
    try await withRawServer({ connection in
      try connection.open()
      connection.hang()
    }) { server in
      let socket = try await connect(to: server)
      let results = await withTaskGroup(of: TransportError?.self) { group in
        for _ in 0..<2 { group.addTask { await transportFailure { try await socket.receive() } } }
        let first = await group.next() ?? nil
        server.stop()
        return [first, await group.next() ?? nil]
      }
      #expect(results.map { $0?.kind } == [.other, .connectionLost])
    }
  }
}

extension WebSocketConnection {
  /// Whether the connection has ended on both sides.
  fileprivate func isOver(_ server: RawServer) -> Bool { server.openConnectionCount == 0 }
}

import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

@Suite(.hangLimit) struct MessageTests {
  /// The response and the frames arrive in two parts, split at each byte.
  @Test func everythingCanBeSplitAtEveryByte() async throws {
    let frames = [
      RawFrame(text: "zażółć 👋"), RawFrame(text: "frag", isFinal: false), RawFrame(RawFrame.ping, [1, 2]),
      RawFrame(0, Array("ment".utf8)), RawFrame(RawFrame.binary, Array(repeating: 7, count: 200)),
      RawFrame(text: ""), RawFrame(close: 4401, "token"),
    ]
    let bytes = frames.flatMap(\.bytes)
    try await withRawServer({ connection in
      guard let response = try connection.handshakeResponse() else { return }
      let all = response + bytes
      let place = (connection.number - 1) % all.count
      try connection.write(Array(all[..<place]))
      _ = connection.isClosed(within: .milliseconds(1))
      try connection.write(Array(all[place...]))
      connection.hang()
    }) { server in
      for number in 1...(bytes.count + 150) {
        let socket = try await connect(to: server)
        let messages = try await socket.receiveAll()
        #expect(
          messages == [
            .text("zażółć 👋"), .text("fragment"), .binary(Array(repeating: 7, count: 200)), .text(""),
          ], "split before byte \(number - 1)")
        #expect(socket.closure == WebSocketClosure(code: .init(rawValue: 4401), reason: "token"))
      }
    }
  }

  @Test func framesAreMaskedWithRandomKeys() async throws {
    let seen = Seen<RawFrame>()
    try await withRawServer({ connection in
      try connection.open()
      seen.add(FrameReader(connection).rest())
    }) { server in
      let socket = try await connect(to: server)
      let large = String(repeating: "ä", count: 70_000)
      let messages: [WebSocketMessage] = [.text("a"), .binary([0, 255]), .text(""), .text(large)]
      for message in messages { try await socket.send(message) }
      await socket.close(.goingAway, reason: "bye")
      await server.waitUntilIdle()
      let frames = seen.all
      #expect(frames.count == 5)
      #expect(frames.prefix(4).map(\.opcode) == [1, 2, 1, 1])
      #expect(frames.map(\.payload.count) == [1, 2, 0, 140_000, 5])
      #expect(frames.last?.closeCode == 1001)
      #expect(frames.allSatisfy { $0.isFinal && $0.reservedBits == 0 && $0.mask != nil })
      #expect(Set(frames.compactMap(\.mask)).count == 5)
    }
  }

  @Test func pingsAreAnswered() async throws {
    let seen = Seen<RawFrame>()
    let payloads: [[UInt8]] = [[], [1], Array(repeating: 9, count: 125)]
    try await withRawServer({ connection in
      try connection.open()
      let reader = FrameReader(connection)
      for payload in payloads {
        try connection.send(RawFrame(RawFrame.ping, payload))
        if let frame = reader.next() { seen.add(frame) }
      }
      // Unsolicited pongs.
      try connection.send(RawFrame(RawFrame.pong, [1, 2, 3, 4, 5, 6, 7, 8]))
      try connection.send(RawFrame(close: 1000))
      seen.add(reader.rest())
    }) { server in
      let socket = try await connect(to: server)
      #expect(try await socket.receiveAll() == [])
      #expect(socket.closure == WebSocketClosure(code: .normal))
      await server.waitUntilIdle()
      #expect(seen.all.map(\.opcode) == [10, 10, 10, 8])
      #expect(seen.all.prefix(3).map(\.payload) == payloads)
    }
  }

  private struct Violation: Sendable, CustomTestStringConvertible {
    let code: UInt16
    let frames: [RawFrame]

    init(_ code: UInt16, _ frames: RawFrame...) { (self.code, self.frames) = (code, frames) }

    var testDescription: String { "\(code) for \(frames.map { Array($0.bytes.prefix(12)) })" }
  }

  private static let many = [UInt8](repeating: 65, count: 600)

  /// Violations by a server, and the code with which the client closes the connection.
  private static let violations: [Violation] =
    [
      Violation(1002, RawFrame(RawFrame.text, [65], mask: [1, 2, 3, 4])),
      Violation(1002, RawFrame(RawFrame.text, [65], reservedBits: 4)),
      Violation(1002, RawFrame(RawFrame.text, [65], reservedBits: 1)),
      Violation(1002, RawFrame(3)), Violation(1002, RawFrame(11)),
      Violation(1002, RawFrame(RawFrame.ping, isFinal: false)),
      Violation(1002, RawFrame(RawFrame.ping, Array(many.prefix(126)))),
      Violation(1002, RawFrame(text: "a", lengthBytes: 2)), Violation(1002, RawFrame(text: "a", lengthBytes: 8)),
      Violation(1002, RawFrame(text: String(repeating: "a", count: 125), lengthBytes: 2)),
      Violation(1002, RawFrame(text: String(repeating: "a", count: 600), lengthBytes: 8)),
      Violation(1002, RawFrame(0, [65])),
      Violation(1002, RawFrame(text: "a", isFinal: false), RawFrame(text: "b")),
      Violation(1002, RawFrame(text: "a", isFinal: false), RawFrame(RawFrame.binary)),
      Violation(1007, RawFrame(RawFrame.text, [0xff])), Violation(1007, RawFrame(RawFrame.text, [0xc3])),
      Violation(1007, RawFrame(RawFrame.text, [0xed, 0xa0, 0x80])),
      Violation(1007, RawFrame(RawFrame.text, [0xc0, 0xaf])),
      // Detected in the first fragment, before the end of the message.
      Violation(1007, RawFrame(RawFrame.text, [65, 0xf4, 0x90], isFinal: false)),
      Violation(1007, RawFrame(RawFrame.text, [0xe2, 0x82], isFinal: false), RawFrame(0, [0x41])),
      Violation(1009, RawFrame(RawFrame.text, many + many)),
      Violation(1009, RawFrame(RawFrame.text, many, isFinal: false), RawFrame(0, many)),
      Violation(1002, RawFrame(RawFrame.close, [3])),
      Violation(1007, RawFrame(RawFrame.close, RawFrame.bytes(of: 1000) + [0xff])),
    ] + [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000].map { Violation(1002, RawFrame(close: $0)) }

  @Test(arguments: violations) private func violationsCloseTheConnection(_ violation: Violation) async throws {
    let (code, frames) = (violation.code, violation.frames)
    let seen = Seen<RawFrame>()
    try await withRawServer({ connection in
      try connection.open(RawFrame(text: "before"))
      for frame in frames { try connection.send(frame) }
      try connection.send(RawFrame(text: "after"))
      seen.add(FrameReader(connection).rest())
    }) { server in
      let limits = WebSocketLimits.quiet(maximumFrameBytes: 1024, maximumMessageBytes: 1024)
      let socket = try await connect(to: server, limits: limits)
      #expect(try await socket.receive() == .text("before"))
      let error = await transportFailure { try await socket.receive() }
      #expect(error?.kind == (code == 1009 ? .responseTooLarge : .malformedResponse), "\(String(describing: error))")
      await server.waitUntilIdle()
      #expect(seen.all.map(\.closeCode) == [code])
      #expect(socket.closure == nil)
      #expect(await transportFailure { try await socket.send("late") }?.requestMayHaveLeft == false)
    }
  }

  /// The length in a frame's header is enough to refuse it.
  @Test func hugeFramesAreRefusedBeforeTheyArrive() async throws {
    let seen = Seen<RawFrame>()
    try await withRawServer({ connection in
      try connection.open()
      try connection.write([0x82, 127, 0x7f] + [UInt8](repeating: 0xff, count: 7))
      seen.add(FrameReader(connection).rest())
    }) { server in
      let socket = try await connect(to: server)
      #expect(await transportFailure { try await socket.receive() }?.kind == .responseTooLarge)
      await server.waitUntilIdle()
      #expect(seen.all.first?.closeCode == 1009)
    }
  }

  @Test func messagesOfTheLargestSizeArrive() async throws {
    let limits = WebSocketLimits.quiet(maximumFrameBytes: 1024, maximumMessageBytes: 2048)
    try await withRawServer({ connection in
      let half = [UInt8](repeating: 65, count: 1024)
      try connection.open(RawFrame(RawFrame.text, half, isFinal: false), RawFrame(0, half), RawFrame(close: 1000))
    }) { server in
      let messages = try await connect(to: server, limits: limits).receiveAll()
      #expect(messages == [.text(String(repeating: "A", count: 2048))])
    }
  }
}

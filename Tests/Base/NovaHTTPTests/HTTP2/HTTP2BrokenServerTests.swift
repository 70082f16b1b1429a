#if GRPC
  import NovaHTTP
  import NovaSupport
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// Servers whose connection ends at any byte, or that send any byte wrong: each call ends, and only a whole response
  /// counts as one.
  @Suite(.hangLimit) struct HTTP2BrokenServerTests {
    /// What a server sends for one call.
    private static let conversation =
      HTTP2Frame.settings(maximumStreams: 100).bytes
      + HTTP2Frame.fields(1, [("content-type", "application/grpc"), ("a", "b")]).bytes
      + HTTP2Frame.data(1, [0, 0, 0, 0, 2, 8, 1]).bytes + HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]).bytes
      + HTTP2Frame.fields(1, status: nil, [("grpc-status", "0")], isLast: true).bytes

    /// Makes a call for each variant of the conversation.
    private func outcomes(
      _ variants: [[UInt8]], isStreamed: Bool = false
    ) async throws -> [Result<[UInt8], any Error>] {
      let current = Locked(variants[0])
      let server = try FrameServer { connection in
        let bytes = current.withLock { $0 }
        let settings = min(bytes.count, HTTP2Frame.settings(maximumStreams: 100).bytes.count)
        try connection.send(Array(bytes[..<settings]))
        if bytes.count > settings { _ = try connection.next(.data) }
        try connection.send(Array(bytes[settings...]))
      }
      var outcomes: [Result<[UInt8], any Error>] = []
      for variant in variants {
        current.withLock { $0 = variant }
        let transport = HTTP2Transport()
        let limits = TransferLimits(connectTimeout: .seconds(5), idleTimeout: .seconds(5), totalTimeout: .seconds(10))
        let request = try HTTPRequest.grpc("grpc://127.0.0.1:\(server.port)", streams: isStreamed, limits: limits)
        do {
          let response = try await transport.send(request)
          outcomes.append(.success(try await response.body.collect(upTo: 100)))
        } catch { outcomes.append(.failure(error)) }
        await transport.shutdown()
      }
      server.stop()
      return outcomes
    }

    @Test(arguments: [false, true]) func anEndAtAnyByteIsAnError(isStreamed: Bool) async throws {
      let whole = Self.conversation
      let lengths = TestDepth.cases(0...whole.count, sample: 60) { $0 == whole.count }
      let outcomes = try await outcomes(lengths.map { Array(whole[..<$0]) }, isStreamed: isStreamed)
      for (length, outcome) in zip(lengths, outcomes) {
        switch outcome {
        case .success: #expect(length == whole.count, "\(length) bytes")
        case .failure(let error as TransportError):
          #expect(length < whole.count && error.kind != .totalTimeout, "\(length) bytes: \(error)")
        case .failure(let error): Issue.record("\(length) bytes: \(error)")
        }
      }
    }

    /// One byte is another one. The call ends in any case.
    @Test func anyWrongByteEndsTheCall() async throws {
      var random = SeededGenerator(seed: TestDepth.seed)
      let variants = (0..<(TestDepth.isFull() ? 2000 : 100)).map { _ in
        var bytes = Self.conversation
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        return bytes
      }
      for (variant, outcome) in zip(variants, try await outcomes(variants)) {
        if case .failure(let error) = outcome { #expect(error is TransportError, "\(variant): \(error)") }
      }
    }
  }
#endif

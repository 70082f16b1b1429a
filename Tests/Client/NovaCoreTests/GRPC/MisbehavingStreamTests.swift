#if GRPC
  import NovaCore
  import NovaTestSupport
  import Testing

  /// Streams that break: nothing but status 0 ends one.
  @Suite(.hangLimit) struct MisbehavingStreamTests {
    private static let anyFailure = Misbehavior.Outcome.failure([
      .serverError, .invalidResponse, .unavailable, .networkError, .cancelled, .rateLimited, .unimplemented,
      .decodingError,
    ])

    /// The behavior, and how many messages arrive before the failure.
    static let rows: [(row: Misbehavior, messages: Int)] = [
      (Misbehavior("no-trailers", ["messages": "3"], fails: .unknown), 3),
      (Misbehavior("no-trailers", ["messages": "0"], fails: .unknown, attempts: 1), 0),
      (Misbehavior("no-status", ["messages": "3"], fails: .unknown), 3),
      (Misbehavior("status-before", ["messages": "2"], fails: .unknown), 2),
      (Misbehavior("head-alone", fails: .unknown), 0),
      (Misbehavior("trailers-only", fails: .notFound), 0),
      (
        Misbehavior("failing-stream", ["messages": "3"], fails: .unavailable, message: "in the middle"),
        3
      ),
      (Misbehavior("status-twice", fails: .internalError), 1),
      (Misbehavior("half-prefix", ends: anyFailure), 0), (Misbehavior("second-message-cut", ends: anyFailure), 1),
      (Misbehavior("prefix", ["flag": "1"], ends: anyFailure), 0),
      (Misbehavior("prefix", ["flag": "2"], ends: anyFailure), 0),
      (Misbehavior("prefix", ["length": "100"], ends: anyFailure), 0), (Misbehavior("gzip", ends: anyFailure), 0),
      (Misbehavior("malformed", ends: anyFailure), 0),
      (Misbehavior("reset", ["code": "0", "step": "message"], fails: .internalError), 1),
      (Misbehavior("reset", ["code": "2", "step": "half"], fails: .internalError, attempts: 1), 0),
      (Misbehavior("reset", ["code": "8", "step": "message"], fails: .cancelled), 1),
      (Misbehavior("reset", ["code": "11", "step": "message"], fails: .resourceExhausted), 1),
      (Misbehavior("close", ["step": "message"], ends: anyFailure), 1),
      (Misbehavior("close", ["step": "half"], ends: anyFailure), 0),
      (Misbehavior("close", ["step": "message", "how": "rst"], ends: anyFailure), 1),
      (Misbehavior("goaway", ["step": "message"], ends: anyFailure), 1),
      (Misbehavior("http-status", ["code": "200"], fails: .unknown), 0),
      (Misbehavior("http-status", ["code": "404"], fails: .unimplemented), 0),
    ]

    @Test(arguments: rows) func nothingButStatusZeroEndsAStream(_ row: (row: Misbehavior, messages: Int)) async throws {
      let result = try await row.row.run(.stream)
      #expect(row.row.problem(of: result) == nil)
      #expect(result.messages == row.messages, "\(row.row.testDescription)")
    }

    static let whole: [(row: Misbehavior, messages: Int)] = [
      (Misbehavior("well", ends: .success), 2), (Misbehavior("success-in-the-head", ends: .success), 0),
      (Misbehavior("no-message", ends: .success), 0), (Misbehavior("byte-by-byte", ends: .success), 1),
      (Misbehavior("empty-frames", ends: .success), 1), (Misbehavior("reset-after-trailers", ends: .success), 2),
      (Misbehavior("goaway-in-stream", ["messages": "7"], ends: .success), 7),
      (Misbehavior("goaway-twice", ends: .success), 2),
      (Misbehavior("goaway", ["answers": "yes"], ends: .success), 2),
      (Misbehavior("reset", ["code": "7"], first: 1, ends: .success), 2),
      (Misbehavior("trailers-only", ["status": "14"], first: 2, ends: .success), 2),
    ]

    @Test(arguments: whole) func streamsThatAreWholeSucceed(_ row: (row: Misbehavior, messages: Int)) async throws {
      let result = try await row.row.run(.stream)
      #expect(row.row.problem(of: result) == nil)
      #expect(result.messages == row.messages, "\(row.row.testDescription)")
    }

    /// Pings find out that nobody is there any more.
    @Test func aStreamWhoseServerIsGoneFails() async throws {
      let row = Misbehavior(
        "dies-in-stream", ["messages": "2"], ends: .failure([.networkError, .unavailable, .timeout]))
      let result = try await row.run(.stream) { $0.grpc = GRPCConfiguration(pingInterval: .seconds(1)) }
      #expect(row.problem(of: result) == nil)
      #expect(result.messages == 2 && !result.log.events("ping").isEmpty)
    }
  }
#endif

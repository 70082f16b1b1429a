#if GRPC
  import NovaCore
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// Connections that end, stall, or are no HTTP/2.
  @Suite(.hangLimit) struct MisbehavingConnectionTests {
    private static let resets: [Misbehavior] =
      [0, 1, 2, 3, 6, 9].map { Misbehavior("reset", ["code": "\($0)"], fails: .internalError) }
      + [
        Misbehavior("reset", ["code": "8"], fails: .cancelled),
        Misbehavior("reset", ["code": "11"], fails: .resourceExhausted),
        Misbehavior("reset", ["code": "12"], fails: .permissionDenied),
        Misbehavior(
          "reset", ["code": "7"], ends: .failure([.unavailable, .networkError]), attempts: 3, mayHaveLeft: false),
      ]
      + [4, 5, 10, 13, 255].map {
        Misbehavior("reset", ["code": "\($0)"], ends: .failure([.serverError, .networkError]))
      }

    @Test(arguments: resets) func everyResetHasItsStatus(_ row: Misbehavior) async throws {
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    @Test(arguments: ["head", "half", "message"], [0, 2, 7, 8]) func aResetInTheMiddleIsNoSuccess(
      _ step: String, _ code: Int
    ) async throws {
      let row = Misbehavior(
        "reset", ["code": "\(code)", "step": step],
        ends: .failure([.serverError, .cancelled, .networkError, .unavailable]))
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    /// A call that the server has not begun is sent again, whatever it does. All others are, if they may be.
    static let repeated: [(row: Misbehavior, call: Misbehavior.Call, calls: Int)] = [
      (Misbehavior("reset", ["code": "7"], first: 1, ends: .success), .read, 2),
      (Misbehavior("reset", ["code": "7"], first: 2, ends: .success), .write, 3),
      (Misbehavior("goaway", ["last": "0"], first: 1, ends: .success), .read, 2),
      (Misbehavior("goaway", ["last": "0"], first: 1, ends: .success), .write, 2),
      (Misbehavior("close", first: 2, ends: .success), .read, 3),
      (Misbehavior("close", ["how": "rst"], first: 1, ends: .success), .read, 2),
      (Misbehavior("close", first: 1, ends: .failure([.networkError]), attempts: 1, mayHaveLeft: true), .write, 1),
      (
        Misbehavior(
          "close", ["step": "half"], first: 1, ends: .failure([.networkError]), attempts: 1, mayHaveLeft: true),
        .write, 1
      ),
      (Misbehavior("goaway", first: 1, ends: .failure([.networkError, .unavailable]), attempts: 1), .write, 1),
      (Misbehavior("reset", ["code": "2"], first: 1, fails: .internalError, attempts: 1), .write, 1),
      (Misbehavior("goaway-twice", ends: .success), .write, 1),
      (Misbehavior("goaway", ["answers": "yes"], ends: .success), .write, 1),
    ]

    @Test(arguments: repeated) func whatIsSentAgainDependsOnItsEffect(
      _ row: (row: Misbehavior, call: Misbehavior.Call, calls: Int)
    ) async throws {
      let result = try await row.row.run(row.call)
      #expect(row.row.problem(of: result) == nil)
      #expect(result.log.calls == row.calls, "\(row.row.testDescription) \(row.call)")
    }

    private static let noConnection = Misbehavior.Outcome.failure([
      .networkError, .invalidResponse, .unavailable, .serverError,
    ])
    static let hopeless: [Misbehavior] =
      ["accept", "preface", "settings"].flatMap { step in
        ["fin", "rst"].map { Misbehavior("closed", ["step": step, "how": $0], ends: noConnection) }
      }
      + [
        Misbehavior("garbage", ends: noConnection),
        Misbehavior("garbage", ["bytes": "00", "count": "100000"], ends: noConnection),
        Misbehavior("garbage", ["bytes": "000000040000000000", "count": "1"], ends: noConnection),
        Misbehavior("http1", ends: noConnection), Misbehavior("http1", ["status": "200 OK"], ends: noConnection),
        Misbehavior("goaway-first", ends: noConnection),
        Misbehavior("goaway-first", ["code": "11", "text": "too_many_pings"], ends: noConnection),
        Misbehavior("large-fields", ["size": "10000000"], ends: noConnection),
        Misbehavior("large-fields", ["size": "10000000", "trailers": "1"], ends: noConnection),
        Misbehavior("flood", ["kind": "continuation", "count": "500000"], ends: noConnection),
      ]

    /// Neither a crash, nor a wait without end, nor an endless row of connections.
    @Test(arguments: hopeless) func whatCannotWorkFails(_ row: Misbehavior) async throws {
      let row = row.name == "garbage" && row.arguments["count"] == "1" ? row.with(timeoutCodes: [.timeout]) : row
      let result = try await row.run(timeout: .seconds(5))
      #expect(row.problem(of: result) == nil)
      #expect(result.log.connections <= 20, "\(row.testDescription): \(result.log.connections) connections")
    }

    /// After the first connection, the server works.
    @Test(arguments: [
      Misbehavior("closed", ["step": "accept"], first: 1, ends: .success),
      Misbehavior("closed", ["step": "settings", "how": "rst"], first: 1, ends: .success),
      Misbehavior("goaway-first", first: 1, ends: .success),
      Misbehavior("goaway-between", ["after": "1"], ends: .success),
    ])
    func anotherConnectionHelps(_ row: Misbehavior) async throws {
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    private static let timeUp = Misbehavior.Outcome.failure([.timeout])
    static let stalled: [Misbehavior] = [
      Misbehavior("silent", ends: timeUp), Misbehavior("never", ends: timeUp), Misbehavior("stops", ends: timeUp),
      Misbehavior("deaf-and-mute", ends: timeUp), Misbehavior("stops-reading", ends: timeUp),
      Misbehavior("stalled-window", ends: timeUp),
      Misbehavior("stream-limit", ["limit": "0"], ends: timeUp), Misbehavior("late", ["seconds": "30"], ends: timeUp),
    ]

    @Test(arguments: stalled) func theDeadlineHolds(_ row: Misbehavior) async throws {
      let result = try await row.run(timeout: .milliseconds(700))
      #expect(row.problem(of: result) == nil)
    }

    @Test func aStalledWindowHoldsLargeRequestsBack() async throws {
      let server = try await MisbehavingGRPCServer("stalled-window", ["size": "65535"])
      let text = String(repeating: "x", count: 1 << 20)
      let error = await apiError {
        try await withGRPCClient(server.url) {
          try await $0.call(
            GraphRPC.getFollowers, GetFollowersRequest(userId: text),
            options: CallOptions(timeout: .milliseconds(700), checksArguments: false))
        }
      }
      #expect(error?.code == .timeout && error?.transport?.requestMayHaveLeft != false, "\(String(describing: error))")
    }

    /// A late answer is ignored, and later calls get theirs.
    @Test func aLateAnswerDoesNoHarm() async throws {
      let server = try await MisbehavingGRPCServer("late", ["seconds": "2"], first: 1)
      let request = GetFollowersRequest(userId: "u1")
      try await withGRPCClient(server.url) { client in
        let error = await apiError {
          try await client.call(GraphRPC.getFollowers, request, options: CallOptions(timeout: .milliseconds(1200)))
        }
        #expect(error?.code == .timeout, "\(String(describing: error))")
        try await Task.sleep(for: .milliseconds(1200))
        for _ in 0..<3 { #expect(try await client.call(GraphRPC.getFollowers, request).userIds == ["u1", "u2"]) }
      }
      let log = try await server.log()
      // The silent connection is replaced.
      #expect(log.connections == 2 && log.calls == 4 && log.events("reset").map(\.code) == [8], "\(log)")
    }
  }

  extension Misbehavior {
    /// The same with more codes that are right.
    func with(timeoutCodes: [APIError.Code]) -> Misbehavior {
      guard case .failure(let codes) = outcome else { return self }
      return Misbehavior(name, arguments, first: first, ends: .failure(codes + timeoutCodes))
    }
  }
#endif

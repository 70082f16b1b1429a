#if GRPC
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// What is left of calls that end early: the server counts.
  @Suite(.hangLimit) struct ForeignCancellationTests {
    private static let server = Result { try ForeignGRPCServer.shared() }
    private static let request = GetFollowersRequest(userId: "u1")

    private func expectNothingIsLeft(of tag: String, cancelled: Int) async throws {
      let server = try Self.server.get()
      try await waitUntil { try await server.counts(tag).open == 0 }
      let counts = try await server.counts(tag)
      #expect(counts.cancelled == cancelled && counts.completed == 0, "\(tag): \(counts)")
    }

    @Test func aDeadlineEndsTheCallOnBothSides() async throws {
      let server = try Self.server.get()
      // On a busy machine, a call may end before it reaches the server. Then it is made again, with more time.
      for timeout in [Duration.milliseconds(1500), .seconds(6), .seconds(24)] {
        let tag = "deadline-\(timeout.components.seconds)"
        let options = try CallOptions(
          .init { ($0.tag, $0.hang, $0.record) = (tag, true, true) }, timeout: timeout)
        let error = await apiError {
          try await withGRPCClient(server.url, attempts: 3) {
            try await $0.call(GraphRPC.getFollowers, Self.request, options: options)
          }
        }
        #expect(error?.code == .timeout && error?.attempts.count == 1, "\(String(describing: error))")
        guard let remaining = try await server.calls(tag).first?.remaining else { continue }
        try await expectNothingIsLeft(of: tag, cancelled: 1)
        #expect(remaining <= timeout / .seconds(1) + 0.01, "the server believes that it has \(remaining) s")
        return
      }
      Issue.record("no call has reached the server")
    }

    /// `grpc-timeout` has at most eight digits, and is never longer than the call.
    @Test(arguments: [
      Duration.seconds(20), .milliseconds(99_999), .seconds(100), .seconds(299), .microseconds(21_500_001),
    ])
    func theServerKnowsTheDeadline(_ timeout: Duration) async throws {
      let tag = "timeout-\(timeout.components.seconds)-\(timeout.components.attoseconds)"
      let options = try CallOptions(.init { ($0.tag, $0.record) = (tag, true) }, timeout: timeout)
      let server = try Self.server.get()
      try await withGRPCClient(server.url) {
        _ = try await $0.call(GraphRPC.getFollowers, Self.request, options: options)
      }
      let remaining = try #require(try await server.calls(tag).first?.remaining)
      let seconds = timeout / .seconds(1)
      // The server rounds, and has its own clock.
      #expect(remaining <= seconds * 1.01 + 0.2 && remaining > seconds * 0.5 - 0.9, "\(remaining) s of \(seconds) s")
    }

    @Test func cancellingATaskCancelsItsCall() async throws {
      let options = try CallOptions(.init { ($0.tag, $0.hang) = ("cancelled", true) })
      let server = try Self.server.get()
      try await withGRPCClient(server.url) { client in
        let task = Task { try await client.call(GraphRPC.getFollowers, Self.request, options: options) }
        try await waitUntil { try await server.counts("cancelled").open == 1 }
        task.cancel()
        let error = await apiError { try await task.value }
        #expect(error?.code == .cancelled, "\(String(describing: error))")
        try await expectNothingIsLeft(of: "cancelled", cancelled: 1)
      }
    }

    @Test(arguments: [1, 3]) func aStreamThatIsLeftIsCancelled(_ messages: Int) async throws {
      let tag = "left-\(messages)"
      let options = try CallOptions(.init { ($0.tag, $0.count, $0.stay) = (tag, messages, true) })
      try await withGRPCClient(Self.server.get().url) { client in
        var count = 0
        for try await _ in try await client.stream(
          EventRPC.streamEvents, StreamEventsRequest(topics: ["post:1"]), options: options)
        {
          count += 1
          if count == messages { break }
        }
        try await expectNothingIsLeft(of: tag, cancelled: 1)
      }
    }

    /// Before the first message, and while nothing comes.
    @Test(arguments: [true, false]) func cancellingTheReaderCancelsItsStream(_ hangs: Bool) async throws {
      let tag = "reader-\(hangs)"
      let options = try CallOptions(.init { ($0.tag, $0.hang, $0.count, $0.stay) = (tag, hangs, 2, true) })
      let server = try Self.server.get()
      try await withGRPCClient(server.url) { client in
        let task = Task {
          for try await _ in try await client.stream(
            EventRPC.streamEvents, StreamEventsRequest(topics: ["post:1"]), options: options)
          {}
        }
        try await waitUntil { try await server.counts(tag).open == 1 }
        task.cancel()
        _ = await task.result
        try await expectNothingIsLeft(of: tag, cancelled: 1)
      }
    }

    @Test func shuttingDownLeavesNoCallOpen() async throws {
      let unary = try CallOptions(.init { ($0.tag, $0.hang) = ("shut-down", true) })
      let streaming = try CallOptions(.init { ($0.tag, $0.stay) = ("shut-down", true) })
      let server = try Self.server.get()
      let codes = try await withGRPCClient(server.url) { client in
        try await withThrowingTaskGroup(of: APIError.Code?.self) { group in
          for _ in 0..<20 {
            group.addTask {
              await apiError { try await client.call(GraphRPC.getFollowers, Self.request, options: unary) }?.code
            }
            group.addTask {
              await apiError {
                for try await _ in try await client.stream(
                  EventRPC.streamEvents, StreamEventsRequest(topics: ["post:1"]), options: streaming)
                {}
              }?.code
            }
          }
          try await waitUntil { try await server.counts("shut-down").open == 40 }
          await client.shutdown(grace: .zero)
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      #expect(codes.allSatisfy { $0 != nil }, "\(codes)")
      try await expectNothingIsLeft(of: "shut-down", cancelled: 40)
    }
  }
#endif

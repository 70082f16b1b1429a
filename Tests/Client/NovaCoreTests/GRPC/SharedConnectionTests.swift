#if GRPC
  import NovaCore
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// Many calls at once on connections that limit, refuse, or end them.
  @Suite(.hangLimit) struct SharedConnectionTests {
    private static let request = GetFollowersRequest(userId: "u1")

    /// Makes so many calls at once, and returns how many succeeded, and the failures.
    private func calls(
      _ count: Int, to server: MisbehavingGRPCServer, attempts: Int = 3
    ) async throws -> (succeeded: Int, failures: [APIError]) {
      try await withGRPCClient(server.url, attempts: attempts) { client in
        await withTaskGroup(of: APIError?.self) { group in
          for _ in 0..<count {
            group.addTask { await apiError { try await client.call(GraphRPC.getFollowers, Self.request) } }
          }
          var (succeeded, failures) = (0, [APIError]())
          for await error in group { if let error { failures.append(error) } else { succeeded += 1 } }
          return (succeeded, failures)
        }
      }
    }

    @Test(arguments: [1, 3]) func callsWaitForTheServersLimit(_ limit: Int) async throws {
      let server = try await MisbehavingGRPCServer("stream-limit", ["limit": "\(limit)"])
      let (succeeded, failures) = try await calls(30, to: server)
      #expect(succeeded == 30 && failures.isEmpty, "\(failures)")
      let most = try await server.log().events("most").compactMap(\.count).max() ?? 0
      #expect(most <= limit, "\(most) calls at once")
    }

    @Test func aLimitThatIsRaisedLetsCallsGo() async throws {
      let server = try await MisbehavingGRPCServer("stream-limit", ["limit": "0", "later": "5"])
      let (succeeded, failures) = try await calls(10, to: server)
      #expect(succeeded == 10, "\(failures)")
    }

    @Test func refusedCallsAreSentAgain() async throws {
      let server = try await MisbehavingGRPCServer("refuses-over", ["limit": "5", "pause": "0.005"])
      let (succeeded, failures) = try await calls(100, to: server, attempts: 1)
      #expect(succeeded == 100, "\(failures)")
    }

    /// GOAWAY names the last call that is processed. Those after it move to another connection.
    @Test func callsAfterTheLastOneMove() async throws {
      let server = try await MisbehavingGRPCServer("goaway-between", ["after": "3"])
      let (succeeded, failures) = try await calls(12, to: server, attempts: 10)
      #expect(succeeded == 12, "\(failures)")
      #expect(try await server.log().connections >= 4)
    }

    @Test func theOtherCallsOfAConnectionSurviveAReset() async throws {
      let server = try await MisbehavingGRPCServer("reset", ["code": "2"], first: 5)
      let (succeeded, failures) = try await calls(20, to: server, attempts: 1)
      #expect(
        succeeded == 15 && failures.count == 5 && failures.allSatisfy { $0.grpcStatus == .internalError }, "\(failures)"
      )
      #expect(try await server.log().connections == 1)
    }

    /// A client that is shut down says so, and leaves no connection.
    @Test func noConnectionIsLeft() async throws {
      let server = try await MisbehavingGRPCServer("well")
      _ = try await calls(20, to: server)
      try await waitUntil { try await server.log().live == 0 }
      let log = try await server.log()
      #expect(log.connections == 1 && log.events("reset").isEmpty, "\(log.connections) connections")
    }
  }
#endif

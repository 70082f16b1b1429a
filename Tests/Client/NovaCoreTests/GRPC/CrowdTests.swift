#if GRPC
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// Thousands of calls and streams at once, on few connections.
  @Suite(.hangLimit, .serialized) struct CrowdTests {
    /// 10,000 calls and 1,000 streams where there is time.
    private static let isWhole = TestDepth.isFull() || Sanitizer.watchesThreads
    private static let (calls, streams) = isWhole ? (10_000, 1000) : (2000, 200)

    /// The outcomes, and how often each came.
    private func outcomes(_ server: ForeignGRPCServer, tag: String, attempts: Int = 3) async throws -> [String: Int] {
      let unary = try CallOptions(.init { $0.tag = tag }, timeout: .seconds(280))
      let streaming = try CallOptions(.init { ($0.tag, $0.count, $0.pause) = (tag, 5, 0.01) }, timeout: .seconds(280))
      return try await withGRPCClient(
        server.url, attempts: attempts,
        change: {
          $0.connections = ConnectionLimits(maximumTransfers: 10_000, maximumStreams: 2000, queueTimeout: .seconds(280))
        }
      ) { client in
        await withTaskGroup(of: String.self) { group in
          for number in 0..<Self.calls {
            group.addTask {
              do {
                let id = "u\(number)"
                let response = try await client.call(
                  GraphRPC.isFollowing, IsFollowingRequest(followerId: id, followeeId: "x"), options: unary)
                return response.isFollowing ? "call" : "wrong answer"
              } catch { return "call: \(error)".replacing(/test-request-\d+/, with: "…") }
            }
          }
          for number in 0..<Self.streams {
            group.addTask {
              var count = 0
              do {
                let request = StreamEventsRequest(topics: ["post:\(number)"])
                for try await _ in try await client.stream(EventRPC.streamEvents, request, options: streaming) {
                  count += 1
                }
                return "stream of \(count)"
              } catch { return "stream after \(count): \(error)".replacing(/test-request-\d+/, with: "…") }
            }
          }
          return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
      }
    }

    @Test func everyCallOfACrowdSucceeds() async throws {
      let server = try ForeignGRPCServer.shared()
      let outcomes = try await outcomes(server, tag: "crowd", attempts: 1)
      #expect(outcomes == ["call": Self.calls, "stream of 5": Self.streams])
      try await waitUntil { try await server.counts("crowd").open == 0 }
      let counts = try await server.counts("crowd")
      #expect(counts.started == Self.calls + Self.streams && counts.completed == counts.started, "\(counts)")
    }

    /// The server ends each connection after a while, in good order. Calls that it has not begun are sent again.
    @Test func connectionsThatEndLoseNoCall() async throws {
      let server = try ForeignGRPCServer(["--max-connection-age", "0.5"])
      let outcomes = try await outcomes(server, tag: "age")
      #expect(outcomes == ["call": Self.calls, "stream of 5": Self.streams])
      await server.stop()
    }

    /// Calls above the server's limit wait for their turn.
    @Test func aSmallLimitOfStreamsLosesNoCall() async throws {
      let server = try ForeignGRPCServer(["--max-concurrent-streams", "20"])
      let outcomes = try await outcomes(server, tag: "limit", attempts: 1)
      #expect(outcomes == ["call": Self.calls, "stream of 5": Self.streams])
      await server.stop()
    }
  }
#endif

#if GRPC
  import NovaCore
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// Frames that HTTP/2 forbids.
  @Suite(.hangLimit) struct WrongFrameTests {
    private static let failure = Misbehavior.Outcome.failure([
      .networkError, .serverError, .invalidResponse, .unavailable,
    ])

    /// What makes a message incomplete, or a connection unusable, by RFC 9113.
    static let forbidden = [
      "data-before-head", "idle-stream", "frame-size", "uppercase", "no-status", "bad-index", "window-zero",
      "window-overflow", "push", "settings-size", "ping-size", "goaway-size", "continuation-alone", "data-after-end",
      "head-after-end", "trailers-without-end", "pseudo-in-trailers", "connection-field", "length-differs",
      "value-with-newline", "even-stream",
    ]

    @Test(arguments: forbidden) func whatIsForbiddenIsAFailure(_ kind: String) async throws {
      let row = Misbehavior("wrong-frame", ["kind": kind], ends: Self.failure)
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    @Test func moreThanTheWindowIsAFailure() async throws {
      let row = Misbehavior("overrun", ["size": "100000000"], ends: Self.failure)
      let problem = row.problem(of: try await row.run())
      #expect(problem == nil)
    }

    /// One wrong connection does not spoil the client.
    @Test(arguments: forbidden) func theNextConnectionIsGood(_ kind: String) async throws {
      let server = try await MisbehavingGRPCServer("wrong-frame", ["kind": kind], first: 1)
      try await withGRPCClient(server.url) { client in
        let request = GetFollowersRequest(userId: "u1")
        _ = await apiError { try await client.call(GraphRPC.getFollowers, request) }
        let ids = try await client.call(GraphRPC.getFollowers, request).userIds
        #expect(ids == ["u1", "u2"])
      }
    }
  }
#endif

#if GRPC
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaSocial
  import NovaTestSupport
  import Testing

  /// Failures as grpcio sends them.
  @Suite(.hangLimit) struct ForeignStatusTests {
    private static let server = Result { try ForeignGRPCServer.shared() }
    /// The message of gRPC's interoperability tests.
    private static let special = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"

    private func failure(
      _ behavior: ForeignGRPCServer.Behavior, attempts: Int = 1, timeout: Duration? = nil
    ) async throws -> APIError? {
      let options = try CallOptions(behavior, timeout: timeout)
      let url = try Self.server.get().url
      return await apiError {
        try await withGRPCClient(url, attempts: attempts) {
          try await $0.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"), options: options)
        }
      }
    }

    @Test(arguments: [
      (1, APIError.Code.cancelled), (2, .serverError), (3, .invalidArgument), (4, .timeout), (5, .notFound),
      (6, .conflict), (7, .permissionDenied), (8, .rateLimited), (9, .failedPrecondition), (10, .conflict),
      (11, .invalidArgument), (12, .unimplemented), (13, .serverError), (14, .unavailable), (15, .serverError),
      (16, .unauthorized),
    ])
    func everyStatusHasItsCode(_ status: Int, _ code: APIError.Code) async throws {
      let error = try await failure(.init { ($0.status, $0.message) = (status, Self.special) })
      #expect(error?.code == code && error?.grpcStatus?.rawValue == status, "\(String(describing: error))")
      #expect(error?.server?.message == Self.special)
      #expect(error?.rpc == "graph.GetFollowers" && error?.requestID == "test-request" && error?.attempts.count == 1)
    }

    @Test func detailsAreRead() async throws {
      let names = [
        "ErrorInfo", "RetryInfo", "BadRequest", "QuotaFailure", "RequestInfo", "LocalizedMessage", "Unknown",
      ]
      let error = try await failure(.init { ($0.status, $0.message, $0.details) = (3, "no", names) })
      #expect(
        error?.code == .invalidArgument && error?.server?.code == "USER_NOT_FOUND", "\(String(describing: error))")
      #expect(error?.server?.message == "no" && error?.retryAfter == .milliseconds(3500))
      #expect(error?.server?.metadata["größe"] == "süß ☺" && error?.server?.metadata["user_id"] == "u1")
      #expect(error?.server?.metadata["limit"] == "too large", "\(String(describing: error?.server?.metadata))")
    }

    @Test(arguments: [["Unknown"], ["BadRequest"], [], ["LocalizedMessage", "Unknown"]])
    func fewDetailsAreReadAsWell(_ names: [String]) async throws {
      let error = try await failure(.init { ($0.status, $0.message, $0.details) = (5, "kein Nutzer", names) })
      #expect(error?.code == .notFound && error?.server?.message == "kein Nutzer", "\(String(describing: error))")
      let field = error?.server?.metadata["user_id"]
      #expect(field == (names == ["BadRequest"] ? "is unknown – 100 % sure" : nil))
    }

    @Test func transientFailuresAreRetried() async throws {
      let server = try Self.server.get()
      let options = try CallOptions(.init { ($0.tag, $0.status, $0.first) = ("retried", 14, 2) })
      let log = CapturedLog()
      try await withGRPCClient(server.url, attempts: 3, logger: log.logger) { client in
        let response = try await client.respond(
          GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"), options: options)
        #expect(response.attempts.map(\.grpcStatus) == [.unavailable, .unavailable, nil])
        #expect("\(response.report)".contains("; retried at once: UNAVAILABLE"), "\(response.report)")
        // The server sent no HTTP status that would mean anything.
        #expect(!"\(response.report)".contains("HTTP"), "\(response.report)")
      }
      let received = log.lines.filter { $0.contains("Received response") }
      #expect(received.count == 3 && !received.contains { $0.contains(" status=") }, "\(received)")
      for (line, status) in zip(received, ["UNAVAILABLE", "UNAVAILABLE", "OK"]) {
        #expect(line.contains("grpc_status=\(status)"), "\(line)")
      }
      #expect(try await server.counts("retried").started == 3)
    }

    @Test func theServersWaitIsRespected() async throws {
      let behavior = ForeignGRPCServer.Behavior { ($0.status, $0.details) = (14, ["RetryInfo"]) }
      let error = try await failure(behavior, attempts: 3, timeout: .seconds(2))
      #expect(error?.attempts.count == 1 && error?.retryAfter == .milliseconds(3500), "\(String(describing: error))")
    }

    @Test func whatMustNotRunTwiceIsSentOnce() async throws {
      let server = try Self.server.get()
      let options = try CallOptions(.init { ($0.tag, $0.status) = ("once", 14) })
      let error = await apiError {
        try await withGRPCClient(server.url, attempts: 3) {
          try await $0.call(
            SocialRPC.createComment, CreateCommentRequest(postId: "p", userId: "u", content: "c"), options: options)
        }
      }
      #expect(error?.code == .unavailable && error?.attempts.count == 1, "\(String(describing: error))")
      #expect(try await server.counts("once").started == 1)
    }

    @Test(arguments: [("nova.graph_service.v1.GraphService", "Nope"), ("nova.Nope", "GetFollowers")])
    func whatTheServerDoesNotHaveIsUnimplemented(_ service: String, _ method: String) async throws {
      let rpc = RPC<GetFollowersRequest, GetFollowersResponse>(
        service: "graph", package: service, method: method, effect: .noSideEffects,
        http: GraphRPC.getFollowers.descriptor.http, summary: "Does not exist.")
      let url = try Self.server.get().url
      let error = await apiError {
        try await withGRPCClient(url, attempts: 3) { try await $0.call(rpc, GetFollowersRequest(userId: "u1")) }
      }
      #expect(error?.code == .unimplemented && error?.grpcStatus == .unimplemented, "\(String(describing: error))")
      #expect(error?.attempts.count == 1)
    }
  }
#endif

#if GRPC
  import NovaCore
  import NovaGraph
  import NovaRegistry
  import NovaTestSupport
  import Testing

  /// Every RPC against grpcio's server, whose protobuf is Google's.
  @Suite(.hangLimit) struct ForeignServerTests {
    private static let server = Result { try ForeignGRPCServer.shared() }

    /// Requests have a value in every field, and so have the answers.
    @Test(arguments: RPCRegistry.nova.rpcs.map(\.id)) func everyFieldArrives(_ id: String) async throws {
      let server = try Self.server.get()
      let rpc = try #require(RPCRegistry.nova.rpc(named: id))
      let request = try SampleMessage.make(rpc.requestType)
      let tag = "every-field-\(id)"
      let options = try CallOptions(.init { ($0.tag, $0.record, $0.count) = (tag, true, 2) })
      let received = try await withGRPCClient(server.url) { client -> [any ProtoMessage] in
        guard rpc.isServerStreaming else { return [try await client.respond(rpc, request, options: options).value] }
        var messages: [any ProtoMessage] = []
        for try await message in try await client.stream(rpc, request, options: options) { messages.append(message) }
        return messages
      }
      let calls = try await server.calls(tag)
      #expect(calls.count == received.count && calls.allSatisfy { $0.rpc == id }, "\(calls)")
      for (call, message) in zip(calls, received) {
        let sent = try rpc.requestType.init(jsonUTF8: Array(call.request.utf8))
        #expect(sent.equals(request), "\(id): sent \(request), and the server received \(call.request)")
        let answer = try rpc.responseType.init(jsonUTF8: Array(try #require(call.answer).utf8))
        #expect(message.equals(answer), "\(id): received \(message), and the server sent \(call.answer ?? "")")
      }
      try Self.checkMetadata(of: try #require(calls.first), rpc)
    }

    private static func checkMetadata(of call: ForeignGRPCServer.Call, _ rpc: RPCDescriptor) throws {
      #expect(
        call.values("authorization") == (rpc.requiresAuthentication ? ["Bearer \(Canary.secret)"] : []), "\(rpc.id)")
      #expect(call.values("x-request-id") == ["test-request"])
      #expect(call.values("idempotency-key").isEmpty == (rpc.effect == .noSideEffects), "\(rpc.id)")
      let agent = try #require(call.values("user-agent").first)
      #expect(agent.hasPrefix("NovaSDK"), "\(agent)")
      #expect(!call.metadata.contains { $0[0].hasPrefix(":") || ["content-length", "accept", "host"].contains($0[0]) })
      #expect((call.remaining != nil) != rpc.isServerStreaming, "\(rpc.id): \(String(describing: call.remaining))")
    }

    @Test func typedCallsArriveAsWell() async throws {
      try await withGRPCClient(Self.server.get().url) { client in
        let page = try await GraphService(client: client).getFollowers(userId: "u1", limit: 2)
        #expect(page.userIds.count == 2)
      }
    }

    /// An empty message has no bytes.
    @Test(arguments: ["capture.DeleteSomething", "graph.GetFollowers", "auth.Logout"])
    func anEmptyRequestIsAMessage(_ id: String) async throws {
      let rpc = try #require(RPCRegistry.nova.rpc(named: id))
      try await withGRPCClient(Self.server.get().url) { client in
        _ = try await client.respond(rpc, rpc.requestType.init(), options: CallOptions(.init()))
      }
    }

    @Test(arguments: [1, 100, 16_383, 16_384, 65_535, 65_536, 1 << 20, 8 << 20])
    func answersOfEverySizeArrive(_ size: Int) async throws {
      let large: @Sendable (inout ConfigurationOverrides) -> Void = {
        $0.limits = TransferLimits(maximumResponseBytes: 8 << 20)
      }
      try await withGRPCClient(Self.server.get().url, change: large) { client in
        let response = try await client.call(
          GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"), options: CallOptions(.init { $0.bytes = size }))
        #expect(try response.protobuf().count == (size < 3 ? 2 : size))
        #expect(response.userIds.count == 1 && response.userIds[0].utf8.allSatisfy { $0 == UInt8(ascii: "x") })
      }
    }

    @Test(arguments: [1, 16_384, 65_535, 1 << 20, 8 << 20]) func requestsOfEverySizeArrive(_ size: Int) async throws {
      let server = try Self.server.get()
      let tag = "request-of-\(size)"
      let text = String(repeating: "x", count: size)
      try await withGRPCClient(server.url, change: { $0.grpc = GRPCConfiguration(maximumRequestBytes: 9 << 20) }) {
        _ = try await $0.call(
          GraphRPC.getFollowers, GetFollowersRequest(userId: text),
          options: CallOptions(.init { ($0.tag, $0.record) = (tag, true) }))
      }
      let call = try #require(try await server.calls(tag).first)
      #expect(try GetFollowersRequest(jsonUTF8: Array(call.request.utf8)).userId == text)
    }

    @Test func aRequestAboveTheLimitIsNotSent() async throws {
      let server = try Self.server.get()
      let error = await apiError {
        try await withGRPCClient(server.url, change: { $0.grpc = GRPCConfiguration(maximumRequestBytes: 1000) }) {
          try await $0.call(
            GraphRPC.getFollowers, GetFollowersRequest(userId: String(repeating: "x", count: 1000)),
            options: CallOptions(.init { $0.tag = "too-long" }))
        }
      }
      #expect(error?.code == .invalidArgument, "\(String(describing: error))")
      #expect(try await server.counts("too-long").started == 0)
    }

    /// The server compresses for clients that announce gzip, and for no others.
    @Test func compressionIsAgreedOn() async throws {
      try await withGRPCClient(Self.server.get().url) { client in
        let response = try await client.call(
          GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"),
          options: CallOptions(.init { ($0.bytes, $0.gzip) = (100_000, true) }))
        #expect(response.userIds.count == 1)
      }
    }

    @Test func headersOfTheAnswerArrive() async throws {
      let options = try CallOptions(
        .init {
          $0.headers = [["x-a", "1"], ["x-a", "2"], ["x-b-bin", "AAEC"]]
          $0.trailers = [["x-c", "3"]]
        })
      try await withGRPCClient(Self.server.get().url) { client in
        let response = try await client.respond(
          GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"), options: options)
        let values = response.headers.fields.filter { $0.name.lowercased() == "x-a" }.map(\.value)
        #expect(values == ["1", "2"] || values == ["1,2"] || values == ["1, 2"], "\(values)")
        #expect(response.headers["x-b-bin"] == "AAEC", "\(response.headers)")
      }
    }
  }
#endif

#if GRPC
  import NovaAuth
  import NovaCore
  import NovaEvents
  import NovaGraph
  import NovaMock
  import NovaTestSupport
  import NovaTesting
  import Testing

  @testable import NovaRecording

  /// Calls over gRPC in cassettes.
  @Suite struct GRPCRecordingTests {
    private static let services = "grpc://localhost:50051", gateway = "http://localhost:8080"

    private static func client(_ transport: any HTTPTransport, _ baseURL: String = services) throws -> APIClient {
      try .test(transport, baseURL: baseURL, token: nil)
    }

    /// A cassette of calls over gRPC.
    private static func cassette(_ calls: (APIClient) async throws -> Void) async throws -> Cassette {
      let recorder = Recorder(clock: ManualClock())
      try await calls(client(recorder.recording(GRPCInMemory(MockTransport()))))
      return recorder.cassette
    }

    @Test func messagesAreRecordedAsJSON() async throws {
      let request = GetFollowersRequest(userId: "mock-user-id", limit: 2)
      let cassette = try await Self.cassette { _ = try await $0.call(GraphRPC.getFollowers, request) }
      let interaction = try #require(cassette.interactions.first)
      #expect(interaction.rpc == "graph.GetFollowers")
      #expect(interaction.request.origin == Self.services && interaction.request.path == "/api/v1/graph/followers")
      #expect(interaction.request.content == .json(["user_id": .string("mock-user-id"), "limit": 2]))
      let body = try #require(interaction.outcome.response?.body.bytes)
      #expect(try GetFollowersResponse(jsonUTF8: body).userIds.count == 2)
      // Other tools get HTTP.
      #expect(String(decoding: cassette.har, as: UTF8.self).contains("http://localhost:50051/api/v1/graph/followers"))
    }

    /// A recording of one way answers calls of both.
    @Test(arguments: [services, gateway], [services, gateway])
    func recordingsReplayOverBothWays(recorded: String, replayed: String) async throws {
      let recorder = Recorder(clock: ManualClock())
      let request = GetFollowersRequest(userId: "mock-user-id", limit: 2)
      let unknown = GetUserRequest(userId: "nobody")
      let first = try Self.client(recorder.recording(GRPCInMemory(MockTransport())), recorded)
      let answer = try await first.call(GraphRPC.getFollowers, request)
      let failure = await apiError { try await first.call(AuthRPC.getUser, unknown) }
      try await ReplayTransport.replaying(recorder.cassette) { replay in
        let second = try Self.client(replay, replayed)
        #expect(try await second.call(GraphRPC.getFollowers, request) == answer)
        let again = await apiError { try await second.call(AuthRPC.getUser, unknown) }
        #expect(again?.code == failure?.code && failure?.code == .notFound)
        #expect(again?.server?.message == failure?.server?.message)
      }
    }

    @Test func secretsAreMasked() async throws {
      let password = "correct horse battery"
      let cassette = try await Self.cassette { client in
        let request = RegisterRequest(email: "ada@mail.example", username: "ada_records", password: password)
        let session = try await client.call(AuthRPC.register, request)
        var options = CallOptions()
        options.headers["Authorization"] = "Bearer \(session.token)"
        _ = try await client.call(AuthRPC.getUser, GetUserRequest(userId: session.userId), options: options)
        let text = session.token
        #expect(!text.isEmpty)
      }
      let lines = cassette.interactions.map { String(decoding: $0.line, as: UTF8.self) }.joined()
      #expect(!lines.contains(password) && !lines.contains("eyJ"))
      #expect(lines.contains("ada@mail.example"))
    }

    @Test(arguments: [services, gateway]) func streamsAreRecordedAsEvents(replayed: String) async throws {
      let backend = MockBackend()
      let recorder = Recorder(clock: ManualClock())
      let client = try Self.client(recorder.recording(GRPCInMemory(MockTransport(backend))))
      let request = StreamEventsRequest(topics: ["user:mock-user-id"])
      try backend.emit(Event(type: "like.created", actorId: "mock-user-id", subjectId: "mock-user-id"))
      let start = StreamEventsRequest(topics: request.topics, after: "")
      var types: [String] = []
      let stream = try await client.stream(EventRPC.streamEvents, start)
      try backend.emit(Event(type: "like.deleted", actorId: "mock-user-id", subjectId: "mock-user-id"))
      do {
        for try await event in stream where !event.type.isEmpty && event.type != "heartbeat" {
          types.append(event.type)
          if types.count == 1 { backend.endEventStreams(.restart) }
        }
      } catch {}
      try recorder.finish()
      #expect(types.first == "like.deleted")
      let body = try #require(recorder.cassette.interactions.first?.outcome.response?.body.bytes)
      #expect(String(decoding: body, as: UTF8.self).contains("event: like.deleted"))
      try await ReplayTransport.replaying(recorder.cassette) { replay in
        var again: [String] = []
        do {
          for try await event in try await Self.client(replay, replayed).stream(EventRPC.streamEvents, start)
          where !event.type.isEmpty && event.type != "heartbeat" {
            again.append(event.type)
          }
        } catch {}
        #expect(again.first == "like.deleted")
      }
    }

    /// A method that the contract does not have.
    @Test func otherServicesAreRecordedAsBytes() async throws {
      let recorder = Recorder(clock: ManualClock())
      let transport = recorder.recording(RecordingTransport { _, _ in HTTPResponse(status: 200, body: [8, 1]) })
      let url = HTTPURL(try HTTPURL(parsingService: Self.services).origin, target: "/grpc.health.v1.Health/Check")
      _ = try await transport.send(HTTPRequest(method: .post, url: url, body: [0, 0, 0, 0, 0]))
      let interaction = try #require(recorder.cassette.interactions.first)
      #expect(interaction.rpc == nil && interaction.request.path == "/grpc.health.v1.Health/Check")
      #expect(interaction.outcome.response?.body.bytes == [8, 1])
    }
  }
#endif

import NovaCapture
@testable import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@Suite struct APIClientTests {
  private let reply = #"{"user_ids":["a","b"],"total_count":2,"has_more":false}"#

  @Test func sendsTheContractsRequest() async throws {
    let transport = RecordingTransport(reply)
    let client = try APIClient.test(transport)
    let page = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u", limit: 10))
    #expect(page.userIds == ["a", "b"])
    let request = try #require(transport.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "http://localhost:8080/api/v1/graph/followers")
    #expect(String(decoding: request.body.inMemory, as: UTF8.self) == #"{"user_id":"u","limit":10}"#)
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.headers["Accept"] == "application/json")
    #expect(request.headers["X-Request-ID"] == "test-request")
    #expect(request.headers["Idempotency-Key"] == nil, "reading needs no key")
    #expect(request.headers["Authorization"]?.hasPrefix("Bearer ") == true)
  }

  @Test func writesCarryAnIdempotencyKey() async throws {
    let transport = RecordingTransport(#"{"success":true}"#)
    let client = try APIClient.test(transport)
    let follow = CreateFollowRequest(followerId: "a", followeeId: "b")
    _ = try await client.call(GraphRPC.createFollow, follow)
    _ = try await client.call(GraphRPC.createFollow, follow, options: CallOptions(idempotencyKey: "mine"))
    #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["test-request", "mine"])
  }

  @Test func callersCanSetRequestIDAndHeadersButNotReplaceTheSDKs() async throws {
    let transport = RecordingTransport(reply)
    let client = try APIClient.test(transport)
    let options = CallOptions(requestID: "mine", headers: ["X-Extra": "1", "accept": "text/html"])
    let response = try await client.respond(GraphRPC.getFollowers, GetFollowersRequest(userId: "u"), options: options)
    #expect(response.requestID == "mine")
    #expect(response.attempts.map(\.httpStatus) == [200])
    let request = try #require(transport.requests.first)
    #expect(request.headers["X-Extra"] == "1")
    #expect(request.headers.values(for: "Accept") == ["application/json"])
  }

  @Test func aRequestIDMayGoWithManyCallsButAKeyNamesOne() async throws {
    let transport = RecordingTransport(#"{"success":true}"#)
    let client = try APIClient.test(transport)
    let follow = CreateFollowRequest(followerId: "a", followeeId: "b")
    for options in [CallOptions(requestID: "mine"), CallOptions(requestID: "mine"), CallOptions(idempotencyKey: "k")] {
      _ = try await client.call(GraphRPC.createFollow, follow, options: options)
    }
    #expect(transport.requests.map { $0.headers["X-Request-ID"] } == ["mine", "mine", "test-request-3"])
    let keys = transport.requests.map { $0.headers["Idempotency-Key"] }
    #expect(keys == ["test-request", "test-request-2", "k"])
  }

  @Test func theNearestTimeoutWins() async throws {
    let transport = RecordingTransport(#"{"id":1,"is_muted":true}"#)
    let overrides = ConfigurationOverrides(
      timeout: .seconds(20), services: ["graph": ServiceConfiguration(timeout: .seconds(5))])
    let client = try APIClient.test(transport, overrides: overrides)
    _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    _ = try await client.call(CaptureRPC.getSomething, GetSomethingRequest(id: 1))
    _ = try await client.call(
      GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: CallOptions(timeout: .seconds(1)))
    _ = try await client.call(
      GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: CallOptions(timeout: .seconds(9999)))
    #expect(
      transport.requests.map(\.limits.totalTimeout) == [.seconds(5), .seconds(20), .seconds(1), .seconds(300)])
  }

  /// The contract gives `capture` 15 s; what a user sets for it, or for all services, takes precedence.
  @Test(
    arguments: [
      (file: "{}", variables: [:], overrides: ConfigurationOverrides(), seconds: 15),
      ("{}", [:], ConfigurationOverrides(environment: .staging), 15),
      ("{}", [:], ConfigurationOverrides(timeout: .seconds(45)), 45),
      ("{}", ["NOVA_TIMEOUT": "40"], ConfigurationOverrides(), 40),
      ("{}", ["NOVA_TIMEOUT": "40", "NOVA_CAPTURE_TIMEOUT": "50"], ConfigurationOverrides(), 50),
      ("{}", ["NOVA_GRAPH_TIMEOUT": "50"], ConfigurationOverrides(), 15),
      (#"{"environments":{"development":{"timeout_seconds":35}}}"#, [:], ConfigurationOverrides(), 15),
      (#"{"services":{"capture":{"timeout_seconds":55}}}"#, ["NOVA_TIMEOUT": "40"], ConfigurationOverrides(), 55),
    ] as [(file: String, variables: [String: String], overrides: ConfigurationOverrides, seconds: Int)])
  func aTimeoutOfTheUserTakesPrecedence(
    file: String, variables: [String: String], overrides: ConfigurationOverrides, seconds: Int
  ) throws {
    let configuration = try load(file: file, variables, overrides)
    #expect(configuration.timeout(for: CaptureRPC.getSomething.descriptor) == .seconds(seconds))
  }

  @Test func servicesCanLiveElsewhere() async throws {
    let transport = RecordingTransport(reply)
    let overrides = ConfigurationOverrides(
      services: ["graph": ServiceConfiguration(baseURL: "http://127.0.0.1:9000/prefix")])
    let client = try APIClient.test(transport, overrides: overrides)
    _ = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u"))
    #expect(transport.requests.first?.url == "http://127.0.0.1:9000/prefix/api/v1/graph/followers")
  }

  @Test func anyRPCCanBeCalledByItsDescriptor() async throws {
    let client = try APIClient.test(RecordingTransport(reply))
    let response = try await client.respond(
      GraphRPC.getFollowers.descriptor, GetFollowersRequest(userId: "u") as any ProtoMessage)
    #expect((response.value as? GetFollowersResponse)?.totalCount == 2)
    let wrong = await apiError {
      try await client.respond(
        GraphRPC.getFollowers.descriptor, IsMutedRequest(muterId: "a", muteeId: "b") as any ProtoMessage)
    }
    #expect(wrong?.code == .invalidArgument)
  }

  @Test func aValueTheContractCannotHoldIsNotSent() async throws {
    let transport = RecordingTransport(reply)
    let client = try APIClient.test(transport)
    let error = await apiError {
      try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u", limit: 5_000_000_000))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.description.contains("limit") == true, "\(String(describing: error))")
    #expect(error?.description.contains("5000000000") == true, "\(String(describing: error))")
    #expect(transport.requests.isEmpty)
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let transport = RecordingTransport(reply)
    let client = try APIClient.test(transport)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    }
    #expect(await task.value?.code == .cancelled)
    #expect(transport.requests.isEmpty)
  }

  @Test func requestIDsAreRandomUUIDs() {
    let ids = (0..<1000).map { _ in RequestID.random() }
    #expect(Set(ids).count == 1000)
    #expect(
      ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil }
    )
  }
}

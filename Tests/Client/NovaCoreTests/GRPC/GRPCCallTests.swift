@testable import NovaCore
import NovaContent
import NovaGraph
import NovaSocial
import NovaTesting
import NovaTestSupport
import Testing

/// What a call of a `grpc://` URL sends, and how its answer is read.
@Suite struct GRPCCallTests {
  private static let type: HTTPHeaders = ["Content-Type": "application/grpc"]

  private static func client(
    _ transport: RecordingTransport, overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) throws -> APIClient {
    try APIClient.test(transport, baseURL: "grpc://localhost:50051", overrides: overrides)
  }

  @Test func aReadIsAPostOfABinaryMessage() async throws {
    let answer = GetFollowersResponse(userIds: ["a", "b"], totalCount: 2)
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: 200, headers: Self.type, body: try answer.protobuf())
    }
    let request = GetFollowersRequest(userId: "u1", limit: 20)
    let response = try await Self.client(transport).call(GraphRPC.getFollowers, request)
    #expect(response == answer)
    let sent = try #require(transport.requests.first)
    #expect(sent.method == .post)
    #expect(sent.url.text == "grpc://localhost:50051/nova.graph_service.v1.GraphService/GetFollowers")
    #expect(sent.headers["Content-Type"] == "application/grpc" && sent.headers["TE"] == "trailers")
    #expect(sent.headers["X-Request-ID"] == "test-request" && sent.headers["Idempotency-Key"] == nil)
    #expect(sent.headers["Grpc-Timeout"] != nil && sent.headers["Authorization"] != nil)
    #expect(sent.headers["Accept"] == nil)
    let body = try #require(sent.body.bytes)
    #expect(try GetFollowersRequest(protobuf: Array(body.dropFirst(5))) == request)
    #expect(Array(body.prefix(5)) == [0, 0, 0, 0, UInt8(body.count - 5)])
  }

  @Test func aWriteHasItsKey() async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 200, headers: Self.type) }
    let response = try await Self.client(transport).respond(
      SocialRPC.createLike, CreateLikeRequest(userId: "u1", postId: "p1"))
    // Without bytes, all fields have their defaults, and the message is complete.
    #expect(response.value == CreateLikeResponse() && !response.isBodyEmpty)
    #expect(transport.requests.first?.headers["Idempotency-Key"] == "test-request")
  }

  @Test func aFailureInTheMessageIsOne() async throws {
    let error = ErrorStatus(code: "POST_NOT_FOUND", message: "no such post")
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: 200, headers: Self.type, body: try GetPostResponse(error: error).protobuf())
    }
    let failure = await apiError {
      try await Self.client(transport).call(ContentRPC.getPost, GetPostRequest(postId: "p1"))
    }
    #expect(failure?.code == .notFound && failure?.server?.code == "POST_NOT_FOUND")
  }

  @Test func aMessageThatCannotBeReadIsADecodingError() async throws {
    let transport = RecordingTransport { _, _ in HTTPResponse(status: 200, headers: Self.type, body: [0x0A, 0x7F]) }
    let failure = await apiError {
      try await Self.client(transport).call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"))
    }
    #expect(failure?.code == .decodingError, "\(String(describing: failure))")
    #expect(failure?.decoding?.path.hasPrefix("user_ids") == true, "\(String(describing: failure?.decoding))")
  }

  @Test func aRequestAboveTheLimitIsNotSent() async throws {
    let transport = RecordingTransport("")
    let overrides = ConfigurationOverrides(grpc: GRPCConfiguration(maximumRequestBytes: 100))
    let failure = await apiError {
      try await Self.client(transport, overrides: overrides).call(
        ContentRPC.createPost, CreatePostRequest(creatorId: "u1", content: String(repeating: "x", count: 100)))
    }
    #expect(failure?.code == .invalidArgument && failure?.sent == .nothing)
    #expect(failure?.message.contains("grpc.max_request_bytes is 100") == true, "\(String(describing: failure))")
    #expect(transport.requests.isEmpty)
  }

  @Test func failuresDoNotNameAnHTTPStatus() async throws {
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: 404, headers: Self.type.adding(["grpc-status": "5", "grpc-message": "no user u1"]))
    }
    let failure = await apiError {
      try await Self.client(transport).call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u1"))
    }
    #expect(failure?.grpcStatus == .notFound && failure?.httpStatus == 404 && failure?.server?.message == "no user u1")
    #expect(failure?.description.contains("NOT_FOUND") == true && failure?.description.contains("HTTP") == false)
  }

  @Test(arguments: [("5", "NOT_FOUND"), ("0", "OK")]) func reportsNameTheStatus(status: String, name: String)
    async throws
  {
    let transport = RecordingTransport { _, _ in
      HTTPResponse(status: status == "0" ? 200 : 404, headers: Self.type.adding(["grpc-status": status]))
    }
    let request = GetFollowersRequest(userId: "u1")
    let client = try Self.client(transport)
    let report: CallReport?
    do { report = try await client.respond(GraphRPC.getFollowers, request).report } catch let error as APIError {
      report = error.report
    }
    let text = try #require(report).description
    #expect(text.contains("1. after 0 ms: \(name) in ") && !text.contains("HTTP"), "\(text)")
  }

  @Test func mediaNeedAGateway() async throws {
    let transport = RecordingTransport("")
    let rpc = GraphRPC.getFollowers.descriptor
    let failure = await apiError { try await Self.client(transport).get("/media/1", for: rpc) }
    #expect(failure?.code == .failedPrecondition && failure?.message.contains("grpc.gateway_url") == true)
    let gateway = ConfigurationOverrides(grpc: GRPCConfiguration(gatewayURL: "http://localhost:8080"))
    _ = try await Self.client(transport, overrides: gateway).get("/media/1", for: rpc)
    #expect(transport.requests.map(\.url.text) == ["http://localhost:8080/media/1"])
  }
}

extension HTTPHeaders {
  fileprivate func adding(_ others: HTTPHeaders) -> HTTPHeaders { HTTPHeaders(fields + others.fields) }
}

import NIOHTTP2
import NIOHPACK
import NovaCore
import NovaAuth
import NovaGraph
import NovaMock
import NovaRegistry
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct UnaryCallTests {
  private static let isMuted = IsMutedRequest(muterId: "a", muteeId: "b")

  @Test func callsReadAndWriteTheStateOfTheHTTPPort() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, client, _ in
      let before = try await client.call(GraphRPC.isMuted, Self.isMuted)
      #expect(before.status == "0" && before.httpStatus == "200")
      #expect(before.head?.first(name: "content-type") == "application/grpc")
      #expect(before.messages.count == 1 && before.messages.first == [])
      let mute = try await client.call(GraphRPC.createMute, .init(muterId: "a", muteeId: "b"))
      #expect(try CreateMuteResponse(protobuf: try #require(mute.messages.first)).success)
      let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
      #expect(await exchange(NovaServerTests.isMuted, port: port).hasSuffix(#"{"is_muted":true}"#))
    }
  }

  /// Whatever the contract has can be called: each method is found, and takes its own request.
  @Test func allRPCsCanBeCalled() async throws {
    try await withGRPC(MockBackend()) { _, client, _ in
      for rpc in RPCRegistry.nova.rpcs where !rpc.isServerStreaming {
        let answer = try await client.call(path(of: rpc), body: framed([]))
        #expect(answer.hasEnded && answer.reset == nil, "\(rpc.id)")
        // An empty request is invalid for most, and unknown to none.
        #expect(
          ["0", "3", "5", "16"].contains(answer.status), "\(rpc.id): \(answer.status ?? "none") \(answer.message ?? "")"
        )
        if answer.status == "0" { #expect(answer.messages.count == 1, "\(rpc.id)") }
      }
    }
  }

  @Test func failuresHaveTheirStatusInTheHeaders() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(
        GraphRPC.getFollowers, .init(userId: "a", limit: -1), metadata: [("x-request-id", "call-1")])
      #expect(answer.trailers == nil && answer.body.isEmpty && answer.hasEnded)
      #expect(answer.status == "3" && answer.message == "limit must not be negative, but is -1")
      #expect(answer.head?.first(name: "x-request-id") == "call-1")
      let types = answer.details.compactMap { $0["type"]?.stringValue }
      #expect(types == ["BadRequest", "RequestInfo"].map { "type.googleapis.com/google.rpc.\($0)" })
    }
  }

  @Test func messagesArePercentEncoded() {
    #expect(GRPCFailure(.unknown, "50 % of Łódź\n").encodedMessage == "50 %25 of %C5%81%C3%B3d%C5%BA%0A")
    #expect(GRPCFailure(.unknown, String(repeating: "ź", count: 5000)).encodedMessage.utf8.count < 6500)
  }

  /// The fault's status, what gRPC calls it, and whether it may succeed later.
  @Test(arguments: [
    ("503", "14"), ("429 retry-after 7", "8"), ("401", "16"), ("404", "5"), ("500", "13"), ("502", "14"), ("504", "4"),
    ("301", "2"), ("418", "2"),
  ])
  func statusesOfFaultsAreTranslated(fault: String, status: String) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(GraphRPC.isMuted, Self.isMuted, metadata: [("nova-fault", fault)])
      #expect(answer.status == status && answer.httpStatus == "200", "\(answer.message ?? "")")
      // RetryInfo with a Duration of 7 s.
      let retry = answer.details.first { $0["type"]?.stringValue?.hasSuffix("RetryInfo") == true }
      #expect(retry?["value"]?.stringValue == (fault.contains("retry-after") ? "0a020807" : nil))
    }
  }

  @Test func idempotencyKeysWorkAcrossProtocols() async throws {
    try await withGRPC(MockBackend()) { server, client, _ in
      let request = CreateFollowRequest(followerId: "mock-user-id", followeeId: "user-0001")
      let key = [("idempotency-key", "key-1")]
      let first = try await client.call(GraphRPC.createFollow, request, metadata: key)
      let second = try await client.call(GraphRPC.createFollow, request, metadata: key)
      #expect(first.status == "0" && second.status == "0" && first.messages == second.messages)
      let other = try await client.call(GraphRPC.createFollow, .init(followerId: "a", followeeId: "b"), metadata: key)
      #expect(other.status != "0")
    }
  }

  @Test func stubsRespondOverGRPC() async throws {
    let backend = MockBackend(dataSet: .empty)
    backend.add(try .call(GraphRPC.isMuted, Self.isMuted, answer: .init(isMuted: true)))
    backend.add(try .call(GraphRPC.isBlocked, status: 503, message: "out of order"))
    try await withGRPC(backend) { _, client, _ in
      let stubbed = try await client.call(GraphRPC.isMuted, Self.isMuted)
      #expect(try IsMutedResponse(protobuf: try #require(stubbed.messages.first)).isMuted)
      let other = try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "c"))
      #expect(other.messages.first == [])
      let failed = try await client.call(GraphRPC.isBlocked, .init(blockerId: "a", blockedId: "b"))
      #expect(failed.status == "14" && failed.message == "out of order")
    }
    #expect(backend.stubs.map(\.hits) == [1, 1])
  }

  @Test func theLogHasTheRequestAsJSON() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      _ = try await client.call(
        AuthRPC.login, .init(email: "a@b.c", password: "correct-horse"), metadata: [("authorization", "Bearer abc")])
      _ = try await client.call(GraphRPC.isMuted, Self.isMuted)
    }
    let records = backend.recentRequests()
    #expect(records.map(\.protocolName) == ["gRPC", "gRPC"])
    #expect(records.map(\.rpc) == ["auth.Login", "graph.IsMuted"])
    #expect(records[1].requestBody == #"{"muter_id":"a","mutee_id":"b"}"# && records[1].status == 200)
    #expect(records[1].responseBody == #"{"is_muted":false}"# && records[1].requestSize == 6)
    #expect(!"\(records[0])".contains("correct-horse") && !"\(records[0])".contains("abc"))
  }

  @Test func tokensAreChecked() async throws {
    try await withGRPC(MockBackend(requiresTokens: true)) { _, client, _ in
      let request = GetFollowersRequest(userId: "mock-user-id")
      #expect(try await client.call(GraphRPC.getFollowers, request).status == "16")
      let wrong = try await client.call(
        GraphRPC.getFollowers, request, metadata: [("authorization", "Bearer nonsense")])
      #expect(wrong.status == "16")
      let login = try await client.call(AuthRPC.login, .init(email: "bruce@nova.social", password: "mock-password"))
      let token = try LoginResponse(protobuf: try #require(login.messages.first)).token
      let answer = try await client.call(
        GraphRPC.getFollowers, request, metadata: [("authorization", "Bearer \(token)")])
      #expect(answer.status == "0")
    }
  }
}

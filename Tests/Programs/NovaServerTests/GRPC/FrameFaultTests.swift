import NIOHTTP2
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct FrameFaultTests {
  private static let request = CreateMuteRequest(muterId: "a", muteeId: "b")

  private func call(_ fault: String, on client: HTTP2TestClient) async throws -> HTTP2TestAnswer {
    try await client.call(GraphRPC.createMute, Self.request, metadata: [("nova-fault", fault)])
  }

  private func isMuted(_ client: HTTP2TestClient) async throws -> Bool {
    let answer = try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b"))
    return try IsMutedResponse(protobuf: try #require(answer.messages.first)).isMuted
  }

  @Test func okWithoutAMessage() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await call("trailers-only", on: client)
      #expect(answer.status == "0" && answer.body.isEmpty && answer.trailers == nil && answer.hasEnded)
      #expect(try await isMuted(client))
    }
  }

  @Test func anEndWithoutAStatus() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await call("no trailers", on: client)
      #expect(answer.messages.count == 1 && answer.status == nil && answer.hasEnded)
      #expect(try await isMuted(client))
    }
  }

  @Test func aGoAwayBeforeTheCall() async throws {
    try await withGRPC { server, client, port in
      let first = try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b"))
      #expect(first.status == "0")
      let answer = try await call("goaway", on: client)
      #expect(answer.head == nil && answer.status == nil)
      // The call has the number 3, so its frames were not processed.
      #expect(client.goAways == [1])
      let other = try await HTTP2TestClient.connect(to: port)
      #expect(try await !isMuted(other))
      await other.close()
      try await waitUntil { server.openStreams == 0 }
    }
  }

  @Test(arguments: FrameFault.ResetCode.allCases) func aReset(_ code: FrameFault.ResetCode) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await call("reset \(code.rawValue)", on: client)
      #expect(answer.head == nil && answer.reset == NIOHTTP2.HTTP2ErrorCode(networkCode: code.number))
      #expect(try await !isMuted(client))
    }
  }

  @Test func undefinedFlagsInAPrefix() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await call("bad prefix", on: client)
      #expect(answer.body.first == 0xFF && answer.status == "0")
    }
  }

  @Test func halfOfAMessage() async throws {
    try await withGRPC { _, client, _ in
      let whole = try await client.call(GraphRPC.createMute, Self.request)
      let answer = try await call("truncated message", on: client)
      #expect(answer.body.count == whole.body.count / 2 && whole.body.starts(with: answer.body))
      #expect(answer.status == "0")
    }
  }

  @Test func aWindowThatDoesNotGrow() async throws {
    let backend = MockBackend(dataSet: .empty, faults: try Faults(["graph.CreateMute=stalled windowx1"]))
    try await withGRPC(backend) { server, client, _ in
      let stream = try await client.open(grpcHeaders(path(of: GraphRPC.createMute.descriptor)))
      stream.begin([UInt8](repeating: 0, count: 1 << 20))
      try await waitUntil { backend.recentRequests().count == 1 }
      #expect(backend.recentRequests()[0].status == nil && backend.recentRequests()[0].fault == "stalled windowx1")
      #expect(server.openStreams == 1 && stream.answer.head == nil)
      // Other streams of the connection are not affected.
      #expect(try await !isMuted(client))
      try await stream.reset()
      try await waitUntil { server.openStreams == 0 }
      #expect(try await call("200", on: client).status == "0")
    }
  }

  @Test func aStalledWindowEndsWithTheDeadline() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(
        GraphRPC.createMute, Self.request, metadata: [("nova-fault", "stalled window"), ("grpc-timeout", "30m")])
      #expect(answer.status == "4")
    }
  }

  /// The faults of HTTP that leave the caller without an answer.
  @Test(arguments: [("drop", false), ("drop after", true), ("cut 3", true)])
  func aConnectionThatIsLost(fault: String, isExecuted: Bool) async throws {
    try await withGRPC { _, client, port in
      let answer = try await call(fault, on: client)
      #expect(answer.status == nil && !answer.hasEnded && answer.body.count == (fault == "cut 3" ? 3 : 0))
      try await waitUntil { client.isClosed }
      let other = try await HTTP2TestClient.connect(to: port)
      #expect(try await isMuted(other) == isExecuted)
      await other.close()
    }
  }

  /// Over HTTP/JSON, calls with these faults are answered as usual.
  @Test(arguments: FrameFault.named.keys.sorted() + ["reset cancel"])
  func httpIsNotAffected(fault: String) async throws {
    let backend = MockBackend(dataSet: .empty, faults: try Faults([fault]))
    try await withGRPC(backend) { server, _, port in
      #expect(await isAnswered(at: port))
      let http = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
      #expect(await isAnswered(at: http))
    }
  }

  @Test(arguments: ["no trailers", "truncated message", "bad prefix", "trailers-only"])
  func streamsHaveThemToo(fault: String) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let stream = try await client.stream(
        EventRPC.streamEvents, .init(topics: ["user:b"]), metadata: [("nova-fault", fault)])
      try await waitUntil { stream.answer.head != nil }
      if fault == "trailers-only" {
        #expect(await stream.ended().status == "0")
        return
      }
      _ = try await client.call(GraphRPC.createFollow, .init(followerId: "a", followeeId: "b"))
      try await waitUntil { !stream.answer.body.isEmpty }
      if fault == "bad prefix" { return #expect(stream.answer.body.first == 0xFF) }
      let answer = await stream.ended()
      #expect(answer.hasEnded && answer.status == (fault == "no trailers" ? nil : "0"))
    }
  }
}

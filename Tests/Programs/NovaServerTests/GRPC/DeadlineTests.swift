import NIOHTTP2
import NIOHPACK
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct DeadlineTests {
  private static let request = IsMutedRequest(muterId: "a", muteeId: "b")

  @Test func aHangingCallEndsWithItsDeadline() async throws {
    try await withGRPC { server, client, _ in
      let answer = try await client.call(
        GraphRPC.isMuted, Self.request, metadata: [("nova-fault", "hang"), ("grpc-timeout", "30m")])
      #expect(answer.status == "4" && answer.trailers == nil)
      try await waitUntil { server.openStreams == 0 }
    }
  }

  @Test func aStreamEndsWithItsDeadline() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let stream = try await client.stream(
        EventRPC.streamEvents, .init(topics: ["user:b"]), metadata: [("grpc-timeout", "50m")])
      let answer = await stream.ended()
      #expect(answer.status == "4")
      try await waitUntil { backend.eventSubscriberCount == 0 }
    }
  }

  /// The deadline begins with the headers, not with the message.
  @Test func aRequestThatDoesNotArriveEndsWithItsDeadline() async throws {
    try await withGRPC { _, client, _ in
      let stream = try await client.open(grpcHeaders(path(of: GraphRPC.isMuted.descriptor), [("grpc-timeout", "30m")]))
      #expect(await stream.ended().status == "4")
    }
  }

  @Test func aDeadlineThatIsFarAwayChangesNothing() async throws {
    try await withGRPC { _, client, _ in
      for timeout in ["99999999H", "10S"] {
        let answer = try await client.call(GraphRPC.isMuted, Self.request, metadata: [("grpc-timeout", timeout)])
        #expect(answer.status == "0")
      }
    }
  }

  @Test func cancellationEndsTheWork() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, client, _ in
      let stream = try await client.stream(GraphRPC.isMuted, Self.request, metadata: [("nova-fault", "hang")])
      try await waitUntil { server.openStreams == 1 }
      try await stream.reset()
      // The log has it once its wait has ended.
      try await waitUntil { backend.recentRequests().count == 1 && server.openStreams == 0 }
      #expect(backend.recentRequests()[0].status == nil)
    }
  }

  @Test func aLostConnectionEndsTheWork() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, _, port in
      let client = try await HTTP2TestClient.connect(to: port)
      _ = try await client.stream(EventRPC.streamEvents, .init(topics: ["user:b"]))
      try await waitUntil { backend.eventSubscriberCount == 1 }
      await client.close()
      try await waitUntil { backend.eventSubscriberCount == 0 && server.openStreams == 0 }
    }
  }
}

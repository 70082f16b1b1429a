import NIOHTTP2
import NIOHPACK
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct StreamingCallTests {
  private static let request = StreamEventsRequest(topics: ["user:b"])

  private func events(of stream: HTTP2TestStream) throws -> [Event] {
    try stream.answer.messages.map { try Event(protobuf: $0) }
  }

  @Test func eventsArriveAsTheyHappen() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, client, _ in
      let stream = try await client.stream(EventRPC.streamEvents, Self.request)
      try await waitUntil { stream.answer.head != nil }
      #expect(stream.answer.head?.first(name: "nova-event-position") == backend.eventPosition)
      #expect(try await client.call(GraphRPC.createFollow, .init(followerId: "a", followeeId: "b")).status == "0")
      try await waitUntil { stream.answer.messages.count == 1 }
      let event = try events(of: stream)[0]
      #expect(event.type == "follow.created" && event.actorId == "a" && event.id == backend.eventPosition)
      #expect(backend.eventSubscriberCount == 1 && server.openStreams == 1)
      try await stream.reset()
      try await waitUntil { backend.eventSubscriberCount == 0 && server.openStreams == 0 }
    }
  }

  /// Why the server ends the stream, and the status that the client gets: never OK.
  @Test(arguments: [("restart", "14"), ("token_expired", "16"), ("too_slow", "8")])
  func aStreamEndsWithItsReason(reason: String, status: String) async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let stream = try await client.stream(EventRPC.streamEvents, Self.request)
      try await waitUntil { stream.answer.head != nil }
      backend.endEventStreams(MockEventEnd(rawValue: reason))
      let answer = await stream.ended()
      #expect(answer.trailers?.first(name: "grpc-status") == status && answer.hasEnded)
      let last = try #require(try events(of: stream).last)
      #expect(last.type == "end" && last.text == reason)
      #expect(answer.details.first?["type"] == "type.googleapis.com/google.rpc.ErrorInfo")
    }
  }

  @Test func aStreamResumesAndReportsWhatIsGone() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, _ in
      let start = backend.eventPosition
      for follower in ["c", "d"] {
        _ = try await client.call(GraphRPC.createFollow, .init(followerId: follower, followeeId: "b"))
      }
      let resumed = try await client.stream(EventRPC.streamEvents, .init(topics: ["user:b"], after: start))
      try await waitUntil { resumed.answer.messages.count == 2 }
      #expect(try events(of: resumed).map(\.actorId) == ["c", "d"])
      backend.beginEventEpoch("other")
      let reset = try await client.stream(EventRPC.streamEvents, .init(topics: ["user:b"], after: start))
      try await waitUntil { reset.answer.messages.count == 1 }
      #expect(try events(of: reset).map(\.type) == ["reset"] && events(of: reset)[0].id == backend.eventPosition)
    }
  }

  @Test func aRefusedStreamHasNoMessages() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(EventRPC.streamEvents, .init(topics: ["nonsense"]))
      #expect(answer.status == "3" && answer.trailers == nil && answer.body.isEmpty)
      #expect(try await client.call(EventRPC.streamEvents, .init(topics: ["me"])).status == "16")
    }
  }

  @Test func duplicatesAndCutsApplyToMessages() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { _, client, port in
      let twice = try await client.stream(EventRPC.streamEvents, Self.request, metadata: [("nova-fault", "duplicate")])
      try await waitUntil { twice.answer.head != nil }
      _ = try await client.call(GraphRPC.createFollow, .init(followerId: "a", followeeId: "b"))
      try await waitUntil { twice.answer.messages.count == 2 }
      #expect(Set(try events(of: twice)).count == 1)
      // A cut ends the connection, and other calls on it.
      let other = try await HTTP2TestClient.connect(to: port)
      let cut = try await other.stream(EventRPC.streamEvents, Self.request, metadata: [("nova-fault", "cut 20")])
      try await waitUntil { cut.answer.head != nil }
      _ = try await client.call(GraphRPC.deleteFollow, .init(followerId: "a", followeeId: "b"))
      let answer = await cut.ended()
      #expect(answer.body.count == 20 && answer.trailers == nil && !answer.hasEnded)
      try await waitUntil { other.isClosed }
    }
  }

  @Test func stoppingEndsStreamsAndAnnouncesIt() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, client, _ in
      let stream = try await client.stream(EventRPC.streamEvents, Self.request)
      let hanging = try await client.stream(
        GraphRPC.isMuted, .init(muterId: "a", muteeId: "b"), metadata: [("nova-fault", "hang")])
      try await waitUntil { stream.answer.head != nil && server.openStreams == 2 }
      await server.stop()
      #expect(stream.answer.trailers?.first(name: "grpc-status") == "14")
      #expect(!client.goAways.isEmpty && server.openStreams == 0)
      // A call that does not end in time is ended without a status.
      #expect(await hanging.ended().status == nil)
    }
  }
}

import NIOHTTP2
import NIOCore
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Clients of HTTP/2 that send too little, too much, or what is not allowed.
@Suite struct HostileHTTP2Tests {
  /// A frame of HTTP/2.
  private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) } + [type, flags]
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) } + payload
  }

  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4)

  /// `GET http://a/` with the static table of HPACK.
  private static let get: [UInt8] = [0x82, 0x86, 0x84, 0x41, 1, 0x61]

  /// HEADERS and RST_STREAM for many streams.
  private static let rapidReset = (0..<20_000).flatMap { index in
    frame(1, flags: 5, stream: 2 * index + 1, get) + frame(3, stream: 2 * index + 1, [0, 0, 0, 8])
  }

  struct Flood: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static let floods = [
    Flood(name: "rapid reset", bytes: rapidReset),
    Flood(name: "SETTINGS", bytes: (0..<20_000).flatMap { _ in frame(4) }),
    Flood(name: "PING", bytes: (0..<20_000).flatMap { _ in frame(6, [0, 0, 0, 0, 0, 0, 0, 0]) }),
    Flood(
      name: "CONTINUATION",
      bytes: frame(1, stream: 1, get) + (0..<20_000).flatMap { _ in frame(9, stream: 1, [0x00, 1, 0x62, 1, 0x62]) }),
    Flood(
      name: "empty DATA",
      bytes: frame(1, flags: 4, stream: 1, get) + (0..<20_000).flatMap { _ in frame(0, stream: 1) }),
    Flood(name: "PRIORITY", bytes: (0..<20_000).flatMap { _ in frame(2, stream: 1, [0, 0, 0, 0, 1]) }),
    Flood(
      name: "large headers",
      bytes: frame(
        1, flags: 5, stream: 1, get + [0x00, 1, 0x62, 0x7F, 0x81, 0xFE, 0] + [UInt8](repeating: 0x63, count: 16_000))),
    Flood(name: "garbage", bytes: [UInt8](repeating: 0xFF, count: 100_000)),
    Flood(name: "a frame of 16 MiB", bytes: [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]),
  ]

  @Test(arguments: floods) func floodsEndTheirConnection(_ flood: Flood) async throws {
    try await withGRPC { server, client, port in
      let hostile = try HostileClient(port: port)
      _ = await hostile.finish(Self.preface + flood.bytes)
      try await waitUntil { server.openConnections == 1 && server.openStreams == 0 }
      #expect(try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b")).status == "0")
    }
  }

  private static let impatient = NovaServer.ConnectionLimits(
    request: .milliseconds(300), idle: .milliseconds(400), stall: .milliseconds(300), period: .milliseconds(20))

  @Test(arguments: [0, 5, 24, 33]) func silentClientsAreDisconnected(count: Int) async throws {
    try await withGRPC(limits: Self.impatient) { server, _, port in
      let socket = try RawSocket.connected(to: Int(port))
      try socket.write(Array(Self.preface.prefix(count)))
      try await waitUntil { server.openConnections == 0 }
      _ = socket
    }
  }

  @Test func aRequestWithoutEndIsReset() async throws {
    var limits = NovaServer.ConnectionLimits.patient
    // The preface must arrive within it, too, which a busy machine delays.
    (limits.request, limits.period) = (.seconds(5), .milliseconds(20))
    try await withGRPC(limits: limits) { server, client, _ in
      let stream = try await client.open(grpcHeaders(path(of: GraphRPC.isMuted.descriptor)))
      let answer = await stream.ended()
      #expect(answer.reset == .cancel && answer.head == nil, "\(answer)")
      try await waitUntil { server.openStreams == 0 }
    }
  }

  /// Clients that do not read: the server keeps a limited amount for them, and then closes their connections.
  @Test func slowReadersAreReset() async throws {
    var limits = NovaServer.ConnectionLimits.patient
    (limits.stall, limits.period) = (.milliseconds(300), .milliseconds(20))
    try await withGRPC(MockBackend(), limits: limits) { server, client, _ in
      var streams: [HTTP2TestStream] = []
      for _ in 0..<20 {
        let stream = try await client.open(grpcHeaders(path(of: GraphRPC.getFollowers.descriptor)), reads: false)
        try await stream.send(
          framed(try GetFollowersRequest(userId: "mock-user-id", limit: 1000).protobuf()), endStream: true)
        streams.append(stream)
      }
      try await waitUntil { server.openStreams == 0 }
      withExtendedLifetime(streams) {}
    }
  }

  /// Clients measure the network, and so send frames that are no part of the body before and in it.
  @Test func otherFramesAreReadPast() async throws {
    try await withGRPC { _, client, _ in
      let stream = try await client.open(grpcHeaders(path(of: GraphRPC.isMuted.descriptor)))
      let body = framed(try IsMutedRequest(muterId: "a", muteeId: "b").protobuf())
      for byte in body {
        try await stream.enlargeWindow()
        try await stream.send([byte])
      }
      try await stream.enlargeWindow()
      try await stream.send([], endStream: true)
      #expect(await stream.ended().status == "0")
    }
  }

  @Test func moreStreamsThanAllowedWait() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, client, _ in
      var streams: [HTTP2TestStream] = []
      for _ in 0..<HTTP2Limits.concurrentStreams {
        streams.append(try await client.stream(EventRPC.streamEvents, .init(topics: ["user:b"])))
      }
      try await waitUntil { backend.eventSubscriberCount == HTTP2Limits.concurrentStreams }
      async let waiting = client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b"))
      try await streams[0].reset()
      #expect(try await waiting.status == "0")
      #expect(server.openStreams == HTTP2Limits.concurrentStreams - 1)
      for stream in streams.dropFirst() { try await stream.reset() }
      try await waitUntil { server.openStreams == 0 }
    }
  }

  @Test func largeRequestsShareTheMemory() async throws {
    let budget = MemoryBudget(limit: 1 << 20, allowance: 1024)
    try await withGRPC(budget: budget) { server, client, _ in
      let message = [UInt8](repeating: 0x20, count: 2 << 20)
      let answer = try await client.call(path(of: GraphRPC.isMuted.descriptor), body: framed(message))
      #expect(answer.status == "8", "\(answer.message ?? "")")
      #expect(try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b")).status == "0")
      try await waitUntil { server.heldBytes == 0 }
    }
  }

  @Test func aThousandConnectionsAreServed() async throws {
    let count = Sanitizer.watchesThreads ? 100 : 1000
    try await withGRPC { server, client, port in
      let clients = try await withThrowingTaskGroup(of: HTTP2TestClient.self) { group in
        for _ in 0..<count { group.addTask { try await HTTP2TestClient.connect(to: port) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let statuses = try await withThrowingTaskGroup(of: String?.self) { group in
        for client in clients {
          group.addTask { try await client.call(GraphRPC.isMuted, .init(muterId: "a", muteeId: "b")).status }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(statuses == ["0"])
      for client in clients { await client.close() }
      try await waitUntil { server.openConnections == 1 }
    }
  }

  /// Ten thousand calls and a thousand streams, on ten connections, and nothing is left open.
  @Test func crowdsLeaveNothingOpen() async throws {
    let (calls, streams) = Sanitizer.watchesThreads ? (2000, 1000) : (10_000, 1000)
    let backend = MockBackend(dataSet: .empty)
    try await withGRPC(backend) { server, _, port in
      let clients = try await (0..<11).asyncMap { _ in try await HTTP2TestClient.connect(to: port) }
      let open = try await withThrowingTaskGroup(of: HTTP2TestStream.self) { group in
        for index in 0..<streams {
          group.addTask { try await clients[index % 10].stream(EventRPC.streamEvents, .init(topics: ["user:b"])) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await waitUntil { backend.eventSubscriberCount == streams }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<64 {
          group.addTask {
            for _ in 0..<calls / 64 {
              let request = IsMutedRequest(muterId: "a", muteeId: "\(worker)")
              let answer = try await clients[10].call(GraphRPC.isMuted, request)
              #expect(answer.status == "0")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await clients[10].call(GraphRPC.createFollow, .init(followerId: "a", followeeId: "b")).status == "0")
      // Beside signs of life.
      try await waitUntil {
        open.allSatisfy { $0.answer.messages.contains { (try? Event(protobuf: $0))?.type == "follow.created" } }
      }
      for stream in open { try await stream.reset() }
      try await waitUntil { server.openStreams == 0 && backend.eventSubscriberCount == 0 }
      for client in clients { await client.close() }
    }
  }
}

extension Range<Int> {
  fileprivate func asyncMap<T>(_ transform: (Int) async throws -> T) async rethrows -> [T] {
    var result: [T] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}

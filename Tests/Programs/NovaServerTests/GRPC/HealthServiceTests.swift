import NIOHTTP2
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct HealthServiceTests {
  private static let path = "/grpc.health.v1.Health/"

  private func request(_ service: String) -> [UInt8] {
    var writer = WireOutput()
    writer.text(1, service)
    return framed(writer.bytes)
  }

  @Test(arguments: ["", "nova.graph_service.v1.GraphService", "grpc.health.v1.Health"])
  func knownServicesServe(_ service: String) async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(Self.path + "Check", body: request(service))
      #expect(answer.messages == [[8, 1]] && answer.status == "0")
    }
  }

  @Test func unknownServicesAreNotFound() async throws {
    try await withGRPC { _, client, _ in
      #expect(try await client.call(Self.path + "Check", body: request("nova.Nothing")).status == "5")
      #expect(try await client.call(Self.path + "Check", body: framed([0xFF])).status == "13")
      // Watchers wait for a service to appear.
      let watch = try await client.open(grpcHeaders(Self.path + "Watch"))
      try await watch.send(request("nova.Nothing"), endStream: true)
      try await waitUntil { watch.answer.messages == [[8, 3]] }
      try await watch.reset()
    }
  }

  @Test func theListHasEveryService() async throws {
    try await withGRPC { _, client, _ in
      let answer = try await client.call(Self.path + "List", body: framed([]))
      let entries = WireMessage(try #require(answer.messages.first))?.bytes(1) ?? []
      #expect(entries.compactMap { WireMessage($0)?.validText(1) } == [""] + GRPCMethod.services)
      #expect(entries.allSatisfy { WireMessage($0)?.bytes(2).map(Array.init) == [[8, 1]] })
    }
  }

  @Test func watchersLearnThatTheServerStops() async throws {
    try await withGRPC { server, client, _ in
      let watch = try await client.open(grpcHeaders(Self.path + "Watch"))
      try await watch.send(request(""), endStream: true)
      try await waitUntil { watch.answer.messages == [[8, 1]] }
      await server.stop()
      let answer = await watch.ended()
      #expect(answer.messages == [[8, 1], [8, 2]] && answer.status == "14")
    }
  }
}

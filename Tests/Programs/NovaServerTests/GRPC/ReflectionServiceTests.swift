import NovaCore
import NovaRegistry
import NovaTestSupport
import Testing

@testable import NovaServer

@Suite struct ReflectionServiceTests {
  private let service = ReflectionService(pool: .shared)

  /// The field of a response, and the bytes in it.
  private func answer(_ number: Int, _ text: String) throws -> (field: Int, fields: WireMessage) {
    var request = WireOutput()
    request.text(1, "host")
    request.append(number, bytes: Array(text.utf8))
    let response = try #require(WireMessage(try service.response(to: request.bytes).bytes))
    #expect(response.validText(1) == "host" && response.bytes(2).map(Array.init) == [request.bytes])
    let member = try #require(response.fields.last)
    return (member.number, try #require(WireMessage(response.bytes(member.number).last ?? [])))
  }

  private func fileNames(_ fields: WireMessage) -> [String] {
    fields.bytes(1).compactMap { WireMessage($0)?.validText(1) }
  }

  @Test func allServicesAreListed() throws {
    let (field, fields) = try answer(7, "")
    let names = fields.bytes(1).compactMap { WireMessage($0)?.validText(1) }
    #expect(field == 6 && names == names.sorted())
    #expect(Set(names).isSuperset(of: RPCRegistry.nova.rpcs.map(\.package)) && names.count == 14)
    #expect(Set(names).isSuperset(of: ReflectionService.names + ["grpc.health.v1.Health"]))
  }

  /// Each service has its file with all that it imports, and each method and message is in it.
  @Test func everySymbolOfTheContractIsFound() throws {
    for rpc in RPCRegistry.nova.rpcs {
      for symbol in [rpc.package, rpc.fullName, rpc.requestType.descriptor.name, rpc.responseType.descriptor.name] {
        let (field, fields) = try answer(4, symbol)
        #expect(field == 4, "\(symbol)")
        let names = fileNames(fields)
        let imports = names.flatMap { DescriptorPool.shared.files[$0]?.imports ?? [] }
        #expect(Set(names).isSuperset(of: imports) && Set(names).count == names.count, "\(symbol)")
      }
    }
  }

  @Test(arguments: [
    (
      "nova.capture_service.v1.Something",
      ["nova/capture_service/v1/capture_service.proto", "google/protobuf/timestamp.proto"]
    ),
    ("google.protobuf.Timestamp", ["google/protobuf/timestamp.proto"]),
    ("nova.event_service.v1.Event.CountsEntry", ["nova/event_service/v1/event_service.proto"]),
    ("nova.event_service.v1.Event.actor_id", ["nova/event_service/v1/event_service.proto"]),
    ("grpc.health.v1.HealthCheckResponse.SERVING", ["grpc/health/v1/health.proto"]),
    (".grpc.health.v1.Health", ["grpc/health/v1/health.proto"]),
  ])
  func symbolsLeadToTheirFiles(symbol: String, files: [String]) throws {
    #expect(fileNames(try answer(4, symbol).fields) == files)
  }

  @Test func filesAreFoundByName() throws {
    for name in DescriptorPool.shared.files.keys {
      let (field, fields) = try answer(3, name)
      #expect(field == 4 && fileNames(fields).first == name)
    }
  }

  @Test(arguments: [(3, "nothing.proto"), (4, "nova.Nothing"), (4, ""), (5, ""), (6, "nova.Nothing")])
  func whatIsUnknownIsNotFound(field: Int, text: String) throws {
    let (number, fields) = try answer(field, text)
    #expect(number == 7 && fields.integer(1) == 5 && fields.validText(2)?.isEmpty == false)
  }

  @Test func noMessageHasExtensions() throws {
    let (number, fields) = try answer(6, "nova.event_service.v1.Event")
    #expect(number == 5 && fields.validText(1) == "nova.event_service.v1.Event" && fields.fields.count == 1)
  }

  @Test func malformedRequestsFail() {
    #expect(throws: GRPCFailure.self) { try service.response(to: [0xFF]) }
    #expect(throws: GRPCFailure.self) { try service.response(to: []) }
  }

  /// One stream takes many requests, each with its response, in both versions.
  @Test(arguments: ReflectionService.names) func aStreamTakesManyRequests(_ name: String) async throws {
    try await withGRPC { _, client, _ in
      let stream = try await client.open(grpcHeaders("/\(name)/ServerReflectionInfo"))
      var list = WireOutput()
      list.append(7, bytes: [])
      try await stream.send(framed(list.bytes) + framed(list.bytes))
      try await waitUntil { stream.answer.messages.count == 2 }
      try await stream.send(framed(list.bytes))
      try await waitUntil { stream.answer.messages.count == 3 }
      try await stream.send([], endStream: true)
      let answer = await stream.ended()
      #expect(answer.status == "0" && Set(answer.messages).count == 1)
    }
  }
}

import NovaCore
import NovaRegistry
import Testing

@Suite struct RPCRegistryTests {
  private let registry = RPCRegistry.nova

  @Test func everyRPCOfTheContractIsThere() {
    let counts = Dictionary(grouping: registry.rpcs, by: \.service).mapValues(\.count)
    #expect(
      counts == [
        "graph": 12, "social": 17, "content": 10, "media": 10, "user": 7, "auth": 6, "feed": 4, "capture": 5,
        "analytics": 1, "announcements": 2, "event": 2,
      ], "if the contract has a new RPC, change its service's number here, and the sum in README.md")
  }

  @Test func namesAreUnique() {
    #expect(Set(registry.rpcs.map { $0.id.lowercased() }).count == registry.rpcs.count)
    #expect(Set(registry.rpcs.map(\.fullName)).count == registry.rpcs.count)
    #expect(Set(registry.rpcs.map { "\($0.http.method) \($0.http.path)" }).count == registry.rpcs.count)
    let names = registry.messages.map { $0.descriptor.name }
    #expect(Set(names).count == names.count)
    #expect(Set(names.compactMap { $0.split(separator: ".").last?.lowercased() }).count == names.count)
  }

  @Test func everyRPCIsFoundByItsNames() throws {
    for rpc in registry.rpcs {
      for name in [rpc.id, rpc.fullName, rpc.id.uppercased(), rpc.fullName.lowercased()] {
        #expect(registry.rpc(named: name)?.fullName == rpc.fullName)
      }
    }
    #expect(registry.rpc(named: "graph.GetFollowers")?.http.path == "/api/v1/graph/followers")
    #expect(registry.rpc(named: "GetFollowers") == nil)
    #expect(registry.rpc(named: "") == nil)
  }

  @Test func everyMessageIsFoundByItsNames() throws {
    for message in registry.messages {
      let name = message.descriptor.name
      let short = try #require(name.split(separator: ".").last)
      for text in [name, String(short), short.uppercased()] {
        #expect(registry.message(named: text)?.descriptor.name == name)
      }
    }
    #expect(registry.message(named: "nova.graph_service.v1") == nil)
  }

  @Test func requestsAndResponsesAreMessagesOfTheRegistry() {
    for rpc in registry.rpcs {
      for type in [rpc.requestType, rpc.responseType] {
        #expect(registry.message(named: type.descriptor.name) == type, "\(rpc.id) \(type.descriptor.name)")
      }
    }
  }

  @Test func bindingsFitTheirMessages() throws {
    for rpc in registry.rpcs {
      let request = rpc.requestType.descriptor
      for part in rpc.http.path.split(separator: "/") where part.hasPrefix("{") {
        let field = try #require(request.field(named: String(part.dropFirst().dropLast())), "\(rpc.id)")
        #expect(field.cardinality == .singular)
      }
      if let field = rpc.http.responseField { #expect(rpc.responseType.descriptor.field(named: field) != nil) }
      if rpc.pageLimit != nil { #expect(request.field(named: "limit") != nil, "\(rpc.id)") }
      if let batch = rpc.batchLimit { #expect(request.field(named: batch.field)?.cardinality == .repeated) }
      #expect(!rpc.summary.isEmpty, "\(rpc.id)")
    }
  }
}

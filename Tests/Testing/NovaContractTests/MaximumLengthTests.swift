import NovaCore
import NovaMock
import NovaRegistry
import Testing

@testable import NovaContract

/// The mock enforces the lengths of `maximum_lengths` in `Proto/gateway.yaml`, which documents tell users.
@Suite struct MaximumLengthTests {
  @Test(arguments: ContractTexts.maximumLengths.keys.sorted())
  func theMockRefusesOneCharacterMore(_ path: String) async throws {
    let parts = path.split(separator: ".")
    let (message, name) = (parts.dropLast().joined(separator: "."), String(parts.last ?? ""))
    let rpc = try #require(RPCRegistry.nova.rpcs.first { $0.requestType.descriptor.name == message })
    let maximum = try #require(ContractTexts.maximumLengths[path])
    for length in [maximum, maximum + 1] {
      let end = name == "email" ? "@example.com" : ""
      let text = String(repeating: "a", count: length - end.count) + end
      var members = ExampleMessage.request(of: rpc).memberList ?? []
      members.removeAll { $0.name == name }
      members.append(.init(name: name, value: .string(text)))
      let answer = try await MockBackend(now: { 1_764_583_200 }).answer(
        HTTPRequest(
          method: rpc.http.method, url: HTTPURL(received: rpc.http.path),
          headers: ["Content-Type": "application/json"], body: JSONValue.object(members).jsonUTF8))
      let body = String(decoding: answer.body.inMemory, as: UTF8.self)
      #expect(
        (answer.status == 400) == (length > maximum),
        "\(path), \(length) characters: \(answer.status) \(body): change the length in gateway.yaml, or in the mock")
    }
  }
}

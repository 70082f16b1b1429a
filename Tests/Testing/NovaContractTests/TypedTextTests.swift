import NovaCapture
import NovaContract
import NovaCore
import NovaRegistry
import Testing

/// What `gateway.yaml` says about a text's values, its Swift type, and what depends on it, agree.
@Suite struct TypedTextTests {
  @Test func aContentTypeHasTheKnownValues() {
    for message in [Something.descriptor, CreateSomethingRequest.descriptor] {
      let field = message.fields.first { $0.name == "content_type" }
      let known = field.map { ContractTexts.nova.knownValues(of: $0, in: message) }
      #expect(known == ContentType.allCases.map(\.rawValue))
      #expect(field?.kind == .string, "nothing changes for other languages")
    }
  }

  /// Fields and values of a requirement exist.
  @Test func requirementsAreAboutTheContract() {
    let messages = RPCRegistry.nova.messages.map { $0.descriptor }.filter { !$0.requirements.isEmpty }
    #expect(messages.map(\.name) == ["nova.capture_service.v1.CreateSomethingRequest"])
    for message in messages {
      for requirement in message.requirements {
        let decider = message.fields.first { $0.name == requirement.condition }
        #expect(message.fields.contains { $0.name == requirement.field } && decider != nil)
        let known = decider.map { ContractTexts.nova.knownValues(of: $0, in: message) } ?? []
        #expect(Set(requirement.values).subtracting([""]).isSubset(of: known))
      }
    }
  }
}

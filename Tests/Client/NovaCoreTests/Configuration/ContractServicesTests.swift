import NovaRegistry
import Testing

@testable import NovaCore

@Suite struct ContractServicesTests {
  /// The order is that of messages about unknown names.
  @Test func theServicesAreTheContracts() {
    #expect(Set(ContractServices.names) == Set(RPCRegistry.nova.rpcs.map(\.service)))
  }
}

import NovaRegistry
import Testing

@testable import NovaCore

@Suite struct ContractServicesTests {
  /// The core knows no services; the names it accepts in configuration must still be the contract's.
  @Test func theServicesAreTheContracts() {
    #expect(Set(ConfigurationSchema.services) == Set(RPCRegistry.nova.rpcs.map(\.service)))
  }
}

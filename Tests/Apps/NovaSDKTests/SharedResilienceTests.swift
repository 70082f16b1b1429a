import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

/// Clients of a gateway share their breaker, whichever initializer made them.
@Suite struct SharedResilienceTests {
  @Test func clientsOfTheConfigurationsTransportShare() throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: "https://gateway.example"))
    let nova = NovaClient(configuration: configuration)
    let signedIn = NovaClient(configuration: configuration, sessionStore: MemorySessionStore())
    #expect(nova.client.breaker === CircuitBreaker.shared)
    #expect(signedIn.client.breaker === CircuitBreaker.shared)
  }

  @Test func clientsWithATransportDoNot() throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(baseURL: "https://gateway.example"))
    let nova = NovaClient(configuration: configuration, transport: RecordingTransport("{}"))
    let mock = NovaClient.mock()
    #expect(nova.client.breaker != nil && nova.client.breaker !== CircuitBreaker.shared)
    #expect(mock.client.breaker != nil && mock.client.breaker !== CircuitBreaker.shared)
  }
}

import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// Which clients share their budget and their breaker.
@Suite struct ResilienceTests {
  private func configuration(
    _ url: String, _ overrides: ConfigurationOverrides = ConfigurationOverrides()
  ) throws -> APIConfiguration {
    var overrides = overrides
    overrides.baseURL = url
    return try APIConfiguration(overrides)
  }

  private func resolved(
    _ resilience: Resilience = Resilience(), url: String = "https://one.example",
    overrides: ConfigurationOverrides = ConfigurationOverrides(), transport: (any HTTPTransport)? = nil,
    clock: any CallClock = ContinuousClock()
  ) throws -> Resilience {
    resilience.resolved(for: try configuration(url, overrides), transport: transport, clock: clock)
  }

  @Test func clientsOfAGatewayShare() throws {
    let (first, second) = (try resolved(), try resolved(url: "https://one.example/prefix"))
    #expect(first.budget != nil && first.budget === second.budget)
    #expect(first.breaker === CircuitBreaker.shared && second.breaker === CircuitBreaker.shared)
    let other = try resolved(url: "https://two.example")
    #expect(other.budget != nil && other.budget !== first.budget)
    // Its circuits are those of other hosts.
    #expect(other.breaker === CircuitBreaker.shared)
    // What the policy is does not matter.
    #expect(try resolved(Resilience(retry: .never)).budget === first.budget)
  }

  @Test func clientsReallyShare() throws {
    let configuration = try configuration("https://real.example")
    let (first, second) = (APIClient(configuration: configuration), APIClient(configuration: configuration))
    #expect(first.breaker === second.breaker)
    #expect(first.runner.budget != nil && first.runner.budget === second.runner.budget)
  }

  @Test func whatIsGivenIsNotShared() throws {
    let (budget, breaker) = (RetryBudget(), CircuitBreaker())
    let given = try resolved(Resilience(budget: budget, breaker: breaker))
    #expect(given.budget === budget && given.breaker === breaker)
    let none = try resolved(.none)
    #expect(none.budget == nil && none.breaker == nil)
    let half = try resolved(Resilience(breaker: breaker))
    #expect(half.breaker === breaker)
    #expect(half.budget === (try resolved()).budget)
  }

  @Test func neitherAreThoseOfTestsMocksAndOtherClocks() throws {
    let shared = try resolved()
    let others = [
      try resolved(transport: RecordingTransport("{}")), try resolved(clock: ManualClock()),
      try resolved(overrides: ConfigurationOverrides(usesMockData: true)),
      try resolved(overrides: ConfigurationOverrides(isOffline: true)),
    ]
    for (index, other) in others.enumerated() {
      #expect(other.budget != nil && other.budget !== shared.budget && other.budget !== RetryBudget.shared)
      #expect(other.breaker != nil && other.breaker !== CircuitBreaker.shared)
      for another in others[..<index] {
        #expect(other.budget !== another.budget && other.breaker !== another.breaker)
      }
    }
    let client = try APIClient.test(RecordingTransport("{}"), resilience: Resilience())
    #expect(client.breaker != nil && client.breaker !== CircuitBreaker.shared)
  }

  @Test func gatewaysWithoutClientsLeaveNothingBehind() throws {
    let budgets = SharedBudgets()
    let kept = budgets.budget(of: try HTTPURL(parsing: "https://kept.example").origin)
    for number in 0..<1000 {
      _ = budgets.budget(of: try HTTPURL(parsing: "https://h\(number).example").origin)
    }
    #expect(budgets.count == 2)
    #expect(budgets.budget(of: try HTTPURL(parsing: "https://kept.example").origin) === kept)
  }
}

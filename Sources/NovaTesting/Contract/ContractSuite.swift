public import NovaCore

/// The scenarios of the contract, for one mouth of the backend.
///
/// ```swift
/// let mock = await ContractSuite(client: mockClient).run("mock")
/// let gateway = await ContractSuite(client: gatewayClient).run("gateway")
/// #expect(gateway.problems.isEmpty)
/// #expect(ContractComparison(mock, gateway).differences.isEmpty)
/// ```
///
/// The client must have no token of its own: each scenario signs up the users it needs, and speaks in their names. A
/// server that wants e-mail addresses confirmed needs `accounts`.
public struct ContractSuite: Sendable {
  /// Signs up a user; gets a name that is unique on the server, of at most 32 letters, digits and underscores.
  public typealias Accounts = @Sendable (_ username: String) async throws -> ContractAccount

  /// The client that carries the calls.
  public let client: APIClient
  /// The scenarios, in the order of the results.
  public let scenarios: [ContractScenario]
  private let accounts: Accounts
  private let makePrefix: @Sendable () -> String

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - client: the way to the backend, without a token of its own.
  ///   - scenarios: what is run. Default: every scenario of the contract.
  ///   - accounts: where users come from. Default: they are registered.
  public init(
    client: APIClient, scenarios: [ContractScenario] = ContractScenario.all, accounts: Accounts? = nil
  ) {
    self.client = client
    self.scenarios = scenarios
    self.accounts = accounts ?? { try await ContractAccount.registered($0, client) }
    makePrefix = { "t" + RandomText.letters(11) }
  }

  /// A suite with the scenarios that only read: for servers with the data of real people.
  public var readOnly: ContractSuite {
    ContractSuite(client: client, scenarios: scenarios.filter { $0.effect == .readOnly }, accounts: accounts)
  }

  /// Runs the scenarios.
  ///
  /// - Parameters:
  ///   - mouth: what the mouth is called in reports.
  ///   - concurrency: how many scenarios run at once, at least 1. Default 8.
  /// - Returns: what was seen; failures of calls are part of it.
  public func run(_ mouth: String, concurrency: Int = 8) async -> ContractRun {
    let results = await withTaskGroup(of: (Int, ScenarioResult).self) { group in
      var results: [ScenarioResult?] = Array(repeating: nil, count: scenarios.count)
      for (index, scenario) in scenarios.enumerated() {
        if index >= max(1, concurrency), let (done, result) = await group.next() { results[done] = result }
        group.addTask { (index, await result(of: scenario)) }
      }
      for await (done, result) in group { results[done] = result }
      return results.compactMap(\.self)
    }
    return ContractRun(mouth: mouth, results: results)
  }

  private func result(of scenario: ContractScenario) async -> ScenarioResult {
    let run = ScenarioRun(client: client, prefix: makePrefix(), accounts: accounts)
    do {
      try await scenario.body(run)
    } catch is ScenarioRun.Stopped {
      // The step that stopped it has said why.
    } catch {
      run.add("end", .string("stopped"), problem: "the scenario stopped: \(error)")
    }
    await run.cleanUp()
    return ScenarioResult(scenario: scenario.name, observations: run.observations)
  }
}

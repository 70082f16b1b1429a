public import NovaCore

/// Runs the catalog's scenarios against a backend, through the SDK.
///
/// ```swift
/// let mock = await ContractSuite(client: mockClient).run("mock")
/// let gateway = await ContractSuite(client: gatewayClient).run("gateway")
/// #expect(gateway.problems.isEmpty)
/// #expect(ContractComparison(mock, gateway).differences.isEmpty)
/// ```
///
/// The client must have no token of its own: each scenario registers the users it needs and calls with their tokens. A
/// server that requires confirmed e-mail addresses needs `accounts`.
public struct ContractSuite: Sendable {
  /// Provides an account for a username that is unique on the server, of at most 32 letters, digits and underscores.
  public typealias Accounts = @Sendable (_ username: String) async throws -> ContractAccount

  /// The client that sends the calls.
  public let client: APIClient
  /// The scenarios, in the order of the results.
  public let scenarios: [ContractScenario]
  private let accounts: Accounts

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - client: a client of the backend, without a token.
  ///   - scenarios: what to run. Default: ``ContractScenario/all``. Parts of the survey are left out.
  ///   - accounts: provides the accounts of users. Default: they are registered.
  public init(
    client: APIClient, scenarios: [ContractScenario] = ContractScenario.all, accounts: Accounts? = nil
  ) {
    self.client = client
    self.scenarios = scenarios
    self.accounts = accounts ?? { try await ContractAccount.registered($0, client) }
  }

  /// The suite with only the scenarios that read: for servers with the data of real people.
  public var readOnly: ContractSuite {
    ContractSuite(client: client, scenarios: scenarios.filter { $0.effect == .readOnly }, accounts: accounts)
  }

  /// Runs the scenarios.
  ///
  /// - Parameters:
  ///   - backend: the name of the backend in reports.
  ///   - concurrency: how many scenarios run at once, at least 1. Default 8.
  ///   - seed: determines the names of users and records, so that another run can send the same requests: to a recording of
  ///     this one. A server accepts the same names once. Default: random names.
  /// - Returns: what the steps returned; failed calls are part of it.
  public func run(_ backend: String, concurrency: Int = 8, seed: UInt64? = nil) async -> ContractRun {
    await run(backend, concurrency: concurrency, seed: seed, clock: ContinuousClock()) { _, _ in }
  }

  /// - Parameter didEnd: called with the name and the duration of each scenario.
  func run(
    _ backend: String, concurrency: Int, seed: UInt64? = nil, clock: any CallClock,
    didEnd: @escaping @Sendable (_ scenario: String, _ duration: Duration) -> Void
  ) async -> ContractRun {
    let results = await scenarios.concurrentMap(limit: concurrency) { scenario in
      let start = clock.moment
      let result = await result(of: scenario, seed)
      didEnd(scenario.name, start.duration(to: clock.moment))
      return result
    }
    return ContractRun(backend: backend, results: results.compactMap(\.self))
  }

  private func result(of scenario: ContractScenario, _ seed: UInt64?) async -> ScenarioResult? {
    guard case .steps(let body) = scenario.body else { return nil }
    let letters = seed.map { RandomText.letters(11, seed: $0 ^ FNV1a.hash(of: scenario.name)) }
    let run = ScenarioRun(client: client, prefix: "t" + (letters ?? RandomText.letters(11)), accounts: accounts)
    do {
      try await body(run)
    } catch is ScenarioRun.Stopped {
      // The step that failed has its own problem.
    } catch {
      run.add("end", .string("stopped"), problem: "the scenario stopped: \(error)")
    }
    // Also after a cancellation: nothing may remain on the server.
    await Task.detached { await run.cleanUp() }.value
    return ScenarioResult(scenario: scenario.name, observations: run.observations)
  }
}

/// What one backend returned to the scenarios.
public struct ContractRun: Sendable {
  /// The name of the backend in reports, for example `mock`.
  public let backend: String
  /// The results, in the order of the suite's scenarios.
  public let results: [ScenarioResult]

  /// Where the backend breaks the contract, one line each.
  public var problems: [String] {
    results.flatMap { result in
      result.observations.compactMap { step in
        step.problem.map { "\(backend): \(result.scenario), step \"\(step.name)\": \($0)" }
      }
    }
  }

  /// Creates a run from known results.
  public init(backend: String, results: [ScenarioResult]) {
    self.backend = backend
    self.results = results
  }
}

/// What one scenario returned.
public struct ScenarioResult: Sendable, Hashable {
  /// The scenario's name.
  public let scenario: String
  /// Its steps, in order.
  public let observations: [ContractObservation]
}

/// What one step returned.
public struct ContractObservation: Sendable, Hashable {
  /// The step's name.
  public let name: String
  /// The answer or the error; ids, times and secrets have a form that is the same in every run.
  public let value: JSONValue
  /// Whether the contract leaves the value to the server, so that only servers with the same data agree on it.
  public let isServerSpecific: Bool
  /// How it breaks the contract; nil if it does not.
  public internal(set) var problem: String?
}

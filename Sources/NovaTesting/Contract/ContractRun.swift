public import NovaCore

/// What one mouth of the backend said to the scenarios.
public struct ContractRun: Sendable {
  /// What the mouth is called in reports, for example `mock`.
  public let mouth: String
  /// The results, in the order of the suite's scenarios.
  public let results: [ScenarioResult]

  /// What is not as the contract has it, one line each; empty when all is well.
  public var problems: [String] {
    results.flatMap { result in
      result.observations.compactMap { step in
        step.problem.map { "\(mouth): \(result.scenario), step \"\(step.name)\": \($0)" }
      }
    }
  }

  /// Creates a run from results that are known.
  public init(mouth: String, results: [ScenarioResult]) {
    self.mouth = mouth
    self.results = results
  }
}

/// What one scenario saw.
public struct ScenarioResult: Sendable, Hashable {
  /// The scenario's name.
  public let scenario: String
  /// Its steps, in order.
  public let observations: [ContractObservation]
}

/// What one step saw.
public struct ContractObservation: Sendable, Hashable {
  /// The step's name.
  public let name: String
  /// The answer or the error, with ids, times and secrets put into a form that does not change from run to run.
  public let value: JSONValue
  /// Whether the contract leaves the value to the server, so that only servers with the same data agree on it.
  public let isServersOwn: Bool
  /// How it breaks the contract; nil if it does not.
  public let problem: String?
}

public import NovaCore

/// Why a fault rule cannot be read.
public struct FaultRuleError: NovaError, Hashable {
  /// The rule as it was written.
  public let rule: String
  /// What is wrong with it, and what was expected.
  public let problem: String

  init(_ rule: String, _ problem: String) {
    self.rule = String(rule.prefix(200))
    self.problem = problem
  }

  public var description: String { "fault rule \"\(rule)\": \(problem)" }
}

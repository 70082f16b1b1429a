public import NovaCore

/// Timed steps of faults and other mishaps, the same in each run.
///
/// ```swift
/// let scenario = try MockScenario(steps: [
///   .faults(["social=503@30%", "bandwidth 20kB/s"], from: .seconds(120), to: .seconds(240)),
///   .action(.newEpoch, at: .seconds(240)),
/// ])
/// backend.run(scenario, clock: clock)
/// ```
///
/// Chance depends on the seed, the rule, and the call: its RPC, its path and body, its user, and how often the same call was made.
/// So calls that run at the same time have the same faults in any order.
public struct MockScenario: Sendable {
  /// The maximum number of steps, and of rules in all steps.
  public static let maximumSteps = 1000

  /// A name for people; empty for none.
  public let name: String
  /// The seed of chance; nil for that of the backend.
  public let seed: UInt64?
  /// The steps in the order in which they were written.
  public let steps: [Step]

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - name: a name for people. Default: none.
  ///   - seed: the seed of chance. Default: the backend's.
  ///   - steps: the steps, in any order, at most ``maximumSteps``.
  /// - Throws: ``MockScenarioError`` for a step that cannot be.
  public init(name: String = "", seed: UInt64? = nil, steps: [Step]) throws(MockScenarioError) {
    guard (1...Self.maximumSteps).contains(steps.count) else {
      throw MockScenarioError("steps: expected 1 to \(Self.maximumSteps) steps, got \(steps.count)")
    }
    guard steps.reduce(0, { $0 + $1.faults.count }) <= Self.maximumSteps else {
      throw MockScenarioError("steps: expected at most \(Self.maximumSteps) faults in all steps")
    }
    for (index, step) in steps.enumerated() {
      if let problem = step.problem { throw MockScenarioError(problem.text, step: index + 1, member: problem.member) }
    }
    (self.name, self.seed, self.steps) = (name, seed, steps)
  }

  /// When the last step ends; nil if one has no end.
  public var duration: Duration? {
    let ends = steps.map { $0.isOpenEnded ? nil : $0.end ?? $0.start }
    return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
  }

  /// A step: faults for a time, or actions at one.
  public struct Step: Sendable, Hashable {
    /// When it begins, after the start of the scenario.
    public let start: Duration
    /// When its faults end; nil for never, and for actions.
    public let end: Duration?
    /// The faults; empty for a step with actions.
    public let faults: [FaultRule]
    /// What it does once.
    public let actions: [MockScenarioAction]
    /// A remark for people; empty for none.
    public let note: String

    init(
      start: Duration, end: Duration? = nil, faults: [FaultRule] = [], actions: [MockScenarioAction] = [],
      note: String = ""
    ) {
      (self.start, self.end) = (start, end)
      (self.faults, self.actions, self.note) = (faults, actions, note)
    }

    /// Faults for a time.
    ///
    /// - Parameters:
    ///   - rules: the rules, see ``FaultRule``.
    ///   - start: when they begin, after the start of the scenario. At most 30 days.
    ///   - end: when they end. Default: they don't.
    ///   - note: a remark for people.
    /// - Throws: ``FaultRuleError`` for the first invalid rule.
    public static func faults(
      _ rules: [String], from start: Duration, to end: Duration? = nil, note: String = ""
    ) throws(FaultRuleError) -> Step {
      let rules = try rules.map { text throws(FaultRuleError) in try FaultRule(text) }
      return Step(start: start, end: end, faults: rules, note: note)
    }

    /// An action at a time after the start of the scenario.
    public static func action(_ action: MockScenarioAction, at time: Duration, note: String = "") -> Step {
      Step(start: time, actions: [action], note: note)
    }

    var isOpenEnded: Bool { actions.isEmpty && end == nil }

    /// Whether its faults apply at a time of the scenario.
    func isActive(at elapsed: Duration) -> Bool {
      !faults.isEmpty && elapsed >= start && end.map { elapsed < $0 } ?? true
    }

    /// What is wrong with it, and in which member of the file.
    fileprivate var problem: (member: String, text: String)? {
      let limit = ScenarioTime.text(ScenarioTime.range.upperBound)
      let first = actions.isEmpty ? "from" : "at"
      if !ScenarioTime.range.contains(start) { return (first, "expected a time from 0s to \(limit)") }
      guard let end else { return faults.isEmpty && actions.isEmpty ? ("faults", "expected at least one fault") : nil }
      guard ScenarioTime.range.contains(end) else { return ("to", "expected a time from 0s to \(limit)") }
      guard end <= start else { return nil }
      return ("to", "expected a time after \(ScenarioTime.text(start)), got \(ScenarioTime.text(end))")
    }
  }
}

/// A scenario that cannot be.
public struct MockScenarioError: NovaError, Hashable {
  /// The file; nil without one.
  public var file: String?
  /// The number of the step, counted from 1; nil for a problem of the whole scenario.
  public let step: Int?
  /// The member of the step; nil for the whole step.
  public let member: String?
  /// What is wrong, and what was expected.
  public let problem: String

  init(_ problem: String, step: Int? = nil, member: String? = nil) {
    (self.problem, self.step, self.member) = (problem, step, member)
  }

  /// `chaos.json: step 2: to: expected a time after 2min, got 1min`.
  public var description: String {
    let place = [file, step.map { "step \($0)" }, member].compactMap(\.self).map { "\($0): " }.joined()
    return "invalid scenario: \(place)\(problem)"
  }
}

import NovaCore

/// A scenario that runs on a backend.
struct ScenarioRun: Sendable {
  let scenario: MockScenario
  let seed: UInt64
  let clock: any CallClock
  /// Tells the run from others of the same backend.
  let number: Int
  private let start: Moment
  private var time: FaultTime
  /// The rules of each step, with their progress.
  private var faults: [[ActiveFault]]
  private var isDone: [Bool]
  private var counts = RequestCounts()

  /// - Parameter isFrozen: whether the backend's clock is frozen.
  init(_ scenario: MockScenario, seed: UInt64, clock: any CallClock, number: Int, isFrozen: Bool) {
    let seed = scenario.seed ?? seed
    (self.scenario, self.seed, self.clock, self.number) = (scenario, seed, clock, number)
    var time = FaultTime(isFrozen: isFrozen)
    start = time.moment(at: clock.moment)
    self.time = time
    faults = scenario.steps.enumerated().map { index, step in
      step.faults.enumerated().map { ActiveFault($1, seed: seed, place: UInt64(index) << 32 + UInt64($0)) }
    }
    isDone = scenario.steps.map { _ in false }
  }

  // MARK: Time

  /// The time since its start.
  mutating func elapsed() -> Duration { start.duration(to: time.moment(at: clock.moment)) }

  /// Follows the backend's clock, at this moment.
  mutating func follow(_ clock: MockClock, movedBy seconds: Int64) {
    // The time until now belongs to the clock as it was.
    _ = elapsed()
    time.follow(clock, movedBy: seconds)
    _ = elapsed()
  }

  /// How long until the next action is due; nil if none follows.
  mutating func untilNextAction() -> Duration? {
    let now = elapsed()
    return zip(scenario.steps, isDone).filter { !$1 && !$0.actions.isEmpty }.map { max(.zero, $0.0.start - now) }.min()
  }

  // MARK: Effects

  /// Whether chance decides about calls now.
  mutating func isRandom() -> Bool {
    let now = elapsed()
    return scenario.steps.contains { $0.isActive(at: now) && $0.faults.contains(where: \.isRandom) }
  }

  mutating func limitsUploads() -> Bool {
    let now = elapsed()
    return scenario.steps.contains { $0.isActive(at: now) && $0.faults.contains(where: \.limitsUploads) }
  }

  /// Adds what the steps of the moment do to a call.
  ///
  /// - Parameter key: what tells the call from others; nil if chance decides nothing.
  mutating func apply(to plan: inout FaultPlan, _ call: (service: String?, rpc: String?), key: RequestKey?) {
    let moment = time.moment(at: clock.moment)
    let now = start.duration(to: moment)
    let choice = key.map { counts.next($0) }
    for index in scenario.steps.indices where scenario.steps[index].isActive(at: now) {
      for rule in faults[index].indices {
        plan.apply(&faults[index][rule], to: call, at: moment, choice: choice ?? 0)
      }
    }
  }

  /// Returns the actions that are due and have not been done, in order, and counts them as done.
  mutating func takeDueActions() -> [MockScenarioAction] {
    let now = elapsed()
    let due = scenario.steps.indices.filter {
      !isDone[$0] && !scenario.steps[$0].actions.isEmpty && scenario.steps[$0].start <= now
    }
    for index in due { isDone[index] = true }
    return due.sorted { (scenario.steps[$0].start, $0) < (scenario.steps[$1].start, $1) }
      .flatMap { scenario.steps[$0].actions }
  }

  // MARK: Progress

  mutating func progress() -> MockScenarioProgress {
    let now = elapsed()
    let steps = scenario.steps.indices.map { index in
      let step = scenario.steps[index]
      let rules = faults[index].map { Faults.Progress(rule: $0.rule, hits: $0.hits, remaining: $0.remaining) }
      return MockScenarioProgress.Step(step: step, state: state(of: index, at: now), faults: rules)
    }
    return MockScenarioProgress(name: scenario.name, seed: seed, elapsed: now, steps: steps)
  }

  private func state(of index: Int, at now: Duration) -> MockScenarioProgress.State {
    let step = scenario.steps[index]
    if !step.actions.isEmpty { return isDone[index] ? .done : .waiting }
    if now < step.start { return .waiting }
    return step.isActive(at: now) ? .running : .done
  }
}

/// How far a scenario is.
public struct MockScenarioProgress: Sendable {
  /// What a step does at the moment.
  public enum State: String, Sendable, Hashable {
    /// Its time has not come.
    case waiting
    /// Its faults apply.
    case running
    /// Its faults have ended, or its actions were performed.
    case done
  }

  /// A step with its progress.
  public struct Step: Sendable {
    /// The step.
    public let step: MockScenario.Step
    /// What it does at the moment.
    public let state: State
    /// Its rules, with the number of calls they have affected.
    public let faults: [Faults.Progress]
  }

  /// The scenario's name.
  public let name: String
  /// The seed of chance.
  public let seed: UInt64
  /// The time since the start.
  public let elapsed: Duration
  /// The steps in the order in which they were written.
  public let steps: [Step]
  /// Whether nothing follows.
  public var isFinished: Bool { steps.allSatisfy { $0.state == .done } }
}

public import NovaCore

/// The scenario of a backend.
struct ScenarioState: Sendable {
  /// What runs; nil if nothing does.
  var run: ScenarioRun?
  /// What ran last, to start it again.
  var last: (scenario: MockScenario, clock: any CallClock)?
  var runCount = 0
}

extension MockBackend {
  /// Starts a scenario from its beginning, in place of the one that runs.
  ///
  /// Its time passes on `clock`, pauses while the backend's clock is frozen, and skips ahead when that is moved forward.
  /// Actions are performed when they are due: by the system's clock at once; by any other clock before the next call, or within
  /// a second of that clock while a stream of events is open. ``reset()`` stops it.
  ///
  /// - Parameters:
  ///   - scenario: the scenario. Its faults apply after those of ``faults``, whose outcomes take precedence.
  ///   - clock: the clock, for example a manual one that is also the transport's. Default: the system's.
  public func run(_ scenario: MockScenario, clock: any CallClock = ContinuousClock()) {
    // Held by the engine, so that the clock cannot stop in between.
    let number = withEngine { engine in
      scenarioState.withLock { state in
        state.runCount += 1
        state.last = (scenario, clock)
        state.run = ScenarioRun(
          scenario, seed: seed, clock: clock, number: state.runCount, isFrozen: engine.state.clock.isFrozen)
        return state.runCount
      }
    }
    performDueActions()
    guard clock is ContinuousClock else { return }
    Task { [weak self] in
      // The backend's clock can move, so the wait is never long.
      while let wait = self?.nextWait(of: number), (try? await Task.sleep(for: min(wait, .seconds(1)))) != nil {
        self?.performDueActions()
      }
    }
  }

  /// Stops the scenario; its faults end.
  public func stopScenario() { scenarioState.withLock { $0.run = nil } }

  /// Starts the last scenario again; false if there was none.
  @discardableResult
  public func restartScenario() -> Bool {
    guard let last = scenarioState.withLock({ $0.last }) else { return false }
    run(last.scenario, clock: last.clock)
    return true
  }

  /// How far the scenario is; nil if none runs.
  public var scenarioProgress: MockScenarioProgress? {
    performDueActions()
    return scenarioState.withLock { $0.run?.progress() }
  }

  /// Performs the actions that are due.
  func performDueActions() {
    let actions = scenarioState.withLock { $0.run?.takeDueActions() ?? [] }
    for action in actions { perform(action) }
  }

  /// Adds what the scenario does to a call.
  ///
  /// - Parameter key: what tells the call from others.
  func applyScenario(to plan: inout FaultPlan, _ call: (service: String?, rpc: String?), key: () -> RequestKey) {
    guard let isRandom = scenarioState.withLock({ $0.run?.isRandom() }) else { return }
    // Computed outside of the lock, because a body can be large.
    let key = isRandom ? key() : nil
    plan = scenarioState.withLock { [plan] state in
      var plan = plan
      state.run?.apply(to: &plan, call, key: key)
      return plan
    }
  }

  /// How long until the next action of a run; nil if none follows, or another run has replaced it.
  private func nextWait(of number: Int) -> Duration? {
    scenarioState.withLock { $0.run?.number == number ? $0.run?.untilNextAction() : nil }
  }
}

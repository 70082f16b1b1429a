internal import NovaSupport

/// Steps that must succeed in the end: those that failed are repeated in the background.
final class OwedSteps<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// - Parameter mustBeTried: whether it is tried although its store is left alone.
  typealias Step = @Sendable (_ key: Key, _ value: Value, _ mustBeTried: Bool) async -> Bool

  private struct Debt {
    let value: Value
    /// Another number for each request: a success settles only requests that were made before its step began.
    let number: Int
  }

  private struct State {
    var debts: [Key: Debt] = [:]
    var requests = 0
    var repetition: Task<Void, Never>?
  }

  private let limit: Int
  private let everything: (key: Key, value: Value)?
  private let pause: Duration
  private let clock: any CallClock
  private let step: Step
  private let state = Locked(State())

  /// - Parameters:
  ///   - limit: the maximum number of steps that wait for their repetition. Default: no limit.
  ///   - everything: the step that one more is replaced by, together with all that wait.
  ///   - pause: how long to wait between repetitions.
  ///   - step: runs a step, even if the task is cancelled, and returns whether it has succeeded.
  init(
    limit: Int = .max, otherwise everything: (key: Key, value: Value)? = nil, pause: Duration, clock: any CallClock,
    step: @escaping Step
  ) {
    (self.limit, self.everything, self.pause, self.clock, self.step) = (limit, everything, pause, clock, step)
  }

  deinit { state.withLock { $0.repetition?.cancel() } }

  /// Runs a step.
  ///
  /// - Returns: whether it has succeeded. If not, it is repeated in the background.
  func run(_ key: Key, _ value: Value) async -> Bool {
    let debt = state.withLock { state in
      state.requests += 1
      let debt = Debt(value: value, number: state.requests)
      if state.debts.count < limit {
        state.debts[key] = debt
      } else if let everything {
        state.debts = [everything.key: Debt(value: everything.value, number: state.requests)]
      }
      return debt
    }
    if await attempt(key, debt) { return true }
    repeatInBackground()
    return false
  }

  /// Repeats a step that has failed.
  ///
  /// - Returns: false if it failed again.
  func settle(_ key: Key) async -> Bool {
    guard let debt = state.withLock({ $0.debts[key] }) else { return true }
    return await attempt(key, debt, mustBeTried: false)
  }

  private func attempt(_ key: Key, _ debt: Debt, mustBeTried: Bool = true) async -> Bool {
    guard await step(key, debt.value, mustBeTried) else { return false }
    state.withLock { state in if state.debts[key]?.number == debt.number { state.debts[key] = nil } }
    return true
  }

  private func repeatInBackground() {
    state.withLock { state in
      guard state.repetition == nil else { return }
      state.repetition = Task { [weak self, pause, clock] in
        while !Task.isCancelled {
          try? await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil)
          guard let self, await !self.settleAll() else { return }
        }
      }
    }
  }

  /// - Returns: whether no step is left.
  private func settleAll() async -> Bool {
    for (key, debt) in state.withLock({ $0.debts }) { guard await attempt(key, debt) else { return false } }
    return state.withLock { state in
      guard state.debts.isEmpty else { return false }
      state.repetition = nil
      return true
    }
  }
}

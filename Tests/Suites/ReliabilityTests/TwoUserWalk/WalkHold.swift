import NovaCore
import NovaTestSupport
import NovaTesting

/// Holds requests at the gateway until the history lets them go, so that users change while calls are under way.
final class WalkHold: Sendable {
  /// What becomes of a request.
  enum Outcome: CaseIterable, Sendable {
    case served
    /// The connection is lost before anything is done, or when everything is done.
    case lostBefore, lostAfter
    case unavailable, rateLimited
  }

  private struct State {
    var random: SeededGenerator
    var isOpen = false
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  private let state: Locked<State>

  init(seed: UInt64) { state = Locked(State(random: SeededGenerator(seed: seed))) }

  /// How many requests wait.
  var count: Int { state.withLock { $0.waiting.count } }

  /// Decides about a request; some wait until they are released.
  func pass() async -> Outcome {
    let (id, outcome) = state.withLock { state -> (Int, Outcome?) in
      state.nextID += 1
      if state.isOpen { return (state.nextID, .served) }
      if state.random.one(in: 3) { return (state.nextID, nil) }
      return (state.nextID, state.random.one(in: 8) ? Outcome.allCases.randomElement(using: &state.random) : .served)
    }
    if let outcome { return outcome }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayWait = state.withLock { state in
          if state.isOpen || state.cancelled.remove(id) != nil { return false }
          state.waiting[id] = continuation
          return true
        }
        if !mayWait { continuation.resume(returning: .served) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
        if let continuation = state.waiting.removeValue(forKey: id) { return continuation }
        state.cancelled.insert(id)
        return nil
      }
      continuation?.resume(returning: .lostBefore)
    }
  }

  /// Lets one request go, if any waits.
  func releaseOne() {
    let released = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
      guard let id = state.waiting.keys.sorted().randomElement(using: &state.random),
        let continuation = state.waiting.removeValue(forKey: id)
      else { return nil }
      return (continuation, Outcome.allCases.randomElement(using: &state.random) ?? .served)
    }
    released?.0.resume(returning: released?.1 ?? .served)
  }

  /// Lets all go that wait now.
  func releaseAll(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  /// Serves every later request at once, and those that wait.
  func open() {
    state.withLock { $0.isOpen = true }
    releaseAll(.served)
  }
}

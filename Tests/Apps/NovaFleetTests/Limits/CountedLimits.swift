import NovaFleet
import NovaSupport

/// A store in memory whose tokens a test counts. It is without tokens until some are added.
final class CountedLimits: FleetLimitStore {
  struct State {
    var tokens = 0
    var wait = Duration.seconds(10)
    var taken: [FleetPriority] = []
    var givenBack = 0
    var pauses: [Duration] = []
  }

  let state: Locked<State>

  init(tokens: Int = 0) { state = Locked(State(tokens: tokens)) }

  func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
    state.withLock { state in
      let tokens = min(count, state.tokens)
      state.tokens -= tokens
      state.taken.append(priority)
      return FleetGrant(tokens: tokens, wait: tokens > 0 ? .zero : state.wait)
    }
  }

  func giveBack(_ count: Int, of limit: FleetLimit) async throws {
    state.withLock {
      $0.tokens += count
      $0.givenBack += count
    }
  }

  func pause(_ limit: FleetLimit, for time: Duration) async throws { state.withLock { $0.pauses.append(time) } }
}

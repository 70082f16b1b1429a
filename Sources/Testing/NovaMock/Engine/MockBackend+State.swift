import NovaCore

/// The state of a ``MockBackend`` at a moment. Later changes to the backend do not affect it.
public struct MockSnapshot: Sendable {
  let state: MockState
}

extension MockBackend {
  /// Returns a snapshot of the current state. Copying is deferred until something changes.
  public func snapshot() -> MockSnapshot { withState { MockSnapshot(state: $0) } }

  /// Restores a state and its clock; it can come from another backend. Faults and logged requests stay.
  public func restore(_ snapshot: MockSnapshot) { withEngine { $0.replaceState(snapshot.state) } }

  /// Restores the initial state and clock, removes all faults and stubs, and stops the scenario. Snapshots and logged requests stay.
  public func reset() {
    withEngine { $0.replaceState($0.initialState()) }
    clearFaults()
    removeStubs()
    stopScenario()
    source?.reset()
  }

  /// The number of users, posts, and so on.
  public var counts: MockCounts { withState { MockCounts($0) } }

  /// Returns the most recent requests, oldest first. At most 10,000 are stored.
  ///
  /// - Parameters:
  ///   - number: the number of a request; only later ones are returned. Default: all.
  ///   - limit: the maximum number of requests. Default: 10,000.
  public func recentRequests(after number: Int = 0, limit: Int = 10_000) -> [MockRequestRecord] {
    log.withLock { $0.requests(after: number, limit: limit) }.map { MockRequestRecord($0) }
  }

  /// Removes all logged requests. Later requests continue the numbering.
  public func clearRequests() {
    log.withLock { $0.removeAll() }
    unmatched.withLock { $0 = UnmatchedRequests() }
  }
}

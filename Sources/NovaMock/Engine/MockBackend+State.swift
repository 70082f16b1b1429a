import NovaCore

/// All that a ``MockBackend`` remembered at a moment. It stays as it is, whatever the backend does later.
public struct MockSnapshot: Sendable {
  let state: MockState
}

extension MockBackend {
  /// How far the clock can be set forward in all, in seconds: a hundred years.
  static let maximumClockOffset: Int64 = 100 * 31_557_600

  /// The state at this moment. It costs nothing until something changes, and then what the change touches.
  public func snapshot() -> MockSnapshot { withState { MockSnapshot(state: $0) } }

  /// Brings a state back, the clock included; it may come from another backend. Faults and requests stay.
  public func restore(_ snapshot: MockSnapshot) { withEngine { $0.state = snapshot.state } }

  /// Makes everything as it was at the start: the state anew from the seed, the clock, and no faults. Snapshots and
  /// requests stay.
  public func reset() {
    withEngine { $0.state = $0.initialState() }
    clearFaults()
  }

  /// Sets the backend's clock forward: tokens expire, `Idempotency-Key`s are forgotten, reels get ready.
  ///
  /// - Parameter duration: in whole seconds; a fraction is left out. Less than zero means zero, and the clock goes no
  ///   further than a hundred years ahead.
  public func advanceClock(by duration: Duration) {
    withEngine { engine in
      let offset = max(0, duration.components.seconds).addingReportingOverflow(engine.state.clockOffset)
      engine.state.clockOffset =
        offset.overflow ? Self.maximumClockOffset : min(offset.partialValue, Self.maximumClockOffset)
    }
  }

  /// How much of everything there is.
  public var counts: MockCounts { withState { MockCounts($0) } }

  /// The last requests, the oldest first; at most 1000 are kept.
  ///
  /// - Parameters:
  ///   - number: only those after the one of this number. Default: all.
  ///   - limit: at most so many of them, the first ones. Default 1000.
  public func recentRequests(after number: Int = 0, limit: Int = 1000) -> [MockRequestRecord] {
    log.withLock { $0.requests(after: number, limit: limit) }.map(MockRequestRecord.init)
  }
}

import NovaCore

/// The clock of a backend. Access tokens are valid from their issue for an hour, refresh tokens for 30 days, and keys of
/// idempotent calls for a day, all by this clock.
extension MockBackend {
  /// The backend's time, in Unix seconds.
  public var currentTime: Int64 { withState { $0.now } }

  /// Whether the clock is frozen.
  public var isClockFrozen: Bool { withState { $0.clock.isFrozen } }

  /// Sets the clock forward or back. A frozen clock stays frozen.
  ///
  /// - Parameter time: Unix seconds from 1970 to 2999; other times become the nearest one.
  public func setClock(to time: Int64) { change(.set(time)) }

  /// Moves the clock: forward, tokens and `Idempotency-Key`s expire, and reels finish processing; back, tokens that have
  /// expired are valid again, and those issued later than the new time are not valid yet.
  ///
  /// - Parameter duration: the duration, rounded toward zero to whole seconds; negative to go back. The clock stays
  ///   between 1970 and 2999.
  public func advanceClock(by duration: Duration) { change(.move(duration.components.seconds)) }

  /// Freezes the clock: it moves only when it is set or advanced. Rate limits and scenarios pause with it; delays of
  /// faults, timeouts, and heartbeats use real time.
  public func freezeClock() { change(.freeze) }

  /// Lets a frozen clock run from its time.
  public func resumeClock() { change(.resume) }

  /// Starts the clock as at the creation of the backend, whatever a journal has made of it. Without a start of its own, it
  /// stays as it is.
  package func restartClock() {
    guard clockStart != .system else { return }
    withEngine { $0.state.clock = clockStart.clock(at: systemTime()) }
  }

  private func change(_ change: ClockChange) {
    let seconds = withEngine { engine in
      let (before, source) = (engine.state.now, systemTime())
      change.apply(to: &engine.state.clock, from: before, at: source)
      return engine.state.clock.time(at: source) - before
    }
    scenarioFollows(movedBy: seconds)
  }

  /// Moves the scenario along with the clock, which something outside of it has moved.
  func scenarioFollows(movedBy seconds: Int64) {
    withEngine { engine in
      let clock = engine.state.clock
      scenarioState.withLock { $0.run?.follow(clock, movedBy: seconds) }
    }
    performDueActions()
  }

  /// Changes the clock for a scenario, whose own time stays.
  func changeOnlyClock(_ change: ClockChange) {
    withEngine { engine in
      var clock = engine.state.clock
      change.apply(to: &clock, from: engine.state.now, at: systemTime())
      _ = try? engine.apply(MockChange(engine.state, .clock(clock)))
    }
  }
}

/// A change of a backend's clock.
enum ClockChange: Sendable, Hashable {
  case set(Int64)
  case move(Int64)
  case freeze
  case resume

  /// - Parameters:
  ///   - now: the clock's time.
  ///   - source: the system's time.
  func apply(to clock: inout MockClock, from now: Int64, at source: Int64) {
    switch self {
    case .set(let time): clock.set(to: time, from: now)
    case .move(let seconds): clock.move(by: seconds, from: now)
    case .freeze: clock.freeze(at: now)
    case .resume: clock.resume(at: source)
    }
  }
}

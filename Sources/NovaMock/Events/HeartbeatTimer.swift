import NovaCore

/// The timer of all subscribers with one clock. At each tick it wakes those that need a sign of life, or whose token has
/// expired.
struct HeartbeatTimer: Sendable {
  let clock: any CallClock
  var task: Task<Void, Never>
  var users: Int

  /// Clocks of a type without identity are the same clock.
  static func id(of clock: any CallClock) -> ObjectIdentifier {
    type(of: clock) is AnyClass ? ObjectIdentifier(clock as AnyObject) : ObjectIdentifier(type(of: clock))
  }

  /// The time between ticks. Tokens expire by the second, however rare the signs of life are.
  static func interval(_ settings: MockEventSettings) -> Duration {
    settings.heartbeat.map { interval(for: $0) } ?? .seconds(1)
  }

  /// The time without an event after which a tick sends a sign of life: one tick earlier than the last one that is in
  /// time, so that a tick that is late does no harm.
  static func threshold(_ heartbeat: Duration) -> Duration { heartbeat - interval(for: heartbeat) * 2 }

  private static func interval(for heartbeat: Duration) -> Duration { min(heartbeat / 16, .seconds(1)) }
}

extension EventLog {
  func startTimer(_ clock: any CallClock, _ state: inout State) {
    let id = HeartbeatTimer.id(of: clock)
    if state.timers[id] != nil {
      state.timers[id]?.users += 1
    } else {
      state.timers[id] = HeartbeatTimer(clock: clock, task: ticking(clock, state.settings), users: 1)
    }
  }

  /// Returns the tasks to cancel outside of the lock.
  func restartTimers(_ state: inout State) -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for (id, timer) in state.timers {
      tasks.append(timer.task)
      state.timers[id]?.task = ticking(timer.clock, state.settings)
    }
    return tasks
  }

  private func ticking(_ clock: any CallClock, _ settings: MockEventSettings) -> Task<Void, Never> {
    let (id, interval) = (HeartbeatTimer.id(of: clock), HeartbeatTimer.interval(settings))
    return Task { [weak self] in
      while (try? await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil)) != nil {
        guard let self else { return }
        tick(id)
      }
    }
  }

  private func tick(_ clock: ObjectIdentifier) {
    let (waiters, onTick) = state.withLock { state in
      (state.signalDue(at: now() + state.clockOffset) { $0.clockID == clock }, state.onTick)
    }
    for waiter in waiters { waiter.resume() }
    onTick?()
  }

  /// Sets what happens at each tick, at most a second apart, while anyone reads events.
  func onTick(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onTick = body } }
}

import NovaCore

extension EventLog.State {
  mutating func signal(_ ids: some Collection<Int>, _ waiters: inout [EventLog.Waiter]) {
    for id in ids {
      guard let subscriber = subscribers[id] else { continue }
      subscriber.isSignaled = true
      if let waiter = subscriber.waiter.take() { waiters.append(waiter) }
    }
  }

  mutating func endAll(_ reason: MockEventEnd) -> [EventLog.Waiter] {
    var waiters: [EventLog.Waiter] = []
    for subscriber in subscribers.values where subscriber.end == nil { subscriber.end = reason }
    signal(subscribers.keys, &waiters)
    return waiters
  }

  /// Wakes those whose time for a sign of life has come, or whose token has expired, also if they are only about to wait.
  mutating func signalDue(
    at time: Int64, where isAffected: (EventLog.Subscriber) -> Bool
  ) -> [EventLog.Waiter] {
    let due = subscribers.keys.filter { id in
      guard let subscriber = subscribers[id], isAffected(subscriber) else { return false }
      if let claims = subscriber.reader.claims, claims.expiresAt <= time { return true }
      return subscriber.isDue(settings.heartbeat)
    }
    var waiters: [EventLog.Waiter] = []
    signal(due, &waiters)
    return waiters
  }
}

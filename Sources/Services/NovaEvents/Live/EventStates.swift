import NovaCore

/// Whether events arrive, for each caller. If a caller has several connections, the one in the worst state counts.
final class EventStates: Sendable {
  private struct Entry {
    let state = LatestValue(LiveState.offline)
    let pause = LatestValue<ReconnectionPause?>(nil)
    /// The pauses of connections and subscriptions.
    var pauses: [ObjectIdentifier: ReconnectionPause] = [:]
    /// How many connections are in each state.
    var counts: [LiveState: Int] = [:]

    var isUsed: Bool { !counts.isEmpty || state.isObserved || pause.isObserved }

    var worst: LiveState {
      [.offline, .recovering, .connecting].first { counts[$0] != nil } ?? (counts.isEmpty ? .offline : .live)
    }

    mutating func add(_ number: Int, to state: LiveState) {
      let count = (counts[state] ?? 0) + number
      counts[state] = count == 0 ? nil : count
    }
  }

  private struct State {
    var entries: [CallerSource: Entry] = [:]
    /// The number of entries at which unused ones are removed.
    var limit = 64
    var hasEnded = false
  }

  private let state = Locked(State())

  func value(for source: CallerSource) -> LiveState { state.withLock { $0.entries[source]?.state.value } ?? .offline }

  func pause(for source: CallerSource) -> ReconnectionPause? {
    state.withLock { $0.entries[source]?.pause.value }
  }

  /// The current state, and then each change of it.
  func stream(for source: CallerSource) -> AsyncStream<LiveState> { stream(of: \.state, for: source) }

  /// The current pause, and then each change of it.
  func pauses(for source: CallerSource) -> AsyncStream<ReconnectionPause?> { stream(of: \.pause, for: source) }

  private func stream<Value>(
    of value: KeyPath<Entry, LatestValue<Value>>, for source: CallerSource
  ) -> AsyncStream<Value> {
    state.withLock { state in
      if state.entries.count >= state.limit {
        state.entries = state.entries.filter(\.value.isUsed)
        state.limit = 64 + 2 * state.entries.count
      }
      let entry = state.entries[source] ?? Entry()
      if state.hasEnded {
        entry.state.finish()
        entry.pause.finish()
      } else {
        state.entries[source] = entry
      }
      return entry[keyPath: value].stream()
    }
  }

  /// Notes why and how long a connection or subscription waits; nil when the wait is over.
  fileprivate func note(_ pause: ReconnectionPause?, of waiting: ObjectIdentifier, _ source: CallerSource) {
    let changed: LatestValue<ReconnectionPause?>? = state.withLock { state in
      guard var entry = state.entries[source], pause != nil || entry.pauses[waiting] != nil else { return nil }
      entry.pauses[waiting] = pause
      let longest = entry.pauses.values.max { $0.end < $1.end }
      _ = entry.pause.prepare { $0 = longest }
      state.entries[source] = entry
      return entry.pause
    }
    changed?.deliver()
  }

  /// Notes that a connection changes its state. A nil state means that it is not used yet, or no longer.
  fileprivate func move(from old: LiveState?, to new: LiveState?, of source: CallerSource) {
    let changed = state.withLock { state in
      var entry = state.entries[source] ?? Entry()
      if let old { entry.add(-1, to: old) }
      if let new { entry.add(1, to: new) }
      let worst = entry.worst
      _ = entry.state.prepare { $0 = worst }
      state.entries[source] = entry.isUsed ? entry : nil
      return entry.state
    }
    changed.deliver()
  }

  /// Ends all streams permanently.
  func finish() {
    let entries = state.withLock { state in
      state.hasEnded = true
      return Array(state.entries.values)
    }
    for entry in entries {
      entry.state.finish()
      entry.pause.finish()
    }
  }
}

/// The state of one connection, which contributes to its caller's state.
final class EventConnectionState: Sendable {
  private let states: EventStates
  private let source: CallerSource
  private let current = Locked<(state: LiveState?, isOver: Bool)>((nil, false))

  init(_ states: EventStates, of source: CallerSource) { (self.states, self.source) = (states, source) }

  func set(_ new: LiveState) { change(to: new, isOver: false) }

  /// Notes why and how long the connection or a subscription waits; nil when the wait is over.
  func note(_ pause: ReconnectionPause?, of waiting: AnyObject) {
    states.note(pause, of: ObjectIdentifier(waiting), source)
  }

  /// The connection is no longer used.
  func end() { change(to: nil, isOver: true) }

  private func change(to new: LiveState?, isOver: Bool) {
    current.withLock { current in
      guard !current.isOver, new != current.state || isOver else { return }
      let old = current.state
      current = (new, isOver)
      if old != new { states.move(from: old, to: new, of: source) }
    }
  }
}

import NovaCore

/// Whether events arrive, for each caller. If a caller has several connections, the one in the worst state counts.
///
/// Each connection reports its state through an ``EventConnectionState``. Changes are prepared under the lock, so that
/// all observers see them in one order, and delivered outside of it; see ``Broadcast``.
final class EventStates: Sendable {
  private struct Entry {
    let state = LatestValue(LiveState.offline)
    let pause = LatestValue<ReconnectionPause?>(nil)
    /// The pauses of connections and subscriptions.
    var pauses: [ObjectIdentifier: ReconnectionPause] = [:]
    /// The states of connections.
    var states: [ObjectIdentifier: LiveState] = [:]

    var isUsed: Bool { !states.isEmpty || state.isObserved || pause.isObserved }

    var worst: LiveState {
      let states = states.values
      return [.offline, .recovering, .connecting].first { states.contains($0) } ?? (states.isEmpty ? .offline : .live)
    }

    /// Ends the streams permanently.
    func finish() {
      state.finish()
      pause.finish()
    }
  }

  private struct State {
    var entries: [CallerSource: Entry] = [:]
    /// The number of entries at which unused ones are removed.
    var limit = 64
    var hasEnded = false
  }

  private let state = Locked(State())

  // In the following, the source is nil for a service whose token cannot be identified. It has no connection.

  func value(for source: CallerSource?) -> LiveState { entry(for: source)?.state.value ?? .offline }

  func pause(for source: CallerSource?) -> ReconnectionPause? { entry(for: source)?.pause.value }

  private func entry(for source: CallerSource?) -> Entry? {
    source.flatMap { source in state.withLock { $0.entries[source] } }
  }

  /// The current state, and then each change of it.
  func stream(for source: CallerSource?) -> AsyncStream<LiveState> { stream(of: \.state, for: source) }

  /// The current pause, and then each change of it.
  func pauses(for source: CallerSource?) -> AsyncStream<ReconnectionPause?> { stream(of: \.pause, for: source) }

  private func stream<Value>(
    of value: KeyPath<Entry, LatestValue<Value>>, for source: CallerSource?
  ) -> AsyncStream<Value> {
    state.withLock { state in
      if state.entries.count >= state.limit {
        state.entries = state.entries.filter(\.value.isUsed)
        state.limit = 64 + 2 * state.entries.count
      }
      let entry = source.flatMap { state.entries[$0] } ?? Entry()
      if let source, !state.hasEnded { state.entries[source] = entry } else { entry.finish() }
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

  /// Notes the state of a connection; nil when it is no longer used.
  fileprivate func set(_ new: LiveState?, of connection: ObjectIdentifier, _ source: CallerSource) {
    let changed = state.withLock { state in
      var entry = state.entries[source] ?? Entry()
      entry.states[connection] = new
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
    for entry in entries { entry.finish() }
  }
}

/// The state of one connection, which contributes to its caller's state.
final class EventConnectionState: Sendable {
  private let states: EventStates
  private let source: CallerSource
  private let isOver = Locked(false)

  init(_ states: EventStates, of source: CallerSource) { (self.states, self.source) = (states, source) }

  func set(_ new: LiveState) {
    isOver.withLock { if !$0 { states.set(new, of: ObjectIdentifier(self), source) } }
  }

  /// Notes why and how long the connection or a subscription waits; nil when the wait is over.
  func note(_ pause: ReconnectionPause?, of waiting: AnyObject) {
    states.note(pause, of: ObjectIdentifier(waiting), source)
  }

  /// The connection is no longer used.
  func end() {
    isOver.withLock { isOver in
      isOver = true
      states.set(nil, of: ObjectIdentifier(self), source)
    }
  }
}

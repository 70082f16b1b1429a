/// A value that any number of tasks observe: each gets the latest first, then the changes, without those that it is too
/// slow for.
package final class LatestValue<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var nextID = 0
    var observers: [Int: AsyncStream<Value>.Continuation] = [:]
    /// The observers that are not counted.
    var quiet: Set<Int> = []
    var isOver = false
  }

  private let state: Locked<State>

  package init(_ value: Value) { state = Locked(State(value: value)) }

  deinit { finish() }

  package var value: Value { state.withLock { $0.value } }
  package var isObserved: Bool { state.withLock { $0.observers.count > $0.quiet.count } }

  /// Changes the value. Under the lock, so that every observer sees changes in the same order.
  @discardableResult package func update(_ change: (inout Value) -> Void) -> Bool {
    state.withLock { state in
      var value = state.value
      change(&value)
      guard value != state.value else { return false }
      state.value = value
      for observer in state.observers.values { observer.yield(value) }
      return true
    }
  }

  /// - Parameter isCounted: whether ``isObserved`` takes the observer into account.
  package func stream(isCounted: Bool = true) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id: Int? = state.withLock { state in
      continuation.yield(state.value)
      guard !state.isOver else { return nil }
      state.nextID += 1
      state.observers[state.nextID] = continuation
      if !isCounted { state.quiet.insert(state.nextID) }
      return state.nextID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Ends all streams.
  package func finish() {
    let observers = state.withLock { state in
      state.isOver = true
      defer { (state.observers, state.quiet) = ([:], []) }
      return Array(state.observers.values)
    }
    for observer in observers { observer.finish() }
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.observers[id] = nil
      state.quiet.remove(id)
    }
  }
}

/// A value that any number of tasks observe. Each receives the latest value first, then the changes in order; slow
/// observers skip changes.
package final class LatestValue<Value: Sendable & Equatable>: Sendable {
  private let current: Locked<Value>
  private let changes = Broadcast<Value>()

  package init(_ value: Value) { current = Locked(value) }

  package var value: Value { current.withLock { $0 } }
  package var isObserved: Bool { changes.isObserved }

  /// Changes the value and notifies the observers, unless another task is already notifying them and will do it.
  ///
  /// - Returns: whether the value changed.
  @discardableResult package func update(_ change: (inout Value) -> Void) -> Bool {
    let isChanged = prepare(change)
    if isChanged { deliver() }
    return isChanged
  }

  /// Changes the value without notifying the observers, which ``deliver()`` does: for callers with a lock of their own,
  /// see ``Broadcast``.
  ///
  /// - Returns: whether the value changed.
  package func prepare(_ change: (inout Value) -> Void) -> Bool {
    current.withLock { current in
      var value = current
      change(&value)
      guard value != current else { return false }
      current = value
      changes.prepare(value)
      return true
    }
  }

  /// Notifies the observers of prepared changes.
  package func deliver() { changes.deliver() }

  /// - Parameter isCounted: whether the observer counts for ``isObserved``.
  package func stream(isCounted: Bool = true) -> AsyncStream<Value> {
    current.withLock { changes.stream(beginningWith: $0, buffering: .bufferingNewest(1), isCounted: isCounted) }
  }

  /// Ends all streams after the changes so far.
  package func finish() { changes.finish() }
}

/// A value that any number of tasks observe: each gets the latest first, then the changes in their order, without those
/// that it is too slow for.
package final class LatestValue<Value: Sendable & Equatable>: Sendable {
  private let current: Locked<Value>
  private let changes = Broadcast<Value>()

  package init(_ value: Value) { current = Locked(value) }

  package var value: Value { current.withLock { $0 } }
  package var isObserved: Bool { changes.isObserved }

  /// Changes the value, and tells the observers; the latter may be left to another task that is doing so.
  ///
  /// - Returns: whether it is another value now.
  @discardableResult package func update(_ change: (inout Value) -> Void) -> Bool {
    let isChanged = prepare(change)
    if isChanged { deliver() }
    return isChanged
  }

  /// Changes the value, and leaves telling the observers to ``deliver()``: for callers with a lock of their own, see
  /// ``Broadcast``.
  ///
  /// - Returns: whether it is another value now.
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

  /// Tells the observers what they do not know yet.
  package func deliver() { changes.deliver() }

  /// - Parameter isCounted: whether ``isObserved`` takes the observer into account.
  package func stream(isCounted: Bool = true) -> AsyncStream<Value> {
    current.withLock { changes.stream(beginningWith: $0, buffering: .bufferingNewest(1), isCounted: isCounted) }
  }

  /// Ends all streams, behind the changes so far.
  package func finish() { changes.finish() }
}

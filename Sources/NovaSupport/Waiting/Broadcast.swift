/// Values for any number of streams, each of which gets them in the same order, as far as it keeps up.
///
/// Sending takes two steps, so that a caller whose own lock decides on the order of values can prepare them under that lock,
/// and deliver them outside of it. Waking a task takes the runtime's lock of that task. The runtime also holds that lock
/// while a cancelled task ends its stream, which takes our lock. Waking tasks under our lock could therefore deadlock.
package final class Broadcast<Value: Sendable>: Sendable {
  private typealias Continuation = AsyncStream<Value>.Continuation

  private struct Receiver {
    let continuation: Continuation
    let isCounted: Bool
    /// How many values there were before it.
    let start: Int
  }

  private enum Delivery {
    case value(Value, [Continuation])
    case end([Continuation])
  }

  private struct State {
    /// How many values there were.
    var count = 0
    /// The last of them, which are still to be delivered.
    var undelivered: [Value] = []
    var isDelivering = false
    var nextID = 0
    var receivers: [Int: Receiver] = [:]
    var isOver = false

    /// What to deliver next; nil if there is nothing, or another one delivers.
    ///
    /// - Parameter continues: whether the caller is the one that delivers.
    mutating func nextDelivery(continues: Bool) -> Delivery? {
      if isDelivering, !continues { return nil }
      isDelivering = true
      if !undelivered.isEmpty {
        let value = undelivered.removeFirst()
        let number = count - undelivered.count
        return .value(value, receivers.values.filter { $0.start < number }.map(\.continuation))
      }
      if isOver, !receivers.isEmpty {
        defer { receivers = [:] }
        return .end(receivers.values.map(\.continuation))
      }
      isDelivering = false
      return nil
    }
  }

  private let state = Locked(State())

  package init() {}

  deinit { finish() }

  /// Whether there is a stream that counts.
  package var isObserved: Bool {
    state.withLock { state in !state.isOver && state.receivers.values.contains(where: \.isCounted) }
  }

  /// Sends a value to all streams. May return before they have it, like ``deliver()``.
  package func send(_ value: Value) {
    prepare(value)
    deliver()
  }

  /// Puts a value behind all before it, for ``deliver()``. Without effect after ``finish()``.
  package func prepare(_ value: Value) {
    state.withLock { state in
      if state.isOver { return }
      state.count += 1
      state.undelivered.append(value)
    }
  }

  /// Delivers what was prepared. If another task is doing that, leaves the rest to that one, and returns before.
  package func deliver() {
    var continues = false
    while let delivery = state.withLock({ $0.nextDelivery(continues: continues) }) {
      continues = true
      switch delivery {
      case .value(let value, let continuations): for continuation in continuations { continuation.yield(value) }
      case .end(let continuations): for continuation in continuations { continuation.finish() }
      }
    }
  }

  /// A stream of the values from now on.
  ///
  /// - Parameters:
  ///   - first: what it begins with.
  ///   - buffering: what it keeps for a slow reader.
  ///   - isCounted: whether ``isObserved`` takes it into account.
  package func stream(
    beginningWith first: Value? = nil, buffering: AsyncStream<Value>.Continuation.BufferingPolicy,
    isCounted: Bool = true
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
    // Wakes nobody: no task has the stream yet.
    if let first { continuation.yield(first) }
    let id: Int? = state.withLock { state in
      if state.isOver { return nil }
      state.nextID += 1
      state.receivers[state.nextID] = Receiver(continuation: continuation, isCounted: isCounted, start: state.count)
      return state.nextID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Ends all streams, behind the values so far. May return before, like ``deliver()``.
  package func finish() {
    state.withLock { $0.isOver = true }
    deliver()
  }

  private func remove(_ id: Int) {
    // Leaves the lock first: its end calls back.
    let receiver = state.withLock { $0.receivers.removeValue(forKey: id) }
    withExtendedLifetime(receiver) {}
  }
}

/// Values for any number of streams, each of which gets them in the same order, as far as it keeps up.
///
/// To send takes two steps, so that a caller whose own lock decides on the order of values can prepare them under that lock
/// and deliver them outside of it. No task is woken under a lock: a task that is cancelled ends its stream, which takes the
/// lock, while the runtime holds the task's own lock, which waking it takes. Each would wait for the other.
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

    /// What to deliver next.
    ///
    /// - Parameter isFirst: whether the caller has not begun, which it must not while another one delivers.
    mutating func nextDelivery(isFirst: Bool) -> Delivery? {
      if isFirst, isDelivering { return nil }
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
  package var isObserved: Bool { state.withLock { state in state.receivers.values.contains(where: \.isCounted) } }

  /// Sends a value to all streams.
  package func send(_ value: Value) {
    prepare(value)
    deliver()
  }

  /// Puts a value behind all before it, for ``deliver()``.
  package func prepare(_ value: Value) {
    state.withLock { state in
      state.count += 1
      state.undelivered.append(value)
    }
  }

  /// Delivers what was prepared. While another task does that, it leaves the rest to that one.
  package func deliver() {
    var isFirst = true
    while let delivery = state.withLock({ $0.nextDelivery(isFirst: isFirst) }) {
      isFirst = false
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

  /// Ends all streams, behind the values so far.
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

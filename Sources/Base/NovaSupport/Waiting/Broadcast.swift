/// Sends values to any number of streams, all in the same order. A slow stream can miss values, depending on its
/// buffering.
///
/// Sending takes two steps: ``prepare(_:)`` determines the order of values, and ``deliver()`` passes them to the
/// streams. A caller with a lock of its own prepares under that lock, and delivers outside of it. The reason is a
/// deadlock: waking a task takes the runtime's lock of that task, and the runtime holds the same lock while a cancelled
/// task ends its stream, which takes our lock. So no task may be woken under our lock.
///
/// One task delivers at a time. Others return at once, and leave their values to it.
package final class Broadcast<Value: Sendable>: Sendable {
  private typealias Continuation = AsyncStream<Value>.Continuation

  private struct Receiver {
    let continuation: Continuation
    let isCounted: Bool
    /// The number of values that were sent before it.
    let start: Int
  }

  private enum Delivery {
    case value(Value, [Continuation])
    case end([Continuation])
  }

  private struct State {
    /// The total number of values.
    var count = 0
    /// The most recent values, which are not delivered yet.
    var undelivered: [Value] = []
    var isDelivering = false
    var nextID = 0
    var receivers: [Int: Receiver] = [:]
    var isOver = false

    /// The next delivery; nil if there is nothing to deliver, or if another task is delivering.
    ///
    /// - Parameter continues: whether the caller is already delivering.
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

  /// Whether there is a stream that counts as an observer.
  package var isObserved: Bool {
    state.withLock { state in !state.isOver && state.receivers.values.contains(where: \.isCounted) }
  }

  /// Sends a value to all streams. May return before they receive it, see ``deliver()``.
  package func send(_ value: Value) {
    prepare(value)
    deliver()
  }

  /// Adds a value after all earlier ones, for ``deliver()``. Has no effect after ``finish()``.
  package func prepare(_ value: Value) {
    state.withLock { state in
      if state.isOver { return }
      state.count += 1
      state.undelivered.append(value)
    }
  }

  /// Delivers the prepared values. If another task is already delivering, returns at once and leaves the values to that
  /// task.
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

  /// Creates a stream of the values from now on.
  ///
  /// - Parameters:
  ///   - first: the value that the stream starts with.
  ///   - buffering: what the stream keeps for a slow reader.
  ///   - isCounted: whether the stream counts for ``isObserved``.
  package func stream(
    beginningWith first: Value? = nil, buffering: AsyncStream<Value>.Continuation.BufferingPolicy,
    isCounted: Bool = true
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
    // This wakes no task, because no task has the stream yet.
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

  /// Ends all streams after the values so far. May return before they end, see ``deliver()``.
  package func finish() {
    state.withLock { $0.isOver = true }
    deliver()
  }

  private func remove(_ id: Int) {
    // Removed under the lock but released outside of it, because its end calls back.
    let receiver = state.withLock { $0.receivers.removeValue(forKey: id) }
    withExtendedLifetime(receiver) {}
  }
}

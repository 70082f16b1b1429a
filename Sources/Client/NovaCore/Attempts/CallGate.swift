/// Counts the calls in progress. Once it is closed, no more calls begin.
final class CallGate: Sendable {
  private struct State {
    var isClosed = false
    var isSealed = false
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Counts a call that begins; ``leave()`` must follow.
  ///
  /// - Throws: ``TransportError`` of kind `shutDown` when the gate is closed.
  func enter() throws(TransportError) {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.count += 1 }
      return !state.isClosed
    }
    if !isOpen { throw Self.refusal }
  }

  /// Checks whether a call in progress may send something.
  ///
  /// - Throws: ``TransportError`` of kind `shutDown` when the gate is sealed.
  func pass() throws(TransportError) {
    if state.withLock({ $0.isSealed }) { throw Self.refusal }
  }

  private static let refusal = TransportError(
    .shutDown, "the client was shut down", sent: .nothing, requestMayHaveLeft: false)

  /// Counts a call that has ended.
  func leave() {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Refuses new calls from now on.
  func close() { state.withLock { $0.isClosed = true } }

  /// Keeps calls in progress from sending anything from now on.
  func seal() { state.withLock { $0.isSealed = true } }

  /// Whether new calls are refused.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Returns once no call is in progress.
  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if state.count > 0 { state.waiters.append(continuation) }
        return state.count == 0
      }
      if isEmpty { continuation.resume() }
    }
  }
}

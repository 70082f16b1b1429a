/// The first of several results, for one task that waits for it. Later results have no effect.
package final class FirstResult<Value: Sendable>: Sendable {
  private enum Progress {
    case open(CheckedContinuation<Value, any Error>?)
    case finished(Result<Value, any Error>)
    case delivered
  }

  private struct State {
    var progress = Progress.open(nil)
    var hasLimit = true
  }

  private let state = Locked(State())

  package init() {}

  /// Whether there is a result.
  package var isFinished: Bool { state.withLock { if case .open = $0.progress { false } else { true } } }

  /// Sets the result.
  ///
  /// - Returns: whether it is the first.
  @discardableResult package func finish(_ result: Result<Value, any Error>) -> Bool { finish(result, isLimit: false) }

  /// Sets an error as the result, unless the limit was lifted.
  package func giveUp(_ error: any Error) { _ = finish(.failure(error), isLimit: true) }

  /// From now on, neither ``giveUp(_:)`` nor the cancellation of the waiting task has an effect.
  ///
  /// - Returns: false if there already is a result.
  package func liftLimit() -> Bool {
    state.withLock { state in
      guard case .open = state.progress else { return false }
      state.hasLimit = false
      return true
    }
  }

  private func finish(_ result: Result<Value, any Error>, isLimit: Bool) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
      guard case .open(let waiter) = state.progress, state.hasLimit || !isLimit else { return (false, nil) }
      state.progress = waiter == nil ? .finished(result) : .delivered
      return (true, waiter)
    }
    waiter?.resume(with: result)
    return isFirst
  }

  /// Waits for the result. Only one task may wait, and only once.
  ///
  /// - Throws: the error of the result; `CancellationError` if the task is cancelled before there is a result.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait($0) }
    } onCancel: {
      giveUp(CancellationError())
    }
  }

  private func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let result: Result<Value, any Error>? = state.withLock { state in
      guard case .finished(let result) = state.progress else {
        state.progress = .open(continuation)
        return nil
      }
      state.progress = .delivered
      return result
    }
    if let result { continuation.resume(with: result) }
  }
}

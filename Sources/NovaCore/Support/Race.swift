/// Work that is given until a moment, and left alone after that.
enum Race {
  /// Runs `body` and returns its result, unless the deadline or the cancellation of the calling task comes first. Then
  /// `body` is cancelled, but not waited for: it may be code that does not listen.
  ///
  /// - Throws: what `body` throws; `CancellationError`; ``TransportError`` of kind `totalTimeout`.
  static func run<Value: Sendable>(
    until deadline: ContinuousClock.Instant?, _ clock: any CallClock,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let first = FirstResult<Value>()
    let work = Task {
      do { first.finish(.success(try await body())) } catch { first.finish(.failure(error)) }
    }
    let timer = deadline.map { deadline in
      Task {
        try await clock.sleep(until: deadline, tolerance: nil)
        first.finish(.failure(TransportError.deadlinePassed))
      }
    }
    defer {
      work.cancel()
      timer?.cancel()
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { first.wait($0) }
    } onCancel: {
      first.finish(.failure(CancellationError()))
    }
  }
}

/// Takes the first of several results to whoever waits for it, now or later.
private final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Value, any Error>?)
    case finished(Result<Value, any Error>)
    case delivered
  }

  private let state = Locked(State.open(nil))

  func finish(_ result: Result<Value, any Error>) {
    let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
      guard case .open(let waiter) = state else { return nil }
      state = waiter == nil ? .finished(result) : .delivered
      return waiter
    }
    waiter?.resume(with: result)
  }

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let result: Result<Value, any Error>? = state.withLock { state in
      guard case .finished(let result) = state else {
        state = .open(continuation)
        return nil
      }
      state = .delivered
      return result
    }
    if let result { continuation.resume(with: result) }
  }
}

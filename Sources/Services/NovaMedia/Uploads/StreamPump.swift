import NovaCore

/// Reads a stream in a separate task, and no further than requested.
final class StreamPump: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The number of bytes that the buffer should have.
    var wanted = 0
    var ending: Result<Void, any Error>?
    var task: Task<Void, Never>?
    /// The task that waits for bytes.
    var taker: CheckedContinuation<Void, Never>?
    /// The reading task, while no more bytes are wanted.
    var reader: CheckedContinuation<Void, Never>?
    var isStopped = false

    var isReady: Bool { ending != nil || buffer.count >= wanted }
  }

  private let stream: HTTPBodyStream
  private let state = Locked(State())

  init(_ stream: HTTPBodyStream) { self.stream = stream }

  deinit {
    let (task, reader) = state.withLock { state in
      state.isStopped = true
      return (state.task, state.reader.take())
    }
    task?.cancel()
    reader?.resume()
  }

  /// Returns the next bytes.
  ///
  /// - Parameter isLast: whether the sequence must end after them.
  /// - Throws: ``HTTPBodyError``, also if the sequence is too short or too long; `CancellationError`.
  func take(_ count: Int, isLast: Bool) async throws -> [UInt8] {
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      // One more byte shows whether the sequence ends.
      state.wanted = isLast ? count + 1 : count
      if state.task == nil { state.task = Self.read(stream, into: self.state) }
      return state.reader.take()
    }
    reader?.resume()
    await waitUntilReady()
    try Task.checkCancellation()
    return try state.withLock { state in
      if case .failure(let error)? = state.ending { throw error }
      guard state.buffer.count >= count, !isLast || state.buffer.count == count else {
        throw HTTPBodyError.wrongLength(expected: count, actual: state.buffer.count)
      }
      state.wanted = 0
      guard state.buffer.count > count else {
        defer { state.buffer = [] }
        return state.buffer
      }
      defer { state.buffer.removeFirst(count) }
      return Array(state.buffer.prefix(count))
    }
  }

  private func waitUntilReady() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isReady || Task.isCancelled { return true }
          state.taker = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.taker.take() }?.resume()
    }
  }

  // Holds the state instead of the pump. When the pump is released, it stops the task.
  private static func read(_ stream: HTTPBodyStream, into state: Locked<State>) -> Task<Void, Never> {
    Task {
      var ending: Result<Void, any Error> = .success(())
      do {
        for try await chunk in HTTPBody.stream(stream) {
          state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.buffer += chunk
            return state.isReady ? state.taker.take() : nil
          }?.resume()
          guard await waitForDemand(state) else { return }
        }
      } catch { ending = .failure(error) }
      state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.ending = ending
        return state.taker.take()
      }?.resume()
    }
  }

  /// Returns when more bytes are wanted; false if the pump was released.
  private static func waitForDemand(_ state: Locked<State>) async -> Bool {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.isStopped || state.buffer.count < state.wanted { return true }
        state.reader = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
    return state.withLock { !$0.isStopped }
  }
}

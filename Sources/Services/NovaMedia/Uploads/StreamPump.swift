import NovaCore

/// Reads a stream in a separate task, and no further than requested. The cancellation of a waiting task does not end
/// the stream, so that an upload can continue after a pause.
final class StreamPump: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    /// The number of bytes that the buffer should have.
    var wanted = 0
    var ending: Result<Void, any Error>?
    var task: Task<Void, Never>?

    var isReady: Bool { ending != nil || buffer.count >= wanted }
  }

  private let stream: HTTPBodyStream
  private let state = Locked(State())
  /// Wakes the reading task when more bytes are wanted.
  private let demand = WakeSignal()
  /// Wakes the task that waits for bytes when they are there.
  private let supply = WakeSignal()

  init(_ stream: HTTPBodyStream) { self.stream = stream }

  deinit { state.withLock { $0.task }?.cancel() }

  /// Returns the next bytes. Only one task at a time may call it.
  ///
  /// - Parameter isLast: whether the sequence must end after them.
  /// - Throws: ``HTTPBodyError``, also if the sequence is too short or too long; `CancellationError`.
  func take(_ count: Int, isLast: Bool) async throws -> [UInt8] {
    state.withLock { state in
      // One more byte shows whether the sequence ends.
      state.wanted = isLast ? count + 1 : count
      if state.task == nil { state.task = Self.read(stream, into: self.state, demand: demand, supply: supply) }
    }
    demand.wake()
    while !state.withLock({ $0.isReady }), !Task.isCancelled { await supply.wait() }
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

  // Holds the state and the signals instead of the pump. When the pump is released, it cancels the task.
  private static func read(
    _ stream: HTTPBodyStream, into state: Locked<State>, demand: WakeSignal, supply: WakeSignal
  ) -> Task<Void, Never> {
    Task {
      var ending: Result<Void, any Error> = .success(())
      do {
        for try await chunk in HTTPBody.stream(stream) {
          let isReady = state.withLock { state in
            state.buffer += chunk
            return state.isReady
          }
          if isReady { supply.wake() }
          while state.withLock({ $0.buffer.count >= $0.wanted }) {
            if Task.isCancelled { return }
            await demand.wait()
          }
        }
      } catch { ending = .failure(error) }
      state.withLock { $0.ending = ending }
      supply.wake()
    }
  }
}

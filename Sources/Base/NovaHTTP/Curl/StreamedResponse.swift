import NovaSupport

/// Passes the body of a streamed response from the loop's thread to the task that reads it.
///
/// The buffer is bounded. If the reader is slow, the transfer pauses, then the sockets' buffers fill up, and then the
/// server has to wait.
final class ResponsePipe: Sendable {
  /// The number of buffered bytes at which the transfer pauses. The buffer can exceed it by one chunk.
  static let capacity = 256 << 10

  private struct State {
    var buffer: [UInt8] = []
    var isPaused = false
    var ending: Result<Void, any Error>?
    var reader: CheckedContinuation<[UInt8]?, any Error>?
  }

  private let state = Locked(State())
  /// What follows the body; nil if the reader does not ask for it.
  let trailers: HTTPTrailers?

  init(keepsTrailers: Bool = false) { trailers = keepsTrailers ? HTTPTrailers() : nil }

  /// Whether no more bytes will arrive.
  var isEnded: Bool { state.withLock { $0.ending != nil } }

  // MARK: On the loop's thread

  /// Adds a chunk; false if the buffer is full, and the transfer must pause until the reader has emptied it.
  func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader: CheckedContinuation<[UInt8]?, any Error>?
    switch state.withLock({ state -> (isTaken: Bool, reader: CheckedContinuation<[UInt8]?, any Error>?) in
      if let reader = state.reader {
        state.reader = nil
        return (true, reader)
      }
      guard state.buffer.count < Self.capacity else {
        state.isPaused = true
        return (false, nil)
      }
      // Growing by doubling would copy the first bytes several times.
      if !state.buffer.isEmpty { state.buffer.reserveCapacity(Self.capacity + bytes.count) }
      state.buffer.append(contentsOf: bytes)
      return (true, nil)
    }) {
    case (false, _): return false
    case (true, let waiting): reader = waiting
    }
    reader?.resume(returning: Array(bytes))
    return true
  }

  /// Ends the body. Only the first call counts.
  func finish(_ ending: Result<Void, any Error>) {
    let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
      guard state.ending == nil else { return nil }
      state.ending = ending
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(with: ending.map { nil })
  }

  // MARK: On the reader's task

  /// The next chunk; nil at the end.
  ///
  /// - Parameters:
  ///   - resume: Resumes a paused transfer.
  ///   - cancel: Ends the transfer when the task is cancelled.
  func next(resume: @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, wasPaused) = take(continuation)
        if wasPaused { resume() }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
      cancel()
    }
  }

  /// Returns the buffered bytes, or keeps the continuation until there are some.
  private func take(
    _ continuation: CheckedContinuation<[UInt8]?, any Error>
  ) -> (Result<[UInt8]?, any Error>?, wasPaused: Bool) {
    state.withLock { state in
      if case .failure(let error)? = state.ending, error is CancellationError { return (.failure(error), false) }
      if !state.buffer.isEmpty {
        defer {
          state.buffer = []
          state.isPaused = false
        }
        return (.success(state.buffer), state.isPaused)
      }
      if let ending = state.ending { return (ending.map { nil }, false) }
      state.reader = continuation
      return (nil, false)
    }
  }
}

/// The chunks of a streamed response. If the last reference is released before the end, the transfer ends, and its
/// connection is free.
final class StreamedResponse: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let response: StreamedResponse

    mutating func next() async throws -> [UInt8]? {
      let (loop, transfer) = (response.transport.loop, response.transfer)
      return try await response.pipe.next {
        loop.resume(transfer)
      } cancel: {
        loop.cancel(transfer)
      }
    }
  }

  private let pipe: ResponsePipe
  private let transfer: CurlTransfer
  /// Kept, because releasing the transport would end its transfers.
  private let transport: CurlTransport

  init(_ pipe: ResponsePipe, of transfer: CurlTransfer, on transport: CurlTransport) {
    self.pipe = pipe
    self.transfer = transfer
    self.transport = transport
  }

  deinit { if !pipe.isEnded { transport.loop.cancel(transfer) } }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(response: self) }
}

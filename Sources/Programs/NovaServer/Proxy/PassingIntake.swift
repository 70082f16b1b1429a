#if Server
  import NovaCore

  /// The body of a request on its way from a connection to a gateway. If the gateway is slower than the client, the
  /// connection is not read from.
  final class PassingIntake: AsyncSequence, Sendable {
    /// The number of bytes in memory from which on the connection is not read from.
    private static let capacity = 256 << 10

    private struct State {
      var bytes: [UInt8] = []
      var isFull = false
      var ending: Result<Void, any Error>?
      var reader: CheckedContinuation<[UInt8]?, any Error>?
    }

    private let state = Locked(State())
    private let resume: @Sendable () -> Void

    /// - Parameter resume: called when there is room again after ``take(_:)`` has returned false.
    init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

    // MARK: On the connection's event loop

    /// Adds bytes. Returns false if the connection must not be read from for now.
    func take(_ bytes: some Collection<UInt8>) -> Bool {
      if bytes.isEmpty { return true }
      let (hasRoom, reader) = state.withLock { state in
        if let reader = state.reader {
          state.reader = nil
          return (true, Optional(reader))
        }
        // What arrives after the reader has left is dropped.
        guard state.ending == nil else { return (true, nil) }
        state.bytes.append(contentsOf: bytes)
        state.isFull = state.bytes.count >= Self.capacity
        return (!state.isFull, nil)
      }
      reader?.resume(returning: Array(bytes))
      return hasRoom
    }

    /// Ends the body. Only the first call counts.
    func finish(_ ending: Result<Void, any Error> = .success(())) {
      let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
        guard state.ending == nil else { return nil }
        state.ending = ending
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(with: ending.map { nil })
    }

    /// Ends the body because its client has left, or because the gateway does not need it.
    func cancel() { finish(.failure(CancellationError())) }

    // MARK: On the reader's task

    private func next() async throws -> [UInt8]? {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let (result, wasFull) = take(continuation)
          if wasFull { resume() }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        cancel()
      }
    }

    /// Returns the bytes that have arrived, or keeps the continuation until there are some.
    private func take(
      _ continuation: CheckedContinuation<[UInt8]?, any Error>
    ) -> (Result<[UInt8]?, any Error>?, wasFull: Bool) {
      state.withLock { state in
        if case .failure(let error)? = state.ending { return (.failure(error), false) }
        if !state.bytes.isEmpty {
          defer { (state.bytes, state.isFull) = ([], false) }
          return (.success(state.bytes), state.isFull)
        }
        if let ending = state.ending { return (ending.map { nil }, false) }
        state.reader = continuation
        return (nil, false)
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(intake: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let intake: PassingIntake

      mutating func next() async throws -> [UInt8]? { try await intake.next() }
    }
  }
#endif

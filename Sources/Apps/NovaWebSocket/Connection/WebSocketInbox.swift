#if WebSocket
  import NIOCore
  import NovaCore

  /// Passes messages from the event loop to the task that receives them. While it is full, the event loop does not
  /// read.
  final class WebSocketInbox: Sendable {
    enum End {
      case closed(WebSocketClosure)
      case failed(any Error)

      var outcome: Result<WebSocketMessage?, any Error> {
        switch self {
        case .closed: .success(nil)
        case .failed(let error): .failure(error)
        }
      }
    }

    private struct State {
      var messages = CircularBuffer<WebSocketMessage>()
      var waiter: CheckedContinuation<WebSocketMessage?, any Error>?
      var end: End?
      var isReadingPaused = false
    }

    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Whether the event loop may read. If not, ``take(resumeReading:)`` resumes reading once there is room.
    func hasRoom() -> Bool {
      state.withLock { state in
        state.isReadingPaused = state.messages.count >= capacity
        return !state.isReadingPaused
      }
    }

    var isReadingPaused: Bool { state.withLock { $0.isReadingPaused } }

    /// The closure if the connection ended with a close frame; nil otherwise.
    var closure: WebSocketClosure? {
      state.withLock { state in
        if case .closed(let closure) = state.end { return closure }
        return nil
      }
    }

    func put(_ message: WebSocketMessage) {
      let waiter = state.withLock { state in
        guard state.end == nil else { return nil as CheckedContinuation<WebSocketMessage?, any Error>? }
        defer { state.waiter = nil }
        if state.waiter == nil { state.messages.append(message) }
        return state.waiter
      }
      waiter?.resume(returning: message)
    }

    /// Sets how the connection has ended. Only the first call counts.
    ///
    /// - Parameter dropsMessages: whether waiting messages are dropped.
    func finish(_ end: End, dropsMessages: Bool = false) {
      let waiter = state.withLock { state in
        if dropsMessages { state.messages.removeAll() }
        guard state.end == nil else { return nil as CheckedContinuation<WebSocketMessage?, any Error>? }
        state.end = end
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(with: end.outcome)
    }

    /// Waits for the next message; nil after a close frame.
    ///
    /// - Parameter resumeReading: called if the event loop has stopped reading because the inbox was full.
    func take(resumeReading: () -> Void) async throws -> WebSocketMessage? {
      try await withCheckedThrowingContinuation { continuation in
        guard let (outcome, resumesReading) = next(continuation) else { return }
        if resumesReading { resumeReading() }
        continuation.resume(with: outcome)
      }
    }

    /// The next message or the end, and whether the event loop may read again; nil if the continuation has to wait.
    private func next(
      _ continuation: CheckedContinuation<WebSocketMessage?, any Error>
    ) -> (outcome: Result<WebSocketMessage?, any Error>, resumesReading: Bool)? {
      state.withLock { state in
        if let message = state.messages.popFirst() {
          defer { state.isReadingPaused = false }
          return (.success(message), state.isReadingPaused)
        }
        if let end = state.end { return (end.outcome, false) }
        guard state.waiter == nil else { return (.failure(TransportError.twoReceivers), false) }
        state.waiter = continuation
        return nil
      }
    }
  }

  extension TransportError {
    fileprivate static let twoReceivers = TransportError(
      .other, "another task is already receiving from this WebSocket connection",
      advice: "use one task for each connection",
      requestMayHaveLeft: true)

    static func webSocketLost(_ error: any Error) -> TransportError {
      webSocketLost((error as? IOError).map { SystemError(code: $0.errnoCode).reason } ?? "\(error)")
    }

    static func webSocketLost(_ reason: String) -> TransportError {
      TransportError(.connectionLost, "the WebSocket connection was lost", reason: reason, requestMayHaveLeft: true)
    }

    static let webSocketClosed = TransportError(
      .connectionLost, "the WebSocket connection is closed", sent: .nothing, requestMayHaveLeft: false)
  }
#endif

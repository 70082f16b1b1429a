import NovaCore

/// Those who follow a session.
final class SessionObservers: Sendable {
  private struct State {
    var nextID = 0
    var streams: [Int: AsyncStream<SessionChange>.Continuation] = [:]
  }

  private let state = Locked(State())

  func stream() -> AsyncStream<SessionChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: SessionChange.self, bufferingPolicy: .bufferingNewest(64))
    let id = state.withLock { state in
      state.nextID += 1
      state.streams[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.streams.removeValue(forKey: id) }
    }
    return stream
  }

  func report(_ change: SessionChange) {
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.yield(change) }
  }

  deinit { for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() } }
}

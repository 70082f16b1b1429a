import NovaSupport

/// Tells any number of observers that something has changed. Changes while an observer is busy are one.
final class ChangeSignal: Sendable {
  private struct State {
    var nextID = 0
    var streams: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Locked(State())

  var isObserved: Bool { state.withLock { !$0.streams.isEmpty } }

  /// A stream with an element now, and one for each change from now on.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextID += 1
      state.streams[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[id] = nil } }
    continuation.yield()
    return stream
  }

  func send() { for stream in state.withLock({ Array($0.streams.values) }) { stream.yield() } }

  func end() { for stream in state.withLock({ Array($0.streams.values) }) { stream.finish() } }
}

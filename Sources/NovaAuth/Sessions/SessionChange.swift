import NovaCore

/// A change of the session of a ``SessionManager``.
public enum SessionChange: Sendable {
  /// A user signed in, a session was found in the store, or the session is still there after a sign-out that failed.
  case started(Session)
  /// The session has a new access token, which another process may have requested.
  case refreshed(Session)
  /// The session has ended.
  case ended(SessionEnd)
  /// The session is valid, but the store could not save its new tokens. The next program that reads the store finds the
  /// old ones.
  case storeFailed(any Error)
}

/// Why a session ended.
public enum SessionEnd: Sendable, Hashable {
  /// ``SessionManager/signOut()`` was called.
  case signedOut
  /// The server refused the refresh token: it expired or was revoked.
  case refused
  /// The session is no longer in the store: another process signed out.
  case elsewhere
}

/// Delivers changes to any number of streams.
final class SessionObservers: Sendable {
  private struct State {
    var nextID = 0
    var streams: [(id: Int, continuation: AsyncStream<SessionChange>.Continuation)] = []

    mutating func remove(_ id: Int) {
      for index in streams.indices where streams[index].id == id {
        streams.remove(at: index)
        return
      }
    }
  }

  private let state = Locked(State())

  func stream() -> AsyncStream<SessionChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: SessionChange.self, bufferingPolicy: .bufferingNewest(64))
    let id = state.withLock { state in
      state.nextID += 1
      state.streams.append((state.nextID, continuation))
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.remove(id) }
    }
    return stream
  }

  func report(_ change: SessionChange) {
    for stream in state.withLock({ $0.streams }) { stream.continuation.yield(change) }
  }

  deinit { for stream in state.withLock({ $0.streams }) { stream.continuation.finish() } }
}

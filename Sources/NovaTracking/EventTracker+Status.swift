package import NovaAnalytics
import NovaCore

extension EventTracker {
  /// What waits, and what became of all events since the directory was first used.
  public var status: TrackingStatus {
    get async {
      await waitUntilWritten()
      let isOptedOut = directory.isOptedOut
      var status = TrackingStatus()
      status.lastError = connection.withLock { $0.lastError }
      state.withLock { state in
        // Another process can have stored it; a choice that could not be stored stays as well.
        state.isOptedOut = state.isOptedOut || isOptedOut
        status.isOptedOut = state.isOptedOut
        status.sessionID = state.session.id
        status.isSignedIn = state.own != .nobody
      }
      return await writer.run { [status] storage in
        var status = status
        storage.describe(&status)
        return status
      }
    }
  }

  /// The oldest events that wait.
  package func waitingEvents(limit: Int) async -> [AnalyticsEvent] {
    await waitUntilWritten()
    return await writer.run { $0.batch(of: nil, count: limit, bytes: .max).events }
  }
}

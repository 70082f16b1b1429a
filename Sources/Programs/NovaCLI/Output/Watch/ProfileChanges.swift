import NovaSDK

/// Whether something has happened to a user whose page is shown. Events that arrive while the page is loading count as
/// one change.
struct ProfileChanges {
  private let events: EventService
  private let subscription: EventSubscription

  init(of user: String, _ events: EventService) {
    self.events = events
    subscription = events.subscribe(topics: [.user(user)])
  }

  /// Begins the subscription: what happens from now on is a change.
  func begin() async throws { try await subscription.beginToFollow() }

  /// True at the beginning and for each change; false when events stop or start to arrive, and at intervals. Ends when the
  /// task is cancelled.
  func every(_ interval: Duration) -> some AsyncSequence<Bool, any Error> {
    let (signals, continuation) = AsyncThrowingStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let hasChanged = Locked(true)
    continuation.yield()
    let (events, subscription) = (events, subscription)
    let observing = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await _ in events.states { continuation.yield() } }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            continuation.yield()
          }
        }
        do {
          for try await _ in subscription {
            hasChanged.withLock { $0 = true }
            continuation.yield()
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        group.cancelAll()
      }
    }
    continuation.onTermination = { _ in observing.cancel() }
    return signals.map { hasChanged.exchange(false) }
  }
}

import NovaCore
import NovaEvents

/// Follows topics for a view model. Other topics take the place of the earlier ones without missing anything.
@MainActor final class LiveUpdates {
  private let events: EventService
  private let receive: @MainActor (EventUpdate) -> Void
  private var topics: Set<EventTopic> = []
  private var subscription: EventSubscription?
  private var reading: Task<Void, Never>?

  init(_ events: EventService, receive: @escaping @MainActor (EventUpdate) -> Void) {
    self.events = events
    self.receive = receive
  }

  isolated deinit { stop() }

  /// Follows these topics from now on.
  func follow(_ topics: Set<EventTopic>) {
    guard topics != self.topics else { return }
    // What has happened since is delivered for the new topics, too: events tell totals, so that does no harm.
    let position = topics.isDisjoint(with: self.topics) ? nil : subscription?.position
    stop()
    self.topics = topics
    guard !topics.isEmpty else { return }
    let subscription = events.subscribe(topics: topics.sorted { $0.rawValue < $1.rawValue }, after: position)
    self.subscription = subscription
    reading = Task { [weak self] in
      do {
        for try await update in subscription { self?.receive(update) }
      } catch {
        // Live updates are an extra: what is shown was loaded, and can be loaded again.
      }
    }
  }

  /// Returns when whatever happens from now on will be received, or that cannot be achieved at the moment.
  func begin() async { try? await subscription?.begin() }

  func stop() {
    reading?.cancel()
    subscription?.cancel()
    (reading, subscription, topics) = (nil, nil, [])
  }
}

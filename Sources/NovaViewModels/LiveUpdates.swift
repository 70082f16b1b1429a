import NovaCore
import NovaEvents

/// Follows topics for a view model. Other topics take the place of the earlier ones without missing anything.
@MainActor final class LiveUpdates {
  /// How long what is loaded waits for the subscription to begin.
  private static let longestWait = Duration.seconds(2)

  private let events: EventService
  private let receive: @MainActor (EventUpdate) -> Void
  private var topics: Set<EventTopic> = []
  private var subscription: EventSubscription?
  /// Where the next subscription goes on: behind the last update that was received.
  private var position: String?
  /// Whether something was loaded that can be older than the beginning of the subscription.
  private var isLate = false
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
    let goesOn = !topics.isDisjoint(with: self.topics)
    let (position, isLate) = goesOn ? (position ?? subscription?.position, isLate) : (nil, false)
    stop()
    guard !topics.isEmpty else { return }
    let subscription = events.subscribe(topics: topics.sorted(), after: position)
    (self.topics, self.subscription, self.position, self.isLate) = (topics, subscription, position, isLate)
    reading = Task { [weak self] in
      do {
        guard try await subscription.patiently({ try await subscription.beginToFollow() }) != nil else { return }
        self?.hasBegun(subscription)
        for try await update in subscription {
          guard !Task.isCancelled else { return }
          self?.position = subscription.following
          self?.receive(update)
        }
      } catch {
        // Live updates are an extra: what is shown was loaded, and can be loaded again. Following the same topics later,
        // perhaps as another user, begins anew.
        self?.hasFailed(topics)
      }
    }
  }

  /// Returns when whatever happens from now on will be received, or that cannot be achieved soon. Then a resync follows when
  /// it is.
  func begin() async {
    guard let subscription, !subscription.hasBegun else { return }
    let clock = events.client.clock
    try? await Race.run(until: clock.now.advanced(by: Self.longestWait), clock, timeUp: CancellationError()) {
      try await subscription.beginToFollow()
    }
    noteLoad()
  }

  /// Notes that something is loaded, or saved, now: if the subscription begins later, updates in between are missing.
  func noteLoad() { if subscription?.hasBegun == false, position == nil { isLate = true } }

  func stop() {
    reading?.cancel()
    subscription?.cancel()
    (reading, subscription, topics, position, isLate) = (nil, nil, [], nil, false)
  }

  private func hasFailed(_ topics: Set<EventTopic>) { if !Task.isCancelled, topics == self.topics { stop() } }

  private func hasBegun(_ subscription: EventSubscription) {
    guard isLate, subscription.topics == self.subscription?.topics else { return }
    isLate = false
    receive(.resync(.positionGone))
  }
}

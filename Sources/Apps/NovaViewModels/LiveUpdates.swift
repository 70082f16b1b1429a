import NovaCore
import NovaEvents

/// Follows topics for a view model. When the topics change, no event is missed.
///
/// All topics are in one subscription, until the gateway refuses it because the viewer may not see one of them. The
/// subscription is then split in halves repeatedly, until only the refused topics are left out. If a subscription
/// begins after the content was loaded (`isLate`), events may be missing, and the view model gets a resync.
@MainActor final class LiveUpdates {
  /// How long a load waits for the subscriptions to begin.
  private static let longestWait = Duration.seconds(2)
  /// How long a refused topic is left out before it is tried again, if it is still wanted.
  private static let refusalTime = Duration.seconds(60)
  /// The maximum number of splits, for a gateway that refuses every topic.
  private static let mostSplits = 24

  private let events: EventService
  private let receive: @MainActor (EventUpdate) -> Void
  private var groups: [LiveTopics] = []
  /// The refused topics, and when to try them again.
  private var refused: [EventTopic: ContinuousClock.Instant] = [:]
  private var splits = 0

  init(_ events: EventService, receive: @escaping @MainActor (EventUpdate) -> Void) {
    self.events = events
    self.receive = receive
  }

  isolated deinit { stop() }

  /// Follows these topics from now on.
  func follow(_ topics: Set<EventTopic>) {
    let now = events.client.clock.now
    refused = refused.filter { topics.contains($0.key) && now < $0.value }
    let wanted = topics.subtracting(refused.keys)
    var new = wanted.subtracting(groups.flatMap(\.topics))
    for group in groups {
      let rest = group.topics.intersection(wanted)
      let goal = rest.isEmpty ? [] : rest.union(new)
      guard goal != group.topics else { continue }
      remove(group)
      if goal.isEmpty { continue }
      // The new topics may also deliver events from before now. That does no harm, because events contain totals.
      start(goal, after: group.position, isLate: group.isLate)
      new = []
    }
    if !new.isEmpty { start(new, after: nil, isLate: false) }
    if groups.isEmpty { splits = 0 }
  }

  /// Returns when the subscriptions have begun, so that all later events will be received. If that takes too long,
  /// returns earlier, and a resync follows when they begin.
  func begin() async {
    guard groups.contains(where: { !$0.subscription.hasBegun }) else { return }
    let clock = events.client.clock
    try? await Race.run(until: clock.now.advanced(by: Self.longestWait), clock, timeUp: CancellationError()) {
      try await self.beginGroups()
    }
    noteLoad()
  }

  private func beginGroups() async throws {
    while let group = groups.first(where: { !$0.subscription.hasBegun }) {
      do { try await group.subscription.beginToFollow() } catch let error as APIError where error.refusesTopics {
        // Other groups replace the refused one.
        await group.reading?.value
      }
    }
  }

  /// Notes that content is being loaded or saved now. If a subscription begins later, events in between are missing.
  func noteLoad() {
    for group in groups where !group.subscription.hasBegun && group.start == nil { group.isLate = true }
  }

  func stop() {
    for group in groups { group.cancel() }
    (groups, refused, splits) = ([], [:], 0)
  }

  // MARK: Groups

  private func start(_ topics: Set<EventTopic>, after position: String?, isLate: Bool) {
    let subscription = events.subscribe(topics: topics.sorted(), after: position)
    let group = LiveTopics(topics, subscription, after: position, isLate: isLate)
    groups.append(group)
    group.reading = Task { [weak self] in
      do {
        guard try await subscription.patiently({ try await subscription.beginToFollow() }) != nil else { return }
        self?.hasBegun(group)
        for try await update in subscription {
          guard !Task.isCancelled else { return }
          group.position = subscription.following
          self?.receive(update)
        }
      } catch {
        if !Task.isCancelled { self?.hasFailed(group, error) }
      }
    }
  }

  private func remove(_ group: LiveTopics) {
    group.cancel()
    groups.removeAll { $0 === group }
  }

  private func hasBegun(_ group: LiveTopics) {
    guard group.isLate else { return }
    group.isLate = false
    receive(.resync(.positionGone))
  }

  /// Splits a refused group; drops a group that has failed in another way. The content is already loaded, and can be
  /// loaded again without live updates. Following the same topics later, perhaps as another user, starts over.
  private func hasFailed(_ group: LiveTopics, _ error: any Error) {
    remove(group)
    guard let error = error as? APIError, error.refusesTopics else { return }
    let topics = group.topics.sorted()
    guard topics.count > 1 else {
      for topic in topics { refused[topic] = events.client.clock.now.advanced(by: Self.refusalTime) }
      return
    }
    guard splits < Self.mostSplits else { return }
    splits += 1
    for half in [topics.prefix(topics.count / 2), topics.suffix(from: topics.count / 2)] {
      start(Set(half), after: group.position, isLate: group.isLate)
    }
  }
}

/// Topics followed with one subscription.
@MainActor private final class LiveTopics {
  let topics: Set<EventTopic>
  let subscription: EventSubscription
  /// The position after which the subscription begins; nil for the current one.
  let start: String?
  /// The position after the last received update, where the next subscription continues.
  var position: String?
  /// Whether content was loaded that may be older than the beginning of the subscription.
  var isLate: Bool
  var reading: Task<Void, Never>?

  init(_ topics: Set<EventTopic>, _ subscription: EventSubscription, after start: String?, isLate: Bool) {
    (self.topics, self.subscription, self.start, self.position) = (topics, subscription, start, start)
    self.isLate = isLate
  }

  /// Ends the subscription, and keeps its position.
  func cancel() {
    position = position ?? subscription.position
    reading?.cancel()
    subscription.cancel()
  }
}

extension APIError {
  /// Whether the gateway refuses at least one topic. Others may be allowed.
  fileprivate var refusesTopics: Bool {
    [.permissionDenied, .invalidArgument].contains(code) && !isFromAnotherServer && transport == nil
  }
}

import NovaCore

/// Data that you read, followed by the events since then, without a gap between the two.
///
/// ```swift
/// let updates = nova.events.snapshotThenFollow(topics: [.post("post-1")]) {
///   try await nova.social.getComments(postId: "post-1").comments
/// }
/// for try await update in updates {
///   switch update {
///   case .snapshot(let comments): show(comments)
///   case .event(let event): change(event)
///   }
/// }
/// ```
/// If events may be missing, the data is read again. Reading is repeated after failures that may pass, such as lost
/// connections. A snapshot may already include the events that follow it: those that happened after the subscription
/// began and before the data was read.
public struct FollowedSnapshot<Snapshot: Sendable>: AsyncSequence, Sendable {
  /// The data, or an event since it was read.
  public enum Update: Sendable {
    case snapshot(Snapshot)
    case event(Event)
  }

  /// Reads the updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let sequence: FollowedSnapshot
    fileprivate var updates: EventSubscription.AsyncIterator
    fileprivate var needsSnapshot = true

    /// The next update; nil when the subscription has ended.
    ///
    /// - Throws: the errors of the subscription, and those of reading that repeating cannot fix.
    public mutating func next() async throws -> Update? {
      if !needsSnapshot {
        switch try await updates.next() {
        case .event(let event): return .event(event)
        case .resync: needsSnapshot = true
        case nil: return nil
        }
      }
      guard let snapshot = try await sequence.snapshot() else { return nil }
      needsSnapshot = false
      return .snapshot(snapshot)
    }
  }

  private let subscription: EventSubscription
  private let read: @Sendable () async throws -> Snapshot

  init(_ subscription: EventSubscription, read: @escaping @Sendable () async throws -> Snapshot) {
    self.subscription = subscription
    self.read = read
  }

  /// Ends the subscription.
  public func cancel() { subscription.cancel() }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(sequence: self, updates: subscription.makeAsyncIterator())
  }

  private func snapshot() async throws -> Snapshot? {
    try await subscription.patiently {
      try await self.subscription.beginToFollow()
      return try await self.read()
    }
  }
}

extension EventService {
  /// Subscribes to topics, reads data, and delivers the data followed by the events since then. See
  /// ``FollowedSnapshot``.
  ///
  /// - Parameters:
  ///   - topics: the 1 to 100 topics whose events can change the data.
  ///   - read: reads the data; called again whenever events may be missing.
  public func snapshotThenFollow<Snapshot: Sendable>(
    topics: [EventTopic], read: @escaping @Sendable () async throws -> Snapshot
  ) -> FollowedSnapshot<Snapshot> {
    FollowedSnapshot(subscribe(topics: topics), read: read)
  }
}

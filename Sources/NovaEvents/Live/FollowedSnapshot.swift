import NovaCore

/// Something that was read, and then what has happened since: nothing between the two is missing.
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
/// When events may be missing, it is read again. Reading is repeated after failures that may pass, such as lost connections.
/// An event can be contained in the snapshot before it: what happens between
/// the beginning of the subscription and the reading comes in both.
public struct FollowedSnapshot<Snapshot: Sendable>: AsyncSequence, Sendable {
  /// What was read, or what has happened since.
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
    /// - Throws: what the subscription throws, and what reading throws if asking again cannot help.
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
  /// Subscribes to topics, then reads something, and delivers that followed by what has happened since. See
  /// ``FollowedSnapshot``.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics: all that can change what is read.
  ///   - read: reads what you show; called again whenever events may be missing.
  public func snapshotThenFollow<Snapshot: Sendable>(
    topics: [EventTopic], read: @escaping @Sendable () async throws -> Snapshot
  ) -> FollowedSnapshot<Snapshot> {
    FollowedSnapshot(subscribe(topics: topics), read: read)
  }
}

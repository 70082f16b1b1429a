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
/// When events may be missing, it is read again. An event can be contained in the snapshot before it: what happens between
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
    fileprivate var hasSnapshot = false

    /// The next update; nil when the subscription has ended.
    ///
    /// - Throws: what the subscription throws, and what reading throws.
    public mutating func next() async throws -> Update? {
      guard hasSnapshot else {
        try await sequence.subscription.begin()
        hasSnapshot = true
        return .snapshot(try await sequence.read())
      }
      switch try await updates.next() {
      case .event(let event): return .event(event)
      case .resync: return .snapshot(try await sequence.read())
      case nil: return nil
      }
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

import NovaCore

/// The events of some topics as they happen: each event once, in the gateway's order. If events may be missing,
/// delivers ``EventUpdate/resync(_:)``.
///
/// ```swift
/// for try await update in nova.events.subscribe(topics: [.user("ada"), .post("post-1")]) {
///   switch update {
///   case .event(let event): print(event.type, event.counts)
///   case .resync: break  // read what you show again
///   }
/// }
/// ```
///
/// Lost connections are reopened, and events from in between are delivered first. If you read more slowly than events
/// arrive, at most 256 updates wait in memory; the gateway keeps the others.
///
/// One task reads a subscription. The subscription begins with the first read, or with ``begin()``. It ends when the
/// reading task is cancelled, with ``cancel()``, when it is released, and when the client disconnects; reading then
/// returns nil. Reading throws ``APIError`` if the gateway refuses the topics, and the errors of the position store.
///
/// A subscription belongs to the user who is signed in when it begins, or to the token of its service, and never
/// continues for another user. Reading throws ``APIError`` `unauthorized` if its user signs out, if another user has
/// signed in, or if the gateway refuses a token that cannot be renewed.
public struct EventSubscription: AsyncSequence, Sendable {
  /// Reads the updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: EventReader

    public mutating func next() async throws -> EventUpdate? { try await reader.next() }
  }

  /// The topics of the events.
  public let topics: [EventTopic]
  private let reader: EventReader

  init(topics: [EventTopic], reader: EventReader) {
    self.topics = topics
    self.reader = reader
  }

  /// The position of the last read update, or the position at which the subscription began. Nil before the subscription
  /// has begun, unless you passed a position.
  ///
  /// Pass it to ``EventService/subscribe(topics:after:)`` to continue after it later.
  public var position: String? { reader.position }

  /// The position at which another subscription continues once you have done what the last update asks for.
  package var following: String? { reader.following }

  /// Whether the subscription has begun.
  package var hasBegun: Bool { reader.hasBegun }

  /// Whether the subscription has ended. Updates that arrived before may still be read.
  package var isEnded: Bool { reader.ending != nil }

  /// Whether the subscription has ended without an error, so that reading returns nil.
  var wasEnded: Bool { if case .success? = reader.ending { true } else { false } }

  /// Begins the subscription now. All events that happen after this call returns will be delivered.
  ///
  /// - Throws: ``APIError`` if the gateway cannot be reached, or refuses the topics; `timeout` if the deadline of the
  ///   service's options passes first, which ends the subscription; `cancelled` if the subscription ends first.
  public func begin() async throws { try await reader.beginNow() }

  /// Like ``begin()``, but ignores the deadline of the service's options, for lists that are followed indefinitely.
  package func beginToFollow() async throws { try await reader.begin() }

  /// Ends the subscription. Reading returns nil from now on.
  public func cancel() { reader.cancel() }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

  /// Runs `body`, again after each failure that may pass, with waits in between.
  ///
  /// - Parameter isCallers: whether only the subscription's caller may make the calls in `body`.
  /// - Returns: nil if the subscription has ended first.
  /// - Throws: any other failure.
  package func patiently<Result: Sendable>(
    asCaller isCallers: Bool = false, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    do { return try await reader.patiently(asCaller: isCallers, body) } catch {
      if Task.isCancelled { return nil }
      try reader.ending?.get()
      if reader.ending != nil || error is CancellationError { return nil }
      throw error
    }
  }
}

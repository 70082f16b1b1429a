import NovaCore

/// What happens to some topics, as it happens: each event once, in the gateway's order, or else
/// ``EventUpdate/resync(_:)``.
///
/// ```swift
/// for try await update in nova.events.subscribe(topics: [.user("ada"), .post("post-1")]) {
///   switch update {
///   case .event(let event): print(event.type, event.counts)
///   case .resync: break  // read afresh what you show
///   }
/// }
/// ```
///
/// Lost connections are reopened, and what happened in between is delivered first. When you read slower than events come,
/// at most 256 updates wait in memory; the gateway keeps the others.
///
/// A subscription is read by one task. It begins with the first read, or with ``begin()``, and ends when the reading task
/// is cancelled, with ``cancel()``, when it is dropped, and when the client disconnects; reading then returns nil.
/// Reading throws ``APIError`` when the gateway refuses the topics, and the error of the position store.
///
/// A subscription belongs to the user who is signed in when it begins, or to the token of its service. It never continues
/// for another user: reading throws ``APIError`` `unauthorized` when its user signs out, when another user has signed in,
/// and when the gateway refuses a token that cannot be renewed.
public struct EventSubscription: AsyncSequence, Sendable {
  /// Reads the updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: EventReader

    public mutating func next() async throws -> EventUpdate? { try await reader.next() }
  }

  /// What the events are about.
  public let topics: [EventTopic]
  private let reader: EventReader

  init(topics: [EventTopic], reader: EventReader) {
    self.topics = topics
    self.reader = reader
  }

  /// The position of the last update that was read, or of the beginning. Nil before the subscription has begun, unless a
  /// position was given.
  ///
  /// Pass it to ``EventService/subscribe(topics:after:)`` to continue after it later.
  public var position: String? { reader.position }

  /// The position from which another subscription continues for those who have done what the last update asks for.
  package var following: String? { reader.following }

  /// Whether the subscription has begun.
  package var hasBegun: Bool { reader.hasBegun }

  /// Whether nothing new arrives from now on; what had arrived may still be read.
  package var isEnded: Bool { reader.ending != nil }

  /// Whether reading returns nil from now on.
  var wasEnded: Bool {
    if case .success? = reader.ending { return true }
    return false
  }

  /// Begins the subscription now: whatever happens after this call returns will be delivered.
  ///
  /// - Throws: ``APIError``, if the gateway cannot be reached, or refuses the topics; `timeout` when the deadline of the
  ///   service's options passes before, which ends the subscription; `cancelled` when the subscription is ended before.
  public func begin() async throws { try await reader.beginNow() }

  /// The same for what is followed on and on, whatever the deadline of its service.
  package func beginToFollow() async throws { try await reader.begin() }

  /// Ends the subscription. Reading returns nil from now on.
  public func cancel() { reader.cancel() }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

  /// Does something for what this subscription follows; after a failure that may pass, again and again, with waits.
  ///
  /// - Parameter isCallers: whether only the subscription's caller may make the calls.
  /// - Returns: nil when the subscription has ended meanwhile.
  /// - Throws: what does not pass.
  package func patiently<Result: Sendable>(
    asCaller isCallers: Bool = false, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    do { return try await isCallers ? reader.patientlyAsCaller(body) : reader.patiently(body) } catch {
      if Task.isCancelled { return nil }
      try reader.ending?.get()
      if reader.ending != nil || error is CancellationError { return nil }
      throw error
    }
  }
}

import NovaAnalytics
import NovaCore

/// What a tracker has in memory.
struct TrackerState: Sendable {
  /// Events that are not in the storage yet.
  private(set) var queue: EventQueue
  private(set) var counts = TrackingCounts()
  var isOptedOut: Bool
  /// Increases whenever the user opts out.
  private(set) var generation = 0
  private(set) var session: TrackingSession
  /// The signed-in user, as of the latest look.
  private(set) var userID: String?
  /// Whether the app said who the user is.
  private var isUserGiven = false
  /// Nil until it is needed: it is in the storage.
  var anonymousID: String?
  /// Brings the queue into the storage.
  var writing: Task<Void, Never>?
  /// What waits in the storage, and since when.
  private(set) var waiting = WaitingSize()
  private(set) var waitingSince: ContinuousClock.Instant?
  /// Nothing is sent before.
  var retryAt: ContinuousClock.Instant?

  init(options: TrackingOptions, isOptedOut: Bool) {
    queue = EventQueue(maximumCount: options.maximumEvents, maximumBytes: options.maximumBytes)
    session = TrackingSession(id: RequestID.random())
    self.isOptedOut = isOptedOut
  }

  // MARK: Events

  /// Adds an event of the current user and session.
  mutating func append(_ event: AnalyticsEvent, at now: ContinuousClock.Instant, inactivity: Duration) {
    var event = event
    event.sessionId = session.use(at: now, inactivity: inactivity, makeID: { RequestID.random() })
    event.userId = userID
    event.anonymousId = anonymousID ?? ""
    counts.addLost(.full, queue.append(event))
  }

  mutating func count(_ body: (inout TrackingCounts) -> Void) { body(&counts) }

  /// Takes everything that must be stored; nil if there is nothing.
  ///
  /// Events of before the first look at the account belong to it, too.
  mutating func take() -> (events: [AnalyticsEvent], counts: TrackingCounts, generation: Int)? {
    guard !queue.isEmpty || !counts.isEmpty else { return nil }
    let anonymousID = anonymousID ?? ""
    var events = queue.removeAll()
    for index in events.indices {
      if events[index].anonymousId.isEmpty { events[index].anonymousId = anonymousID }
      if events[index].userId == nil, events[index].anonymousId == anonymousID { events[index].userId = userID }
    }
    defer { counts = TrackingCounts() }
    return (events, counts, generation)
  }

  // MARK: The user

  /// Notes who is signed in.
  ///
  /// - Returns: whether that has changed.
  mutating func setUser(_ id: String?, isGiven: Bool) -> Bool {
    guard isGiven || !isUserGiven else { return false }
    if isGiven { isUserGiven = id != nil }
    guard id != userID else { return false }
    // Somebody else, whose events must not be joined with those of before.
    if userID != nil { beginAnew() }
    userID = id
    return true
  }

  /// Gives the events that follow another anonymous ID and session.
  private mutating func beginAnew() {
    let before = anonymousID ?? RequestID.random()
    queue.update { if $0.anonymousId.isEmpty { $0.anonymousId = before } }
    anonymousID = RequestID.random()
    session = TrackingSession(id: RequestID.random())
  }

  mutating func optOut() {
    isOptedOut = true
    generation += 1
    _ = queue.removeAll()
    anonymousID = nil
    session = TrackingSession(id: RequestID.random())
    setWaiting(WaitingSize(), at: nil)
  }

  // MARK: When to send

  mutating func setWaiting(_ size: WaitingSize, at now: ContinuousClock.Instant?) {
    waiting = size
    waitingSince = size.count == 0 ? nil : waitingSince ?? now
  }

  /// When what waits must be sent; nil if nothing waits.
  func timeToSend(_ options: TrackingOptions) -> ContinuousClock.Instant? {
    guard let waitingSince else { return nil }
    if let retryAt { return retryAt }
    let isFull = waiting.count >= options.batchCount || waiting.bytes >= options.batchBytes
    return isFull ? waitingSince : waitingSince.advanced(by: options.flushInterval)
  }
}

import NovaAnalytics
import NovaCore

/// What a tracker has in memory.
struct TrackerState: Sendable {
  /// Events that are not in the storage yet.
  private(set) var queue: AnalyticsQueue
  private(set) var counts = TrackingCounts()
  var isOptedOut: Bool
  /// Increases whenever the user opts out.
  private(set) var generation = 0
  /// The session of the client's own user.
  private(set) var session: TrackingSession
  /// Who the client's own user is, as of the latest look.
  private(set) var own = AnalyticsCaller.nobody
  /// Changes of the user that the storage does not have yet, in order.
  var changes: [EventTracker.OwnChange] = []
  /// Increases with each change and each sign-out, so that the result of a look that began before is ignored.
  private(set) var looks = 0
  /// Whether the app said who the user is.
  private(set) var isUserGiven = false
  /// Of the client's own user. Nil until it is needed: it is in the storage.
  var anonymousID: String?
  /// The callers with tokens of their own.
  var callers = RecentCallers()
  /// Brings the queue into the storage.
  var writing: Task<Void, Never>?
  /// Providers that are asked whose the events tracked with them are.
  var lookups = CallerLookups()
  /// When the client's own user's events are sent, and those of all others.
  var ownSchedule = Schedule(), otherSchedule = Schedule()

  init(options: TrackingOptions, isOptedOut: Bool) {
    queue = AnalyticsQueue(maximumCount: options.maximumEvents, maximumBytes: options.maximumBytes)
    session = TrackingSession(id: RequestID.random())
    self.isOptedOut = isOptedOut
  }

  // MARK: Events

  /// Adds an event of the client's own user.
  ///
  /// - Parameter isCertain: whether the user is the one of now; otherwise the tokens must be asked.
  mutating func append(_ tracked: TrackedEvent, isCertain: Bool, at now: ContinuousClock.Instant, inactivity: Duration)
  {
    var tracked = tracked
    tracked.event.sessionId = session.use(at: now, inactivity: inactivity, makeID: { RequestID.random() })
    tracked.event.userId = own.user
    tracked.event.anonymousId = anonymousID ?? ""
    tracked.caller = own
    tracked.isProvisional = !isCertain
    counts.addLost(.full, queue.append(tracked))
  }

  /// Adds an event of a caller with credentials of its own.
  mutating func append(
    _ tracked: TrackedEvent, of caller: AnalyticsCaller, _ credentials: CallOptions, at now: ContinuousClock.Instant,
    inactivity: Duration
  ) {
    guard caller != own else {
      // The same user, who has a session already.
      callers.setCredentials(credentials, of: caller)
      return append(tracked, isCertain: true, at: now, inactivity: inactivity)
    }
    var tracked = tracked
    (tracked.event.sessionId, tracked.event.anonymousId) = callers.use(
      caller, credentials: credentials, at: now, inactivity: inactivity)
    tracked.event.userId = caller.user
    tracked.caller = caller
    counts.addLost(.full, queue.append(tracked))
  }

  mutating func count(_ body: (inout TrackingCounts) -> Void) { body(&counts) }

  var needsAnonymousID: Bool { anonymousID == nil && !isOptedOut && !queue.isEmpty }

  /// Takes everything that must be stored; nil if there is nothing.
  mutating func take() -> (events: [TrackedEvent], counts: TrackingCounts, generation: Int)? {
    guard !queue.isEmpty || !counts.isEmpty else { return nil }
    let anonymousID = anonymousID ?? ""
    var events = queue.removeAll()
    for index in events.indices {
      if events[index].event.anonymousId.isEmpty { events[index].event.anonymousId = anonymousID }
    }
    defer { counts = TrackingCounts() }
    return (events, counts, generation)
  }

  // MARK: The user

  /// Notes who the client's own user is.
  ///
  /// - Returns: whether that has changed.
  mutating func setOwn(_ caller: AnalyticsCaller, isGiven: Bool) -> Bool {
    guard isGiven || !isUserGiven else { return false }
    if isGiven { isUserGiven = caller != .nobody }
    guard caller != own else { return false }
    // Somebody else, whose events must not be joined with those of before.
    if own == .nobody { inherit(caller) } else { beginAnew() }
    own = caller
    endLooks()
    ownSchedule.forgetFailure()
    return true
  }

  /// Makes the results of looks that have begun invalid.
  mutating func endLooks() { looks += 1 }

  /// Makes the events from before a sign-in those of the user who signs in. They name the user if they were tracked before the
  /// first look at the account.
  private mutating func inherit(_ caller: AnalyticsCaller) {
    queue.update { tracked in
      guard tracked.caller == .nobody else { return }
      tracked.caller = caller
      if tracked.isProvisional { tracked.event.userId = caller.user }
    }
  }

  /// Gives the events that follow another anonymous ID and session.
  private mutating func beginAnew() {
    let before = anonymousID ?? RequestID.random()
    queue.update { if $0.event.anonymousId.isEmpty { $0.event.anonymousId = before } }
    anonymousID = RequestID.random()
    session = TrackingSession(id: RequestID.random())
  }

  mutating func optOut() {
    isOptedOut = true
    generation += 1
    _ = queue.removeAll()
    anonymousID = nil
    callers.removeAll()
    lookups.removeAll()
    session = TrackingSession(id: RequestID.random())
    (ownSchedule, otherSchedule) = (Schedule(), Schedule())
  }

  // MARK: When to send

  /// Notes events that were stored.
  mutating func noteStored(_ events: [TrackedEvent], at now: ContinuousClock.Instant) {
    var (own, others) = (WaitingSize(), WaitingSize())
    for tracked in events {
      if isOwn(tracked.caller) {
        own.add(tracked.event.approximateSize)
      } else {
        others.add(tracked.event.approximateSize)
      }
    }
    ownSchedule.add(own, at: now)
    otherSchedule.add(others, at: now)
  }

  /// Whether events of a caller go with the client's own token.
  func isOwn(_ caller: AnalyticsCaller) -> Bool { caller == own || caller == .nobody }

  /// What waits for the client's own user, and for others whose credentials are at hand.
  func waiting(_ sizes: [AnalyticsCaller: WaitingSize]) -> (own: WaitingSize, others: WaitingSize) {
    var (own, others) = (WaitingSize(), WaitingSize())
    for (caller, size) in sizes {
      if isOwn(caller) { own.add(size) } else if callers.credentials(of: caller) != nil { others.add(size) }
    }
    return (own, others)
  }

  /// When what waits must be sent; nil if nothing waits.
  func timeToSend(_ options: TrackingOptions) -> ContinuousClock.Instant? {
    [ownSchedule, otherSchedule].compactMap { $0.timeToSend(options) }.min()
  }
}

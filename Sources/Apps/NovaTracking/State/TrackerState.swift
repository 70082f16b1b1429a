import NovaAnalytics
import NovaCore

/// Everything that a tracker keeps in memory, as one value that a lock protects.
///
/// An event has one of two kinds of callers. The client's own user (``own``) has the session and the anonymous ID here;
/// the user can change, and each change is listed in `changes` until the storage has it. Callers with tokens or
/// providers of their own have theirs in ``callers``. `generation` and ``userLookups`` are counters by which slow work
/// recognizes that its result is out of date: it notes the number first, and compares it before it changes anything.
struct TrackerState: Sendable {
  /// The events that are not stored yet.
  private(set) var queue: AnalyticsQueue
  private(set) var counts = TrackingCounts()
  var isOptedOut: Bool
  /// Increases whenever the user opts out.
  private(set) var generation = 0
  /// The session of the client's own user.
  private(set) var session = TrackingSession()
  /// The client's own user, as of the latest lookup.
  private(set) var own = AnalyticsCaller.anonymous
  /// The changes of the user that the storage does not have yet, in order.
  private var changes: [UserChange] = []
  /// Increases with each change and each sign-out, so that lookups that began earlier are ignored.
  private(set) var userLookups = 0
  /// Whether the app has set the user.
  private var isUserGiven = false
  /// The anonymous ID of the client's own user. Nil until it is needed and read from the storage.
  var anonymousID: String?
  /// The callers with tokens of their own.
  var callers = RecentCallers()
  /// The task that stores the queue; nil if none is running.
  var writing: Task<Void, Never>?
  /// The providers that are being asked who their user is, and the events that wait for that.
  var lookups = CallerLookups()
  /// When the events of the client's own user are sent, and when those of all other callers.
  var ownSchedule = Schedule(), otherSchedule = Schedule()

  private let options: TrackingOptions

  init(options: TrackingOptions, isOptedOut: Bool) {
    self.options = options
    queue = AnalyticsQueue(maximumCount: options.maximumEvents, maximumBytes: options.maximumBytes)
    self.isOptedOut = isOptedOut
  }

  // MARK: Events

  /// Adds an event of the client's own user.
  ///
  /// - Parameter isCertain: whether `own` is the current user; otherwise, the token provider must be asked.
  mutating func append(_ tracked: TrackedEvent, isCertain: Bool, at now: ContinuousClock.Instant) {
    var tracked = tracked
    tracked.event.sessionId = session.use(at: now, inactivity: options.sessionInactivity)
    tracked.event.userId = own.user
    tracked.event.anonymousId = anonymousID ?? ""
    tracked.caller = own
    tracked.isProvisional = !isCertain
    counts.addLost(.full, queue.append(tracked))
  }

  /// Adds an event of a caller with credentials of its own.
  mutating func append(
    _ tracked: TrackedEvent, of caller: AnalyticsCaller, _ credentials: CallOptions, at now: ContinuousClock.Instant
  ) {
    guard caller != own else {
      // This user already has a session.
      callers.setCredentials(credentials, of: caller)
      return append(tracked, isCertain: true, at: now)
    }
    var tracked = tracked
    (tracked.event.sessionId, tracked.event.anonymousId) = callers.use(
      caller, credentials: credentials, at: now, inactivity: options.sessionInactivity)
    tracked.event.userId = caller.user
    tracked.caller = caller
    counts.addLost(.full, queue.append(tracked))
  }

  mutating func count(_ body: (inout TrackingCounts) -> Void) { body(&counts) }

  var needsAnonymousID: Bool { anonymousID == nil && !isOptedOut && !queue.isEmpty }

  /// Takes out everything that must be stored; nil if there is nothing to store.
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

  /// Sets the client's own user.
  ///
  /// - Parameter isGiven: whether the app has set the user, which takes precedence over the client's token.
  /// - Returns: whether the user has changed; the storage then needs the change.
  mutating func setOwn(_ caller: AnalyticsCaller, isGiven: Bool) -> Bool {
    guard isGiven || !isUserGiven else { return false }
    if isGiven { isUserGiven = caller != .anonymous }
    guard caller != own else { return false }
    let before = anonymousID
    // A different user's events must not be joined with the earlier ones.
    if own == .anonymous { inherit(caller) } else { replaceUser() }
    own = caller
    endUserLookups()
    ownSchedule.forgetFailure()
    changes.append(UserChange(own: own, anonymousID: anonymousID == before ? nil : anonymousID))
    return true
  }

  mutating func takeChanges() -> [UserChange] {
    defer { changes = [] }
    return changes
  }

  /// Invalidates the results of lookups in progress.
  mutating func endUserLookups() { userLookups += 1 }

  /// Gives the events from before a sign-in to the user who signs in. Events tracked before the account was known also
  /// belong to that user, and name the user.
  private mutating func inherit(_ caller: AnalyticsCaller) {
    queue.update { tracked in
      guard tracked.caller == .anonymous else { return }
      tracked.caller = caller
      if tracked.isProvisional { tracked.event.userId = caller.user }
    }
  }

  /// Gives later events another anonymous ID and session.
  private mutating func replaceUser() {
    let before = anonymousID ?? RequestID.random()
    queue.update { if $0.event.anonymousId.isEmpty { $0.event.anonymousId = before } }
    anonymousID = RequestID.random()
    session = TrackingSession()
  }

  mutating func optOut() {
    isOptedOut = true
    generation += 1
    _ = queue.removeAll()
    anonymousID = nil
    callers.removeAll()
    lookups.removeAll()
    session = TrackingSession()
    (ownSchedule, otherSchedule) = (Schedule(), Schedule())
  }

  // MARK: When to send

  /// Adds stored events to the schedules.
  mutating func noteStored(_ events: [TrackedEvent], at now: ContinuousClock.Instant) {
    var (own, others) = (WaitingSize(), WaitingSize())
    for tracked in events {
      let size = tracked.event.approximateSize
      if isOwn(tracked.caller) { own.add(size) } else { others.add(size) }
    }
    ownSchedule.add(own, at: now)
    otherSchedule.add(others, at: now)
  }

  /// Sets how many events wait in the storage.
  mutating func setWaiting(_ sizes: [AnalyticsCaller: WaitingSize], at now: ContinuousClock.Instant) {
    let waiting = waiting(sizes)
    ownSchedule.setWaiting(waiting.own, at: now)
    otherSchedule.setWaiting(waiting.others, at: now)
  }

  /// Whether events of a caller are sent with the client's own token.
  func isOwn(_ caller: AnalyticsCaller) -> Bool { caller == own || caller == .anonymous }

  /// The waiting events of the client's own user, and those of other callers whose credentials are in memory.
  func waiting(_ sizes: [AnalyticsCaller: WaitingSize]) -> (own: WaitingSize, others: WaitingSize) {
    var (own, others) = (WaitingSize(), WaitingSize())
    for (caller, size) in sizes {
      if isOwn(caller) { own.add(size) } else if callers.credentials(of: caller) != nil { others.add(size) }
    }
    return (own, others)
  }

  /// When the next events must be sent; nil if no event waits.
  var timeToSend: ContinuousClock.Instant? {
    [ownSchedule, otherSchedule].compactMap { $0.timeToSend(options) }.min()
  }
}

import NovaAnalytics
public import NovaCore

/// Keeps events on the disk, and sends them to NovaSocial in batches.
///
/// ```swift
/// var options = TrackingOptions()
/// options.allowedProperties = ["screen", "source"]
/// let tracker = EventTracker(directory: "\(state)/analytics", options: options)
/// let nova = NovaClient(configuration: try .load(), tracker: tracker)
/// nova.analytics.track("post_opened", properties: ["source": "feed"])
/// ```
///
/// Events wait in the file `analytics.db` in the directory until the gateway has them; each counts once, however often
/// it is sent. The gateway takes events of signed-in users only, so those of before wait for the sign-in. Trackers of
/// several processes can share a directory: one of them sends at a time.
public final class EventTracker: Tracker {
  let options: TrackingOptions
  let clock: any CallClock
  let directory: TrackingDirectory
  private let filter: PropertyFilter
  let state: Locked<TrackerState>
  let writer: AnalyticsWriter
  let sender: AnalyticsSender
  let connection = Locked(Connection())
  let wakeSignal = WakeSignal()
  let random: @Sendable () -> Double

  /// The client that sends, and the task that makes it send.
  struct Connection {
    weak var client: APIClient?
    var loop: Task<Void, Never>?
    var lastError: String?
    var tokens = TokensInUse()
  }

  /// Creates a tracker. Creates no files before the first event.
  ///
  /// - Parameters:
  ///   - directory: the directory of the tracker's files, for nothing else; created when it is needed. Use a directory
  ///     for each gateway, such as ``directory(for:)``.
  ///   - options: the limits and what is recorded.
  ///   - clock: measures and waits.
  public convenience init(
    directory: String, options: TrackingOptions = TrackingOptions(), clock: any CallClock = ContinuousClock()
  ) {
    self.init(directory: directory, options: options, clock: clock, random: { .random(in: 0..<1) })
  }

  init(
    directory: String, options: TrackingOptions, clock: any CallClock, random: @escaping @Sendable () -> Double
  ) {
    let options = options.clamped
    let directory = TrackingDirectory(path: directory)
    self.options = options
    self.clock = clock
    self.directory = directory
    self.random = random
    filter = PropertyFilter(allowed: options.allowedProperties)
    state = Locked(TrackerState(options: options, isOptedOut: directory.isOptedOut))
    writer = AnalyticsWriter(directory, options: options, clock: clock)
    sender = AnalyticsSender(writer, directory, options: options, clock: clock)
  }

  deinit { connection.withLock { $0.loop }?.cancel() }

  /// The directory for a configuration: `analytics/<host>_<port>` in its state directory, so that the events for one
  /// gateway are never sent to another. Nil if neither `state_directory`, `XDG_STATE_HOME`, nor `HOME` is set.
  public static func directory(for configuration: APIConfiguration) -> String? {
    guard let state = configuration.stateDirectory ?? UserDirectories.state.map({ "\($0)/nova" }) else { return nil }
    guard !configuration.usesMockData else { return "\(state)/analytics/mock" }
    let place = configuration.baseURL(for: "analytics").origin.place
    let name = String(place.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "_" })
    return "\(state)/analytics/\(name)"
  }

  // MARK: Tracking

  /// Notes an event, and returns at once: never blocks on the disk or the network, and never fails.
  ///
  /// The time, the session, and the user are those of now. Names that break the contract's rule count as rejected.
  ///
  /// - Parameters:
  ///   - event: the name: 1 to 64 lower-case letters, digits, and underscores, a letter first.
  ///   - properties: those whose keys are allowed are recorded, unless their values look like secrets or personal text.
  ///     Values are cut to 1,000 characters.
  ///   - options: whose event it is: that of their token's or provider's user, or else of the client's. The latest token
  ///     or provider of each of 10,000 callers stays in memory, to send their events with.
  public func track(_ event: String, properties: [String: String], options: CallOptions) {
    let kept = filter.allowed(properties)
    var tracked = TrackedEvent(
      event: AnalyticsEvent(
        id: RequestID.random(), name: event, occurredAtMs: Milliseconds.clamped(clock.unixTime * 1000), properties: kept
      ))
    tracked.uptime = Uptime(clock.now)
    let (now, isValid, dropped) = (clock.now, Self.isName(event), properties.count - kept.count)
    let client = connection.withLock { $0.client }
    let looks = state.withLock { $0.looks }
    let caller = client?.callerAtHand(for: options)
    if options.haveCredentials, !kept.isEmpty { tracked.token = client?.tokenInUse(for: options) }
    let change: OwnChange? = state.withLock { state in
      guard !state.isOptedOut else { return nil }
      state.count { $0.droppedProperties += dropped }
      var change: OwnChange?
      if !isValid {
        state.count { $0.addRejected("the name is not lower_snake_case with 1 to 64 characters") }
      } else if options.haveCredentials {
        append(tracked, of: caller, credentials: options.credentials, at: now, to: &state)
      } else {
        // Another thread may have noted a sign-out since the caller was determined.
        let isCertain = caller != nil && state.looks == looks
        if let caller, isCertain { change = OwnChange(&state, AnalyticsCaller(caller), isGiven: false) }
        state.append(tracked, isCertain: isCertain, at: now, inactivity: self.options.sessionInactivity)
      }
      startWriting(&state)
      return change
    }
    if change != nil { storeChanges() }
  }

  /// Adds an event of a caller with credentials of its own, at once or when the provider has named the caller.
  private func append(
    _ tracked: TrackedEvent, of caller: Identity.Caller?, credentials: CallOptions, at now: ContinuousClock.Instant,
    to state: inout TrackerState
  ) {
    let inactivity = options.sessionInactivity
    switch caller {
    case .user, .token:
      guard let caller else { return }
      state.append(tracked, of: AnalyticsCaller(caller), credentials, at: now, inactivity: inactivity)
    case .anonymous:
      state.append(tracked, of: provider(of: credentials, &state), credentials, at: now, inactivity: inactivity)
    case nil where credentials.tokens == nil || credentials.token != nil:
      // A token that cannot be told from others: the event is not joined with any.
      state.append(tracked, of: .provider(RequestID.random()), credentials, at: now, inactivity: inactivity)
    case nil:
      let isKept = state.lookups.add(tracked, credentials, limit: options.maximumEvents) { key in
        Task.detached(priority: .utility) { await self.lookUp(key) }
      }
      if !isKept { state.count { $0.addLost(.full) } }
    }
  }

  private func provider(of credentials: CallOptions, _ state: inout TrackerState) -> AnalyticsCaller {
    credentials.tokens.map { state.callers.caller(at: $0) } ?? .provider(RequestID.random())
  }

  /// Asks a provider whose the events are that were tracked with it.
  private func lookUp(_ key: CallerLookups.Key) async {
    guard let credentials = state.withLock({ $0.lookups.options(for: key) }) else { return }
    var caller: AnalyticsCaller?
    if let client = connection.withLock({ $0.client }),
      case .success(let identity) = await client.lookUpIdentity(for: credentials, clock), !identity.isAnonymous
    {
      caller = AnalyticsCaller(identity.caller)
    }
    let now = clock.now
    state.withLock { state in
      let events = state.lookups.take(key)
      let caller = caller ?? provider(of: credentials, &state)
      for event in events {
        state.append(event, of: caller, credentials, at: now, inactivity: options.sessionInactivity)
      }
      if !events.isEmpty { startWriting(&state) }
    }
  }

  /// The rule of the contract.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, ASCIISet.lowercase.contains(first) else { return false }
    return name.consists(of: nameCharacters, count: 1...64)
  }

  private static let nameCharacters = ASCIISet.lowercase + ASCIISet.digits + ASCIISet("_")

  /// Starts to bring events into the storage, unless that is under way. The tracker lives until it is done.
  private func startWriting(_ state: inout TrackerState) {
    guard state.writing == nil else { return }
    state.writing = Task.detached(priority: .utility) { await self.write() }
  }

  private func write() async {
    repeat { await updateUser() } while await writer.run { self.store(in: $0) }
  }

  /// Brings the queue into the storage. Taken and stored in one step, so that the events of nobody that a sign-in finds
  /// are either here or there.
  ///
  /// - Returns: whether there was something.
  private func store(in storage: AnalyticsStorage) -> Bool {
    Self.applyChanges(of: state, to: storage) { _ in }
    while let own = state.withLock({ $0.needsAnonymousID ? $0.own : nil }) {
      let id = storage.loadAnonymousID(of: own)
      state.withLock { if $0.anonymousID == nil, $0.own == own, !$0.isOptedOut { $0.anonymousID = id } }
    }
    let taken = Self.applyChanges(of: state, to: storage) { state in
      let taken = state.take()
      if taken == nil { state.writing = nil }
      return taken
    }
    guard let taken else { return false }
    let (events, counts) = recorded(taken.events, taken.counts)
    let isStored = storage.append(events, counts, generation: taken.generation)
    let now = clock.now
    state.withLock { state in
      if isStored {
        state.noteStored(events, at: now)
      } else if taken.generation == state.generation {
        state.anonymousID = nil
      }
    }
    wakeSignal.wake()
    return true
  }

  /// The events of the sample, without what must not be recorded.
  private func recorded(
    _ events: [TrackedEvent], _ counts: TrackingCounts
  ) -> (events: [TrackedEvent], counts: TrackingCounts) {
    var (recorded, counts) = ([TrackedEvent](), counts)
    let secrets = secrets(events)
    for var tracked in events {
      let event = tracked.event
      let isIncluded = options.sampling.includes(
        session: event.sessionId, user: tracked.caller.name, anonymousID: event.anonymousId)
      guard isIncluded else { continue }
      counts.droppedProperties += PropertyFilter.removePersonalText(from: &tracked.event, secrets: secrets)
      recorded.append(tracked)
    }
    return (recorded, counts)
  }

  /// Recognizes the tokens in use, in any encoding.
  private func secrets(_ events: [TrackedEvent]) -> SecretRedactor? {
    guard events.contains(where: { !$0.event.properties.isEmpty }) else { return nil }
    return connection.withLock { connection in
      let own = connection.client?.tokenInUse()
      return connection.tokens.redactor(adding: events.compactMap(\.token) + (own.map { [$0] } ?? []))
    }
  }

  /// Waits until all events tracked so far, and changes of the user, are in the storage.
  func waitUntilWritten() async {
    while let task = state.withLock({ $0.lookups.task ?? $0.writing }) { await task.value }
    // Changes of the user are brought there on their own.
    await writer.run { _ in }
  }
}

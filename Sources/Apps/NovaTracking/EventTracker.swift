package import NovaAnalytics
public import NovaCore

/// Keeps events on the disk, and sends them to NovaSocial in batches.
///
/// ```swift
/// var options = TrackingOptions()
/// options.allowedProperties = ["screen", "source"]
/// let tracker = EventTracker(directory: "\(state)/analytics", options: options)
/// let nova = NovaClient(configuration: try .load()) { $0.tracker = tracker }
/// nova.analytics.track("post_opened", properties: ["source": "feed"])
/// ```
///
/// Events wait in the file `analytics.db` in the directory until the gateway has them. Each counts once, however often
/// it is sent. The gateway accepts events of signed-in users only, so events tracked earlier wait for the sign-in.
/// Trackers of several processes can share a directory: one of them sends at a time.
public final class EventTracker: Tracker {
  // How an event travels: `track` adds it to the queue in `state`, with the session and the user of now, and returns. A
  // task, started if none is running, then takes the whole queue, drops what must not be recorded, and stores the rest
  // through `writer`, the only way to the disk. `delivery` sends what is stored. If only the token provider can tell
  // whose an event is, the event first waits in `state.lookups` until the provider has answered.
  private let parts: TrackerParts
  private let filter: PropertyFilter
  private let delivery: AnalyticsDelivery
  private let tokens = Locked(TokensInUse())
  // Tests use these two.
  var writer: AnalyticsWriter { parts.writer }
  let ownUser: OwnUser

  private var options: TrackingOptions { parts.options }
  private var clock: any CallClock { parts.clock }
  private var state: Locked<TrackerState> { parts.state }

  /// Creates a tracker. Creates no files before the first event.
  ///
  /// - Parameters:
  ///   - directory: the directory for the tracker's files, and for nothing else; created when it is needed. Use a
  ///     directory for each gateway, such as ``directory(for:)``.
  ///   - options: the limits, and what is recorded.
  ///   - clock: measures time, and waits.
  public convenience init(
    directory: String, options: TrackingOptions = TrackingOptions(), clock: any CallClock = ContinuousClock()
  ) {
    self.init(directory: directory, options: options, clock: clock, random: { .random(in: 0..<1) })
  }

  init(
    directory: String, options: TrackingOptions, clock: any CallClock, random: @escaping @Sendable () -> Double
  ) {
    parts = TrackerParts(TrackingDirectory(path: directory), options: options.clamped, clock: clock, random: random)
    filter = PropertyFilter(allowed: options.allowedProperties)
    ownUser = OwnUser(parts)
    delivery = AnalyticsDelivery(parts, ownUser: ownUser)
  }

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

  /// Notes an event and returns at once. Never waits for the disk or the network, and never fails.
  ///
  /// The event gets the current time, session, and user. Names that break the contract's rule count as rejected.
  ///
  /// - Parameters:
  ///   - event: the name: 1 to 64 lower-case letters, digits, and underscores, a letter first.
  ///   - properties: those whose keys are allowed are recorded, unless their values look like secrets or personal text.
  ///     Values are cut to 1,000 characters.
  ///   - options: whose event it is: if they have a token or a provider, its user's; otherwise, the client's user's.
  ///     For each of 10,000 callers, the latest token or provider stays in memory, to send the caller's events with.
  public func track(_ event: String, properties: [String: String], options: CallOptions) {
    let kept = filter.allowed(properties)
    var tracked = TrackedEvent(
      event: AnalyticsEvent(
        id: RequestID.random(), name: event, occurredAtMs: Milliseconds.clamped(clock.unixTime * 1000), properties: kept
      ))
    tracked.uptime = Uptime(clock.now)
    let (now, isValid, dropped) = (clock.now, Self.isName(event), properties.count - kept.count)
    let client = ownUser.client
    let lookups = state.withLock { $0.userLookups }
    let caller = client?.callerAtHand(for: options)
    if options.haveCredentials, !kept.isEmpty { tracked.token = client?.tokenInUse(for: options) }
    let isUserChanged = state.withLock { state in
      guard !state.isOptedOut else { return false }
      state.count { $0.droppedProperties += dropped }
      var isUserChanged = false
      if !isValid {
        state.count { $0.addRejected("the name is not lower_snake_case with 1 to 64 characters") }
      } else if options.haveCredentials {
        append(tracked, of: caller, credentials: options.credentials, at: now, to: &state)
      } else {
        // Another thread may have noted a sign-out since the caller was determined.
        let isCertain = caller != nil && state.userLookups == lookups
        if let caller, isCertain { isUserChanged = state.setOwn(.known(caller), isGiven: false) }
        state.append(tracked, isCertain: isCertain, at: now)
      }
      startWriting(&state)
      return isUserChanged
    }
    if isUserChanged { ownUser.storeChanges() }
  }

  /// Adds an event of a caller with credentials of its own, at once or when the provider has named the caller.
  private func append(
    _ tracked: TrackedEvent, of known: Identity.Caller?, credentials: CallOptions, at now: ContinuousClock.Instant,
    to state: inout TrackerState
  ) {
    let caller: AnalyticsCaller
    switch known {
    case .anonymous: caller = provider(of: credentials, &state)
    case let known?: caller = .known(known)
    // The token cannot be told from others, so the event is joined with no other event.
    case nil where credentials.tokens == nil || credentials.token != nil: caller = .provider(RequestID.random())
    case nil:
      let isKept = state.lookups.add(tracked, credentials, limit: options.maximumEvents) { key in
        Task.detached(priority: .utility) { await self.lookUp(key) }
      }
      if !isKept { state.count { $0.addLost(.full) } }
      return
    }
    state.append(tracked, of: caller, credentials, at: now)
  }

  private func provider(of credentials: CallOptions, _ state: inout TrackerState) -> AnalyticsCaller {
    credentials.tokens.map { state.callers.caller(at: $0) } ?? .provider(RequestID.random())
  }

  /// Asks a provider who its user is, and adds the events that were tracked with it as that user's.
  private func lookUp(_ key: CallerLookups.Key) async {
    guard let credentials = state.withLock({ $0.lookups.options(for: key) }) else { return }
    var caller: AnalyticsCaller?
    if let client = ownUser.client,
      case .success(let identity) = await client.lookUpIdentity(for: credentials, clock), !identity.isAnonymous
    {
      caller = .known(identity.caller)
    }
    let now = clock.now
    state.withLock { state in
      let events = state.lookups.take(key)
      let caller = caller ?? provider(of: credentials, &state)
      for event in events {
        state.append(event, of: caller, credentials, at: now)
      }
      if !events.isEmpty { startWriting(&state) }
    }
  }

  /// The contract's rule for names.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, ASCIISet.lowercase.contains(first) else { return false }
    return name.consists(of: nameCharacters, count: 1...64)
  }

  private static let nameCharacters = ASCIISet.lowercase + ASCIISet.digits + ASCIISet("_")

  // MARK: Storing

  /// Starts a task that stores the queue, unless one is running. The task keeps the tracker alive until it is done.
  private func startWriting(_ state: inout TrackerState) {
    guard state.writing == nil else { return }
    state.writing = Task.detached(priority: .utility) { await self.write() }
  }

  private func write() async {
    repeat { await ownUser.update() } while await writer.run { self.store(in: $0) }
  }

  /// Moves the queue into the storage in one step, so that a sign-in finds each event without a user in exactly one of
  /// the two.
  ///
  /// - Returns: whether there was anything to store.
  private func store(in storage: AnalyticsStorage) -> Bool {
    storage.applyChanges(of: state) { _ in }
    while let own = state.withLock({ $0.needsAnonymousID ? $0.own : nil }) {
      let id = storage.loadAnonymousID(of: own)
      state.withLock { if $0.anonymousID == nil, $0.own == own, !$0.isOptedOut { $0.anonymousID = id } }
    }
    let taken = storage.applyChanges(of: state) { state in
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
    parts.wakeSignal.wake()
    return true
  }

  /// The events of the sample, without anything that must not be recorded.
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
    let own = ownUser.client?.tokenInUse()
    return tokens.withLock { $0.redactor(adding: events.compactMap(\.token) + (own.map { [$0] } ?? [])) }
  }

  /// Waits until all events tracked so far, and all changes of the user, are in the storage.
  func waitUntilWritten() async {
    while let task = state.withLock({ $0.lookups.task ?? $0.writing }) { await task.value }
    // Changes of the user are stored without such a task, but before this.
    await writer.run { _ in }
  }

  // MARK: Sending

  public func begin(with client: APIClient) {
    ownUser.follow(client)
    delivery.begin()
  }

  /// Sends with a client only when ``sendAll()`` or ``flush()`` is called, so that nothing else takes part in the
  /// result.
  package func use(_ client: APIClient) { ownUser.use(client) }

  /// Stores all events tracked so far, and sends the waiting events of the client's user and of each caller that has
  /// tracked since the program began, whose token or provider is therefore still in memory.
  ///
  /// Takes at most ``TrackingOptions/flushTimeout``. Events that could not be sent stay on the disk. A client that
  /// shuts down calls this method.
  public func flush() async {
    let end = clock.now.advanced(by: options.flushTimeout)
    try? await Race.run(until: end, clock, timeUp: CancellationError()) { _ = await self.sendAll() }
  }

  /// Sends the waiting events, and reports how that went; nil without a client.
  package func sendAll() async -> SendOutcome? {
    await waitUntilWritten()
    return await delivery.send(isForced: true)
  }

  // MARK: The user

  /// Sets who the client's own user is, for apps that sign users in without a `SessionManager`: the SDK cannot
  /// determine the user of tokens that the app sets itself. Events tracked from now on carry the ID. Nil means that the
  /// user has signed out: the next user gets another anonymous ID and another session.
  ///
  /// Before you replace a user's token by another user's, call this method with nil; after that, call it with the new
  /// user's ID. A user's events are sent with the token that the client has at that time.
  public func setUser(_ id: String?) { ownUser.set(id.map { .user($0) } ?? .anonymous, isGiven: true) }

  // MARK: Opting out

  /// Stops tracking, deletes the waiting events and the anonymous ID, and stores the choice for later runs of the
  /// program. Cancels a request in progress, but the gateway may have received it.
  ///
  /// - Throws: ``TrackingError`` if the choice could not be stored, or the events could not be deleted. Even then,
  ///   nothing is tracked until the program ends.
  public func optOut() async throws {
    let generation = state.withLock { state in
      state.optOut()
      return state.generation
    }
    var problems: [String] = []
    do { try parts.directory.setOptedOut(true) } catch {
      problems.append("the choice could not be stored: \(error.reason)")
    }
    await delivery.cancel()
    if let problem = await writer.run({ $0.removeAll(generation: generation) }) { problems.append(problem) }
    if !problems.isEmpty { throw TrackingError("cannot opt out completely: \(problems.joined(separator: "; "))") }
  }

  /// Starts to track again, with a new anonymous ID.
  ///
  /// - Throws: ``TrackingError`` if the choice could not be stored.
  public func optIn() async throws {
    do { try parts.directory.setOptedOut(false) } catch {
      throw TrackingError("cannot opt in: the choice could not be stored: \(error.reason)")
    }
    state.withLock { $0.isOptedOut = false }
  }

  // MARK: Status

  /// The waiting events, and what has become of all events since the directory was first used.
  public var status: TrackingStatus {
    get async {
      await waitUntilWritten()
      let isOptedOut = parts.directory.isOptedOut
      var status = TrackingStatus()
      status.lastError = delivery.lastError
      state.withLock { state in
        // Another process may have opted out. If this one has, but could not store it, that counts as well.
        state.isOptedOut = state.isOptedOut || isOptedOut
        status.isOptedOut = state.isOptedOut
        status.sessionID = state.session.id
        status.isSignedIn = state.own != .anonymous
      }
      return await writer.run { [status] storage in
        var status = status
        storage.describe(&status)
        return status
      }
    }
  }

  /// The oldest waiting events.
  package func waitingEvents(limit: Int) async -> [AnalyticsEvent] {
    await waitUntilWritten()
    return await writer.run { $0.batch(of: nil, count: limit, bytes: .max).events }
  }
}

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
  let writer: EventWriter
  let sender: EventSender
  let connection = Locked(Connection())
  let alarm = Alarm()
  let random: @Sendable () -> Double

  /// The client that sends, and the task that makes it send.
  struct Connection {
    weak var client: APIClient?
    var loop: Task<Void, Never>?
    var failures = 0
    var lastError: String?
    /// The redactor of a token.
    var redactor: (token: AccessToken, redactor: SecretRedactor)?
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
    writer = EventWriter(directory, options: options, clock: clock)
    sender = EventSender(writer, directory, options: options, clock: clock)
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
  public func track(_ event: String, properties: [String: String]) {
    let kept = filter.allowed(properties)
    let record = AnalyticsEvent(
      id: RequestID.random(), name: event, occurredAtMs: Milliseconds.clamped(clock.unixTime * 1000), properties: kept)
    let (now, isValid, dropped) = (clock.now, Self.isName(event), properties.count - kept.count)
    state.withLock { state in
      guard !state.isOptedOut else { return }
      state.count { $0.droppedProperties += dropped }
      if isValid {
        state.append(record, at: now, inactivity: options.sessionInactivity)
      } else {
        state.count { $0.addRejected("the name is not lower_snake_case with 1 to 64 characters") }
      }
      startWriting(&state)
    }
  }

  /// The rule of the contract.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, ASCIISet.lowercase.contains(first) else { return false }
    return name.consists(of: nameCharacters, count: 1...64)
  }

  private static let nameCharacters = ASCIISet.lowercase + ASCIISet.digits + ASCIISet("_")

  /// Starts to bring events into the storage, unless that goes on already. The tracker lives until it is done.
  private func startWriting(_ state: inout TrackerState) {
    guard state.writing == nil else { return }
    state.writing = Task.detached(priority: .utility) { await self.write() }
  }

  private func write() async {
    while true {
      await updateUser()
      await loadAnonymousID()
      let taken = state.withLock { state in
        let taken = state.take()
        if taken == nil { state.writing = nil }
        return taken
      }
      guard let taken else { return }
      let (events, counts) = recorded(taken.events, taken.counts)
      let waiting = await writer.run { $0.append(events, counts, generation: taken.generation) }
      let now = clock.now
      state.withLock { state in
        if waiting == nil, taken.generation == state.generation { state.anonymousID = nil }
        state.setWaiting(waiting ?? WaitingSize(), at: now)
      }
      alarm.ring()
    }
  }

  private func loadAnonymousID() async {
    guard state.withLock({ $0.anonymousID == nil && !$0.queue.isEmpty }) else { return }
    let id = await writer.run { $0.loadAnonymousID() }
    state.withLock { if $0.anonymousID == nil, !$0.isOptedOut { $0.anonymousID = id } }
  }

  /// The events of the sample, without what must not be recorded.
  private func recorded(
    _ events: [AnalyticsEvent], _ counts: TrackingCounts
  ) -> (events: [AnalyticsEvent], counts: TrackingCounts) {
    var (recorded, counts) = ([AnalyticsEvent](), counts)
    let secrets = secrets()
    for var event in events {
      let isIncluded = options.sampling.includes(
        session: event.sessionId, user: event.userId, anonymousID: event.anonymousId)
      guard isIncluded else { continue }
      counts.droppedProperties += PropertyFilter.removePersonalText(from: &event, secrets: secrets)
      recorded.append(event)
    }
    return (recorded, counts)
  }

  /// Recognizes the token of the client's calls, in any encoding.
  private func secrets() -> SecretRedactor? {
    connection.withLock { connection in
      guard let token = connection.client?.tokenInUse else { return nil }
      if let redactor = connection.redactor, redactor.token == token { return redactor.redactor }
      let redactor = SecretRedactor([token.secretValue])
      connection.redactor = (token, redactor)
      return redactor
    }
  }

  /// Waits until all events tracked so far are in the storage.
  func waitUntilWritten() async {
    while let writing = state.withLock({ $0.writing }) { await writing.value }
  }
}

import NovaCore

/// The connection that the subscriptions of a client share: made with the first, ended with the last, and made anew when
/// it is lost or needs other topics.
actor SharedEventConnection {
  /// How many ids are remembered, to recognize events that the gateway repeats.
  private static let rememberedIDs = 10_000
  /// The longest silence of a gateway that is alive: it sends a sign of life every 15 seconds.
  private static let longestSilence = Duration.seconds(40)

  private enum Interruption {
    case otherTopics, positionGone, silence
  }

  /// Whether events arrive.
  nonisolated let state = LatestValue(LiveState.offline)

  /// Changes whenever an inbox may go on.
  private let progress = LatestValue(0)

  private let lister: EventLister
  private let connector: any EventConnector
  private let clock: any CallClock
  private var inboxes: [ObjectIdentifier: EventInbox] = [:]
  /// The signed-in user, if known.
  private var user: String?
  private var running: Task<Void, Never>?
  private var reading: Task<Void, any Error>?
  private var connection: (any EventConnection)?
  private var interruption: Interruption?
  /// Whether topics are being added to the open connection.
  private var isChanging = false
  /// The topics of the connection, or of the last one.
  private var connected: Set<EventTopic> = []
  /// Where the connection is: all that has happened before was delivered. Nil before there was one.
  private var position: String?
  private var seen = RecentIDs(capacity: SharedEventConnection.rememberedIDs)
  private var reconnection = Reconnection()
  private var lastSign: ContinuousClock.Instant
  private var isEnded = false

  init(lister: EventLister, connector: any EventConnector, clock: any CallClock) {
    self.lister = lister
    self.connector = connector
    self.clock = clock
    lastSign = clock.now
  }

  // MARK: Subscriptions

  /// Whether the topics fit beside those that are there.
  func hasRoom(for topics: Set<EventTopic>) -> Bool { wanted.union(topics).count <= EventTopic.maximumCount }

  /// Adds an inbox that begins now, or behind a position. It then gets all that happens.
  ///
  /// - Throws: ``APIError``, if the gateway cannot be reached, or refuses the topics.
  func add(_ inbox: EventInbox, after start: String?) async throws {
    if user == nil, let account = try? await lister.service.client.account() {
      user = account.user ?? account.token?.claimedUser
    }
    if start == nil, continues(inbox), let position {
      inbox.beginLive(at: position)
    } else {
      // Tells whether the topics are allowed, too: the connection is shared with others.
      let now = try await lister.now(inbox.topics)
      inbox.begin(at: start ?? now)
      if position == nil { position = now }
    }
    guard !isEnded else { throw APIError.disconnected }
    guard !inbox.isEnded else { return }
    inboxes[ObjectIdentifier(inbox)] = inbox
    connectIfNeeded()
  }

  func remove(_ inbox: EventInbox) {
    inboxes[ObjectIdentifier(inbox)] = nil
    if inboxes.isEmpty { stop() }
  }

  /// Ends all subscriptions, for good. Returns when the connection is closed.
  func end() async {
    isEnded = true
    for inbox in inboxes.values { inbox.finish(.success(())) }
    inboxes = [:]
    let running = running
    stop()
    await running?.value
    state.finish()
    progress.finish()
  }

  /// Lists what an inbox has missed, and lets it go on with the connection if that is live.
  ///
  /// - Throws: ``APIError``; `CancellationError`.
  func catchUp(_ inbox: EventInbox) async throws {
    guard let start = inbox.position else { return }
    guard continues(inbox), let position else {
      let page = try await lister.page(inbox.topics, after: start)
      inbox.add(page, after: start)
      if page.events.isEmpty, page.isComplete { await waitUntilConnected(inbox) }
      return
    }
    let connection = connection
    inbox.beginJoining()
    do {
      // In this order: what comes over the connection from now on is on one of these pages, or new.
      let coming = position == start ? nil : try await lister.page(inbox.topics, after: position)
      let page = try await lister.page(inbox.topics, after: start)
      let pages = [coming, page].compactMap(\.self)
      // Behind a gap, the connection may still bring what was before it.
      if pages.contains(where: { $0.hasMore || !$0.isComplete }) { inbox.fallBehind() }
      if !pages[0].isComplete { abandon(connection, for: page.nextAfter) }
      inbox.join(page, coming: coming?.events ?? [])
    } catch {
      inbox.fallBehind()
      throw error
    }
  }

  /// Begins anew at a position, since that of the connection is gone.
  private func abandon(_ old: (any EventConnection)?, for position: String) {
    guard old === connection, interruption == nil else { return }
    receive(.reset(nil, position: position))
    interrupt(.positionGone)
  }

  private func waitUntilConnected(_ inbox: EventInbox) async {
    for await _ in progress.stream() {
      if inbox.isEnded || continues(inbox) { return }
    }
  }

  /// Whether the connection brings what happens to the inbox's topics.
  private func continues(_ inbox: EventInbox) -> Bool {
    connection != nil && interruption != .positionGone && inbox.topics.isSubset(of: connected)
  }

  // MARK: The connection

  private var wanted: Set<EventTopic> { inboxes.values.reduce(into: []) { $0.formUnion($1.topics) } }

  private func connectIfNeeded() {
    if running == nil {
      running = Task { await keepConnected() }
    } else if !wanted.isSubset(of: connected) {
      if let connection, connection.changesTopics {
        guard !isChanging else { return }
        isChanging = true
        Task { await addTopics(to: connection) }
      } else if reading != nil {
        interrupt(.otherTopics)
      }
    }
  }

  private func addTopics(to connection: any EventConnection) async {
    do {
      // What it lists and what the connection delivers meanwhile come in one order, because each comes once.
      try await listRest()
      let topics = wanted.subtracting(connected).sorted { $0.rawValue < $1.rawValue }
      guard let position, interruption == nil, !topics.isEmpty else { return isChanging = false }
      try await connection.subscribe(to: topics, after: position)
    } catch {
      if connection === self.connection { interrupt(.otherTopics) }
    }
  }

  private func interrupt(_ reason: Interruption) {
    interruption = reason
    reading?.cancel()
  }

  private func stop() {
    running?.cancel()
    reading?.cancel()
    (running, connection) = (nil, nil)
    position = nil
    connected = []
    state.update { $0 = .offline }
  }

  private func keepConnected() async {
    var wasLive = false
    while !Task.isCancelled {
      if state.value != .live { state.update { $0 = wasLive ? .recovering : .connecting } }
      var failure: APIError?
      interruption = nil
      do {
        try await connect()
        wasLive = true
        try await readConnection()
      } catch {
        failure = APIError(anyFailure: error)
      }
      guard !Task.isCancelled else { return }
      (reading, connection) = (nil, nil)
      switch interruption {
      case .otherTopics: continue
      case .silence: failure = APIError(.timeout, "no sign of life for \(Self.longestSilence.formatted)")
      case .positionGone:
        failure = nil
        reconnection.shouldBeImmediate(at: clock.now)
      case nil: break
      }
      if let failure, !failure.isPassing { await refuse(failure) }
      guard !Task.isCancelled else { return }
      reconnection.ended(failure)
      let wait = reconnection.wait(random: lister.service.client.random)
      state.update { $0 = wait == .zero ? .recovering : .offline }
      if wait > .zero { try? await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil) }
    }
  }

  private func connect() async throws {
    let topics = wanted
    if !topics.isSubset(of: connected), !connected.isEmpty { try await listRest() }
    guard let start = position else { throw CancellationError() }
    let opened = try await connector.connect(to: topics.sorted { $0.rawValue < $1.rawValue }, after: start)
    try Task.checkCancellation()
    connection = opened
    connected = topics
    isChanging = false
    lastSign = clock.now
    state.update { $0 = .live }
    progress.update { $0 += 1 }
    for inbox in inboxes.values where inbox.topics.isSubset(of: topics) { inbox.goLive(at: start) }
    // Subscriptions can come while it connects.
    if !wanted.isSubset(of: topics) { interruption = .otherTopics }
  }

  /// Delivers what has happened to the topics of the last connection, so that the next begins now: its other topics bring
  /// no history then.
  private func listRest() async throws {
    while let start = position {
      let page = try await lister.page(connected, after: start)
      // An open connection has gone on.
      guard position == start else { return }
      if !page.isComplete {
        // It may still bring what was before the gap.
        if connection != nil { return abandon(connection, for: page.nextAfter) }
        receive(.reset(nil, position: page.nextAfter))
      }
      for event in page.events { receive(.event(event)) }
      position = page.nextAfter
      if !page.hasMore { return }
    }
  }

  private func readConnection() async throws {
    guard let connection, interruption == nil else { return }
    let reading = Task { try await connection.read { message in await self.take(message) } }
    self.reading = reading
    let watching = Task { await watch(connection) }
    defer { watching.cancel() }
    try await withTaskCancellationHandler {
      try await reading.value
    } onCancel: {
      reading.cancel()
    }
  }

  /// Ends a connection that is silent for too long.
  private func watch(_ connection: any EventConnection) async {
    while !Task.isCancelled {
      let (half, end) = (lastSign.advanced(by: Self.longestSilence / 2), lastSign.advanced(by: Self.longestSilence))
      let now = clock.now
      if now >= end { return interrupt(.silence) }
      if now >= half { try? await connection.ping() }
      try? await clock.sleep(until: now >= half ? end : half, tolerance: nil)
    }
  }

  private func take(_ message: EventMessage) async {
    if case .event(let event) = message { await lister.service.note([event]) }
    // An interrupted connection is resumed where it was.
    if !Task.isCancelled { receive(message) }
  }

  private func receive(_ message: EventMessage) {
    lastSign = clock.now
    switch message {
    case .event(let event):
      reconnection.works()
      // Without an id, an event cannot be recognized again.
      guard event.id.isEmpty || seen.insert(event.id) else { return }
      if !event.id.isEmpty { position = event.id }
      let routing = EventRouting(connected: connected, user: user)
      for inbox in inboxes.values { inbox.offer(event, routing.match(event, inbox.topics)) }
    case .reset(let topics, let position):
      let position = position.isEmpty ? self.position ?? "" : position
      self.position = position
      for inbox in inboxes.values where topics.map({ !inbox.topics.isDisjoint(with: $0) }) ?? true {
        inbox.fallBehind()
      }
    case .unreadable(let id):
      guard id.isEmpty || seen.insert(id) else { return }
      if !id.isEmpty { position = id }
      for inbox in inboxes.values { inbox.resync(at: position ?? "") }
    case .subscribed(let topics, _):
      // The position is that of the new topics: of the others, some events before it can still come.
      connected.formUnion(topics)
      isChanging = false
      progress.update { $0 += 1 }
      connectIfNeeded()
    case .position(let position): self.position = position
    case .retry(let wait): reconnection.requested = wait
    case .alive: reconnection.works()
    case .refused(let error): if !error.isPassing { interrupt(.otherTopics) }
    case .end(let reason): if reason == .tokenExpired { reconnection.shouldBeImmediate(at: clock.now) }
    }
  }

  /// Ends the subscriptions whose topics the gateway refuses; all, if it refuses none of them alone.
  private func refuse(_ error: APIError) async {
    var refused: [(EventInbox, APIError)] = []
    for inbox in Array(inboxes.values) {
      do { _ = try await lister.now(inbox.topics) } catch {
        let error = APIError(anyFailure: error)
        if !error.isPassing { refused.append((inbox, error)) }
      }
    }
    guard !Task.isCancelled else { return }
    if refused.isEmpty { refused = inboxes.values.map { ($0, error) } }
    for (inbox, error) in refused {
      inbox.finish(.failure(error))
      remove(inbox)
    }
    progress.update { $0 += 1 }
  }
}

import NovaCore

/// The connection that the subscriptions of one caller share: made with the first, ended with the last, and reopened when
/// it is lost or needs other topics.
actor SharedEventConnection {
  /// How many ids are remembered, to recognize events that the gateway repeats: twice as many as each inbox remembers. A
  /// busy client has a connection for each of its users, and each of them remembers.
  private static let rememberedIDs = 2_048
  private static let longestSilence = StreamControl.longestSilence

  /// How long a subscription waits for a connection that is far behind it.
  private static let pause = Duration.seconds(1)

  private enum Interruption {
    case otherTopics, positionGone, silence
    /// Its caller is no longer the one who is signed in.
    case callerChanged(APIError)
  }

  /// Whose connection it is, to its end.
  nonisolated let key: EventConnectionKey
  /// Whether events arrive.
  nonisolated let state: EventConnectionState

  /// Changes whenever an inbox may continue.
  private let progress = LatestValue(0)

  private let lister: EventLister
  private let connector: any EventConnector
  private let clock: any CallClock
  private var inboxes: [ObjectIdentifier: EventInbox] = [:]
  private var running: Task<Void, Never>?
  private var reading: Task<Void, any Error>?
  private var connection: (any EventConnection)?
  private var interruption: Interruption?
  /// Changes the topics of the open connection, until the gateway has confirmed it.
  private var changing: Task<Void, Never>?
  /// Whether events of topics can come that were removed a moment ago.
  private var mayBringOthers = false
  /// When to try again to change them.
  private var changes: Repetition
  /// The topics of the connection, or of the last one.
  private var connected: Set<EventTopic> = []
  /// Where the connection is: all that has happened before was delivered. Nil before there was one.
  private var position: String?
  private var seen = RecentSet<Int>(capacity: SharedEventConnection.rememberedIDs)
  private var reconnection: Reconnection
  private var lastSign: ContinuousClock.Instant
  /// Whether the connection has brought anything, and be it a heartbeat.
  private var isHeard = true
  /// Whether the gateway was asked for a stream, and has not answered.
  private var isOpening = false
  /// Whether it was reported that streams are silent from their beginning on, and nothing was heard since then.
  private var isSilenceReported = false
  /// How often nothing was heard for too long.
  private var silences = 0
  /// How it has ended for good, if it has.
  private var ending: Result<Void, any Error>?
  private var isLive = false

  init(
    key: EventConnectionKey, lister: EventLister, connector: any EventConnector, state: EventConnectionState,
    clock: any CallClock
  ) {
    self.key = key
    self.lister = lister
    self.connector = connector
    self.state = state
    self.clock = clock
    lastSign = clock.now
    let longestWait = lister.service.client.configuration.maximumRetryWait
    reconnection = Reconnection(longestWait: longestWait)
    changes = Repetition(.reconnecting(longestWait: longestWait))
  }

  // MARK: Subscriptions

  /// Adds an inbox that begins now, or behind a position. It then gets all that happens.
  ///
  /// - Returns: the position at which it begins.
  /// - Throws: ``APIError``, if the gateway cannot be reached, or refuses the topics.
  func add(_ inbox: EventInbox, after start: String?) async throws -> String {
    let beginning: String
    if start == nil, continues(inbox), let position {
      beginning = position
      inbox.beginLive(at: position)
    } else {
      // Tells whether the topics are allowed, too: the connection is shared with others.
      let now = try await now(inbox.topics)
      beginning = start ?? now
      inbox.begin(at: beginning)
      if position == nil { position = now }
    }
    if let ending {
      try ending.get()
      throw APIError.disconnected
    }
    guard !inbox.isEnded else { return beginning }
    inboxes[ObjectIdentifier(inbox)] = inbox
    connectIfNeeded()
    return beginning
  }

  /// The position now.
  ///
  /// - Throws: ``APIError``, also when the topics are not allowed.
  func now(_ topics: Set<EventTopic>) async throws -> String { try await lister.now(topics) }

  func remove(_ inbox: EventInbox) {
    inboxes[ObjectIdentifier(inbox)] = nil
    progress.update { $0 += 1 }
    if inboxes.isEmpty { stop() } else { connectIfNeeded() }
  }

  /// Ends all subscriptions, for good.
  ///
  /// - Returns: what ends when the connection is closed; nil if there is none.
  func end(_ ending: Result<Void, any Error>) -> Task<Void, Never>? {
    self.ending = ending
    for inbox in inboxes.values { inbox.finish(ending) }
    inboxes = [:]
    let running = running
    stop()
    progress.finish()
    return running
  }

  /// Lists what an inbox has missed, and lets it continue with the connection if that is live.
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
    guard inbox.beginJoining() else { return }
    do {
      // In this order: what comes over the connection from now on is on one of these pages, or new.
      let coming = position.hasSameBytes(as: start) ? nil : try await lister.page(inbox.topics, after: position)
      let page = try await lister.page(inbox.topics, after: start)
      let pages = [coming, page].compactMap(\.self)
      // Behind a gap, the connection may still bring what was before it.
      if pages.contains(where: { $0.hasMore || !$0.isComplete }) { inbox.fallBehind() }
      if !pages[0].isComplete { abandon(connection, position, for: page.nextAfter) }
      inbox.join(page, coming: coming?.events ?? [])
      // The connection is far behind: asking again at once would bring the same.
      guard coming?.hasMore == true, page.events.isEmpty else { return }
    } catch {
      inbox.fallBehind()
      throw error
    }
    try await clock.sleep(until: clock.now.advanced(by: Self.pause), tolerance: nil)
  }

  /// The maximum number of pages that are listed after a failure: a gateway may always have more.
  private static let longestRest = 40

  /// Lists what had happened before a failure has ended an inbox that had fallen behind. What cannot be listed is left to
  /// the next subscription.
  func listRest(of inbox: EventInbox) async {
    for _ in 0..<Self.longestRest {
      // Nothing is requested for a user who has signed out.
      guard let start = inbox.position, await lister.callerChange == nil,
        let page = try? await lister.page(inbox.topics, after: start)
      else { return inbox.endRest(false) }
      inbox.add(page, after: start)
      if !page.hasMore { return inbox.endRest(true) }
    }
    inbox.endRest(false)
  }

  /// Starts over at a position, because that of the connection is gone, unless the connection has moved on since.
  private func abandon(_ old: (any EventConnection)?, _ oldPosition: String, for position: String) {
    guard old === connection, self.position.hasSameBytes(as: oldPosition), interruption == nil else { return }
    receive(.reset(nil, position: position))
    interrupt(.positionGone)
  }

  private func waitUntilConnected(_ inbox: EventInbox) async {
    let silences = silences
    for await _ in progress.stream() {
      if inbox.isEnded || continues(inbox) || silences != self.silences { return }
    }
  }

  /// Whether the connection brings what happens to the inbox's topics.
  private func continues(_ inbox: EventInbox) -> Bool {
    connection != nil && !isPositionGone && inbox.topics.isSubset(of: connected)
  }

  private var isPositionGone: Bool { if case .positionGone = interruption { true } else { false } }

  // MARK: The connection

  private var wanted: Set<EventTopic> { inboxes.values.reduce(into: []) { $0.formUnion($1.topics) } }

  private func connectIfNeeded() {
    if running == nil {
      running = Task { await keepConnected() }
    } else if let connection, connection.changesTopics {
      if changing == nil, wanted != connected { change(connection) }
    } else if reading != nil, !wanted.isSubset(of: connected) {
      interrupt(.otherTopics)
    }
  }

  /// Changes the topics of an open connection. Without a confirmation, another connection takes its place.
  private func change(_ connection: any EventConnection, after wait: Duration = .zero) {
    changing?.cancel()
    changing = Task {
      do {
        if wait > .zero { try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil) }
        guard try await changeTopics(of: connection) else { return }
        try await clock.sleep(until: clock.now.advanced(by: Self.longestSilence), tolerance: nil)
      } catch {}
      if !Task.isCancelled, connection === self.connection { interrupt(.otherTopics) }
    }
  }

  /// - Returns: whether the gateway is to confirm it.
  private func changeTopics(of connection: any EventConnection) async throws -> Bool {
    let unwanted = connected.subtracting(wanted)
    if !unwanted.isEmpty {
      connected.subtract(unwanted)
      mayBringOthers = true
      try await connection.unsubscribe(from: unwanted.sorted())
    }
    // What it lists and what the connection delivers meanwhile come in one order, because each comes once.
    if !wanted.isSubset(of: connected) { try await listRest() }
    try Task.checkCancellation()
    let topics = wanted.subtracting(connected)
    guard let position, interruption == nil, !topics.isEmpty else {
      changing = nil
      if connection === self.connection, interruption == nil { connectIfNeeded() }
      return false
    }
    try await connection.subscribe(to: topics.sorted(), after: position)
    return true
  }

  private func changed() {
    changing?.cancel()
    changing = nil
  }

  private func interrupt(_ reason: Interruption) {
    interruption = reason
    reading?.cancel()
  }

  private func stop() {
    running?.cancel()
    reading?.cancel()
    changed()
    (running, connection) = (nil, nil)
    state.note(nil, of: self)
    position = nil
    connected = []
    report(.offline)
  }

  private func report(_ new: LiveState) {
    isLive = new == .live
    state.set(new)
  }

  private func keepConnected() async {
    // `isGateway`: whether a connection has shown that something here sends events.
    var (wasLive, isGateway) = (false, false)
    while !Task.isCancelled {
      if !isLive { report(wasLive ? .recovering : .connecting) }
      var failure: APIError?
      (interruption, isHeard, isOpening) = (nil, true, false)
      do {
        try await connect()
        wasLive = true
        try await readConnection()
        isGateway = true
      } catch {
        let error = Self.failure(error)
        isGateway = isGateway || wasLive && !error.isOfAnotherServer
        failure = error
      }
      guard !Task.isCancelled else { return }
      let isQuiet = connection.map { !$0.sendsHeartbeats || isSilenceReported && !isHeard } ?? false
      (reading, connection) = (nil, nil)
      switch interruption {
      case .otherTopics: continue
      case .silence:
        guard !isQuiet else {
          listMissed()
          continue
        }
        failure = silence(nil)
      case .positionGone:
        failure = nil
        reconnection.shouldBeImmediate(at: clock.now)
      case .callerChanged(let error): failure = error
      case nil:
        // A proxy that buffers holds even the head of the response back.
        guard let error = failure, error.isSilence else { break }
        guard !isQuiet else {
          listMissed()
          continue
        }
        if isOpening || !isHeard { failure = silence(error) }
      }
      if let failure, isGateway ? !failure.isPassingForGateway : !failure.isPassing { await refuse(failure) }
      guard !Task.isCancelled else { return }
      let wait = reconnection.ended(failure, at: clock.now, random: lister.service.client.random)
      report(wait > .zero ? .offline : wasLive ? .recovering : .connecting)
      guard wait > .zero else { continue }
      let pause = ReconnectionPause(after: failure, wait, at: clock.now)
      state.note(pause, of: self)
      try? await clock.sleep(until: pause.end, tolerance: nil)
      state.note(nil, of: self)
    }
  }

  /// Why a connection has ended, or could not be made.
  private static func failure(_ error: any Error) -> APIError {
    var failure = APIError(anyFailure: error)
    if failure.isOfAnotherServer, !failure.isFromAnotherServer {
      failure.message = "not a Nova gateway: \(failure.message)"
    }
    return failure
  }

  /// Lists what has happened: a buffer may hold it, or the connection may have been lost.
  private func listMissed() {
    silences += 1
    for inbox in inboxes.values { inbox.fallBehind() }
    progress.update { $0 += 1 }
  }

  /// The connection was silent for too long.
  ///
  /// - Parameter error: how that was noticed; nil if it was noticed here.
  private func silence(_ error: APIError?) -> APIError {
    listMissed()
    let time = Self.longestSilence.formatted
    if isHeard, !isOpening { return APIError(.timeout, "no sign of life for \(time)") }
    isSilenceReported = !isOpening
    let silence =
      isOpening
      ? "the gateway answers calls, but nothing arrived of a stream"
      : "nothing arrived for \(time) on a stream that the gateway accepted, not even a heartbeat"
    return APIError(
      .timeout,
      "\(silence): something between, such as a proxy, may be buffering it; turn that off there (nginx: proxy_buffering "
        + "off), or let the gateway send X-Accel-Buffering: no", rpc: error?.rpc)
  }

  private func connect() async throws {
    let topics = wanted
    if !topics.isSubset(of: connected), !connected.isEmpty { try await listRest() }
    if position == nil { position = try await now(topics) }
    guard let start = position else { throw CancellationError() }
    isOpening = true
    let opened = try await connector.connect(to: topics.sorted(), after: start)
    try Task.checkCancellation()
    isOpening = false
    connection = opened
    (connected, mayBringOthers) = (topics, false)
    changed()
    (lastSign, isHeard) = (clock.now, false)
    reconnection.connected(at: clock.now)
    state.note(nil, of: self)
    report(.live)
    progress.update { $0 += 1 }
    for inbox in inboxes.values where inbox.topics.isSubset(of: topics) { inbox.goLive(at: start) }
    // Subscriptions can come while it connects.
    if !wanted.isSubset(of: topics) { interruption = .otherTopics }
  }

  /// Delivers what has happened to the topics of the last connection, so that the next begins now: its other topics bring
  /// no history then.
  private func listRest() async throws {
    var positions: Set<String> = []
    // A position that comes again leads nowhere.
    while let start = position, positions.add(start.byteKey) {
      let topics = connected.intersection(wanted)
      guard !topics.isEmpty else {
        let now = try await now(wanted)
        if position.hasSameBytes(as: start) { position = now }
        return
      }
      let page = try await lister.page(topics, after: start)
      // An open connection has gone on.
      guard position.hasSameBytes(as: start) else { return }
      // A subscription to another of its topics has come.
      guard topics == connected.intersection(wanted) else {
        positions = []
        continue
      }
      if !page.isComplete {
        // It may still bring what was before the gap.
        if connection != nil { return abandon(connection, start, for: page.nextAfter) }
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

  /// Ends a connection that is silent for too long, or whose caller is no longer signed in.
  private func watch(_ connection: any EventConnection) async {
    while !Task.isCancelled {
      if let error = await lister.callerChange {
        if !Task.isCancelled { interrupt(.callerChanged(error)) }
        return
      }
      let (half, end) = (lastSign.advanced(by: Self.longestSilence / 2), lastSign.advanced(by: Self.longestSilence))
      let now = clock.now
      if now >= end { return interrupt(.silence) }
      if now >= half { try? await connection.ping() }
      try? await clock.sleep(until: now >= half ? end : half, tolerance: nil)
    }
  }

  private func take(_ message: EventMessage) async {
    if case .event(let event) = message { await lister.note([event]) }
    // An interrupted connection is resumed where it was.
    if !Task.isCancelled { receive(message) }
  }

  private func receive(_ message: EventMessage) {
    (lastSign, isHeard, isSilenceReported) = (clock.now, true, false)
    switch message {
    case .event(let event):
      guard seen.insert(id: event.id) else { return }
      reconnection.works()
      if !event.id.isEmpty { position = event.id }
      let routing = EventRouting(connected: connected, mayBringOthers: mayBringOthers, user: key.identity.user)
      for inbox in inboxes.values { inbox.offer(event, routing.match(event, inbox.topics)) }
    case .reset(let topics, let position):
      self.position = position.isEmpty ? self.position ?? "" : position
      // What comes next may have been delivered before: each inbox recognizes that.
      seen = RecentSet<Int>(capacity: Self.rememberedIDs)
      for inbox in inboxes.values where topics.map({ !inbox.topics.isDisjoint(with: $0) }) ?? true {
        inbox.fallBehind()
      }
    case .unreadable(let id):
      guard seen.insert(id: id) else { return }
      if !id.isEmpty { position = id }
      for inbox in inboxes.values { inbox.resync(at: position ?? "") }
    case .subscribed(let topics, let position):
      // Of topics that are not among them, some events before it can still come.
      if !position.isEmpty, connected.isSubset(of: topics) { self.position = position }
      guard !connected.isSuperset(of: topics) else {
        if connected == Set(topics) { mayBringOthers = false }
        return
      }
      connected.formUnion(topics)
      // The gateway takes one change after the other.
      mayBringOthers = false
      changed()
      if !wanted.isDisjoint(with: topics) { changes.works() }
      progress.update { $0 += 1 }
      connectIfNeeded()
    case .position(let position): self.position = position
    case .retry(let wait): reconnection.requested = wait
    case .alive: break
    case .refused(let error): refuseChange(error)
    case .tooLarge:
      for inbox in inboxes.values { inbox.fallBehind() }
      position = nil
      interrupt(.positionGone)
    case .end(let reason): if reason == .tokenExpired { reconnection.shouldBeImmediate(at: clock.now) }
    }
  }

  /// The gateway refuses a message on the open connection.
  private func refuseChange(_ error: APIError) {
    guard error.isPassing else { return interrupt(.otherTopics) }
    guard changing != nil, let connection else { return }
    let random = lister.service.client.random
    change(connection, after: changes.failed(requested: error.serverWait, at: clock.now, random: random))
  }

  /// Ends the subscriptions whose topics the gateway refuses; all, if it refuses none of them alone.
  private func refuse(_ error: APIError) async {
    var refused: [(EventInbox, APIError)] = []
    var isUndecided = false
    for inbox in Array(inboxes.values) {
      do { _ = try await now(inbox.topics) } catch {
        let error = APIError(anyFailure: error)
        if error.isPassing { isUndecided = true } else { refused.append((inbox, error)) }
      }
    }
    guard !Task.isCancelled else { return }
    if refused.isEmpty, !isUndecided { refused = inboxes.values.map { ($0, error) } }
    for (inbox, error) in refused {
      inbox.finish(.failure(error))
      remove(inbox)
    }
  }
}

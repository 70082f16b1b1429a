import NovaCore

/// The connection that the subscriptions of one caller share: opened for the first, closed with the last, and reopened
/// when it is lost or needs other topics.
///
/// How it works: `keepConnected` runs as long as there are inboxes. In a loop, it opens a connection to all their
/// topics after the last position, reads it until it ends, decides how long to wait, and begins again. Each message
/// changes ``ConnectionProgress``, which returns what to do; an event is offered to every inbox, and each inbox
/// recognizes events that it already has. An inbox that misses something falls behind; its reader then calls
/// ``catchUp(_:)``, which lists the missed events and rejoins the connection. `interrupt` ends a connection early, for
/// example because topics were added that it cannot take. While a connection is open, `watch` ends it if it is silent
/// for too long, or if its caller has signed out.
actor SharedEventConnection {
  /// How long a subscription waits if the connection lags.
  private static let pause = Duration.seconds(1)

  /// Why a connection is ended early.
  private enum Interruption {
    case otherTopics, positionGone, silence
    /// Its caller is no longer signed in.
    case callerChanged(APIError)
  }

  /// The caller of the connection, until it ends.
  nonisolated let key: EventConnectionKey
  /// Whether events arrive.
  nonisolated let state: EventConnectionState

  /// Changes whenever an inbox may be able to continue.
  private let wakeUps = LatestValue(0)

  private let lister: EventLister
  private let connector: any EventConnector
  private let clock: any CallClock
  private var inboxes: [ObjectIdentifier: EventInbox] = [:]
  private var progress: ConnectionProgress
  private var silence: ConnectionSilence
  private var reconnection: Reconnection
  /// The task that keeps the connection open.
  private var running: Task<Void, Never>?
  /// The task that reads the open connection.
  private var reading: Task<Void, any Error>?
  /// The task that changes the topics of the open connection, until the gateway has confirmed the change.
  private var changing: Task<Void, Never>?
  /// When to try that again after a refusal.
  private var changes: Repetition
  private var connection: (any EventConnection)?
  private var interruption: Interruption?
  private var isLive = false
  /// How often the missed events were left to be listed, because of a silence.
  private var silenceCount = 0
  /// How the connection has ended permanently; nil if it has not.
  private var ending: Result<Void, any Error>?

  init(
    key: EventConnectionKey, lister: EventLister, connector: any EventConnector, state: EventConnectionState,
    clock: any CallClock
  ) {
    self.key = key
    self.lister = lister
    self.connector = connector
    self.state = state
    self.clock = clock
    progress = ConnectionProgress(user: key.identity.user)
    silence = ConnectionSilence(at: clock.now)
    let longestWait = lister.service.client.configuration.maximumRetryWait
    reconnection = Reconnection(longestWait: longestWait)
    changes = Repetition(.reconnecting(longestWait: longestWait))
  }

  // MARK: Subscriptions

  /// Adds an inbox, which gets every event from now on, or after a position.
  ///
  /// - Returns: the position at which the inbox begins.
  /// - Throws: ``APIError``, if the gateway cannot be reached, or refuses the topics.
  func add(_ inbox: EventInbox, after start: String?) async throws -> String {
    let beginning: String
    if start == nil, continues(inbox), let position = progress.position {
      beginning = position
      inbox.beginLive(at: position)
    } else {
      // Also checks whether the gateway allows the topics, because a refusal would affect all inboxes of the
      // connection.
      let now = try await now(inbox.topics)
      beginning = start ?? now
      inbox.begin(at: beginning)
      if progress.position == nil { progress.move(to: now) }
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

  /// The current position.
  ///
  /// - Throws: ``APIError``, also if the topics are not allowed.
  func now(_ topics: Set<EventTopic>) async throws -> String { try await lister.now(topics) }

  func remove(_ inbox: EventInbox) {
    inboxes[ObjectIdentifier(inbox)] = nil
    wakeUp()
    if inboxes.isEmpty { stop() } else { connectIfNeeded() }
  }

  /// Ends all subscriptions permanently.
  ///
  /// - Returns: a task that ends when the connection is closed; nil without a connection.
  func end(_ ending: Result<Void, any Error>) -> Task<Void, Never>? {
    self.ending = ending
    for inbox in inboxes.values { inbox.finish(ending) }
    inboxes = [:]
    let running = running
    stop()
    wakeUps.finish()
    return running
  }

  /// Lists the events that an inbox has missed, and has the inbox continue with the connection if that is open.
  ///
  /// - Throws: ``APIError``; `CancellationError`.
  func catchUp(_ inbox: EventInbox) async throws {
    guard let start = inbox.position else { return }
    guard continues(inbox), let position = progress.position else {
      let page = try await lister.page(inbox.topics, after: start)
      inbox.add(page, after: start)
      if page.events.isEmpty, page.isComplete { await waitUntilConnected(inbox) }
      return
    }
    let connection = connection
    guard inbox.beginJoining() else { return }
    do {
      // The order matters: every event that the connection delivers from now on is on one of these pages, or new.
      let coming = position.hasSameBytes(as: start) ? nil : try await lister.page(inbox.topics, after: position)
      let page = try await lister.page(inbox.topics, after: start)
      let pages = [coming, page].compactMap(\.self)
      // After a gap, the connection may still deliver events from before the gap.
      if pages.contains(where: { $0.hasMore || !$0.isComplete }) { inbox.fallBehind() }
      if !pages[0].isComplete { abandon(connection, at: position, for: page.nextAfter) }
      inbox.join(page, coming: coming?.events ?? [])
      // If the connection lags, asking again at once would return the same.
      guard coming?.hasMore == true, page.events.isEmpty else { return }
    } catch {
      inbox.fallBehind()
      throw error
    }
    try await clock.sleep(until: clock.now.advanced(by: Self.pause), tolerance: nil)
  }

  /// The maximum number of pages listed after a failure, because a gateway may always have more.
  private static let longestRest = 40

  /// Lists the events that happened before a failure ended an inbox that was behind. If they cannot be listed, the next
  /// subscription gets them.
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

  /// Starts over at a position because the gateway no longer has the old one, unless the connection has moved since.
  private func abandon(_ old: (any EventConnection)?, at oldPosition: String, for position: String) {
    guard old === connection, isAt(oldPosition), interruption == nil else { return }
    receive(.reset(nil, position: position))
    interrupt(.positionGone)
  }

  private func isAt(_ position: String) -> Bool { progress.position.hasSameBytes(as: position) }

  private func waitUntilConnected(_ inbox: EventInbox) async {
    let silenceCount = silenceCount
    for await _ in wakeUps.stream() {
      if inbox.isEnded || continues(inbox) || silenceCount != self.silenceCount { return }
    }
  }

  private func wakeUp() { wakeUps.update { $0 += 1 } }

  /// Whether the connection delivers the events of the inbox's topics.
  private func continues(_ inbox: EventInbox) -> Bool {
    connection != nil && !isPositionGone && inbox.topics.isSubset(of: progress.topics)
  }

  private var isPositionGone: Bool { if case .positionGone = interruption { true } else { false } }

  // MARK: Topics

  private var wanted: Set<EventTopic> { inboxes.values.reduce(into: []) { $0.formUnion($1.topics) } }

  private func connectIfNeeded() {
    if running == nil {
      running = Task { await keepConnected() }
    } else if let connection, connection.changesTopics {
      if changing == nil, wanted != progress.topics { change(connection) }
    } else if reading != nil, !wanted.isSubset(of: progress.topics) {
      interrupt(.otherTopics)
    }
  }

  /// Changes the topics of an open connection. If the gateway does not confirm that, another connection is opened.
  private func change(_ connection: any EventConnection, after wait: Duration = .zero) {
    changing?.cancel()
    changing = Task {
      do {
        if wait > .zero { try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil) }
        guard try await changeTopics(of: connection) else { return }
        try await clock.sleep(until: clock.now.advanced(by: ConnectionSilence.longest), tolerance: nil)
      } catch {}
      if !Task.isCancelled, connection === self.connection { interrupt(.otherTopics) }
    }
  }

  /// - Returns: whether the gateway must confirm the change.
  private func changeTopics(of connection: any EventConnection) async throws -> Bool {
    let unwanted = progress.topics.subtracting(wanted)
    if !unwanted.isEmpty {
      progress.remove(unwanted)
      try await connection.unsubscribe(from: unwanted.sorted())
    }
    // Listed events, and those that the connection delivers at the same time, stay in order, because each counts once.
    if !wanted.isSubset(of: progress.topics) { try await listRest() }
    try Task.checkCancellation()
    let topics = wanted.subtracting(progress.topics)
    guard let position = progress.position, interruption == nil, !topics.isEmpty else {
      changing = nil
      if connection === self.connection, interruption == nil { connectIfNeeded() }
      return false
    }
    try await connection.subscribe(to: topics.sorted(), after: position)
    return true
  }

  private func endChange() {
    changing?.cancel()
    changing = nil
  }

  // MARK: The connection

  private func interrupt(_ reason: Interruption) {
    interruption = reason
    reading?.cancel()
  }

  private func stop() {
    running?.cancel()
    reading?.cancel()
    endChange()
    (running, connection) = (nil, nil)
    state.note(nil, of: self)
    progress.stop()
    report(.offline)
  }

  private func report(_ new: LiveState) {
    isLive = new == .live
    state.set(new)
  }

  private func keepConnected() async {
    // `isGateway`: whether a connection has proven that this server sends events.
    var (wasLive, isGateway) = (false, false)
    while !Task.isCancelled {
      if !isLive { report(wasLive ? .recovering : .connecting) }
      var failure: APIError?
      interruption = nil
      silence.beginAttempt()
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
      let isSilenceExpected = connection.map { silence.isExpected(of: $0) } ?? false
      (reading, connection) = (nil, nil)
      switch interruption {
      case .otherTopics: continue
      case .silence:
        listMissed()
        if isSilenceExpected { continue }
        failure = silence.report(nil)
      case .positionGone:
        failure = nil
        reconnection.shouldBeImmediate(at: clock.now)
      case .callerChanged(let error): failure = error
      case nil:
        // A proxy that buffers the stream holds back even the head of the response.
        guard let error = failure, error.isSilence else { break }
        if isSilenceExpected {
          listMissed()
          continue
        }
        if silence.isFromBeginning {
          listMissed()
          failure = silence.report(error)
        }
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

  /// Why a connection has ended, or could not be opened.
  private static func failure(_ error: any Error) -> APIError {
    var failure = APIError(anyFailure: error)
    if failure.isOfAnotherServer, !failure.isFromAnotherServer {
      failure.text = failure.text.asReason(of: "not a Nova gateway")
    }
    return failure
  }

  /// Has every inbox list what has happened: a buffer may hold it, or the connection may have been lost.
  private func listMissed() {
    silenceCount += 1
    for inbox in inboxes.values { inbox.fallBehind() }
    wakeUp()
  }

  private func connect() async throws {
    let topics = wanted
    if !topics.isSubset(of: progress.topics), !progress.topics.isEmpty { try await listRest() }
    if progress.position == nil { progress.move(to: try await now(topics)) }
    guard let start = progress.position else { throw CancellationError() }
    silence.beginOpening()
    let opened = try await connector.connect(to: topics.sorted(), after: start)
    try Task.checkCancellation()
    connection = opened
    progress.connected(to: topics)
    endChange()
    silence.opened(at: clock.now)
    reconnection.connected(at: clock.now)
    state.note(nil, of: self)
    report(.live)
    wakeUp()
    for inbox in inboxes.values where inbox.topics.isSubset(of: topics) { inbox.goLive(at: start) }
    // Inboxes may have been added while it connected.
    if !wanted.isSubset(of: topics) { interruption = .otherTopics }
  }

  /// Delivers what has happened to the topics of the last connection, so that the next one can begin now. Otherwise, it
  /// would deliver the history of its new topics.
  private func listRest() async throws {
    var positions: Set<String> = []
    // Stops at a repeated position, because the gateway would list the same page forever.
    while let start = progress.position, positions.add(start.byteKey) {
      let topics = progress.topics.intersection(wanted)
      guard !topics.isEmpty else {
        let now = try await now(wanted)
        if isAt(start) { progress.move(to: now) }
        return
      }
      let page = try await lister.page(topics, after: start)
      // An open connection may have moved in the meantime.
      guard isAt(start) else { return }
      // Another inbox may have come, with another topic of the connection.
      guard topics == progress.topics.intersection(wanted) else {
        positions = []
        continue
      }
      if !page.isComplete {
        // An open connection may still deliver events from before the gap.
        if connection != nil { return abandon(connection, at: start, for: page.nextAfter) }
        receive(.reset(nil, position: page.nextAfter))
      }
      for event in page.events { receive(.event(event)) }
      progress.move(to: page.nextAfter)
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
      let half = silence.lastSign.advanced(by: ConnectionSilence.longest / 2)
      let end = silence.lastSign.advanced(by: ConnectionSilence.longest)
      let now = clock.now
      if now >= end { return interrupt(.silence) }
      if now >= half { try? await connection.ping() }
      try? await clock.sleep(until: now >= half ? end : half, tolerance: nil)
    }
  }

  private func take(_ message: EventMessage) async {
    if case .event(let event) = message { await lister.note([event]) }
    // After an interruption, the next connection resumes at the current position.
    if !Task.isCancelled { receive(message) }
  }

  private func receive(_ message: EventMessage) {
    silence.heard(at: clock.now)
    switch progress.receive(message) {
    case .deliver(let event, let routing):
      reconnection.works()
      for inbox in inboxes.values { inbox.offer(event, routing.match(event, inbox.topics)) }
    case .resync(let position): for inbox in inboxes.values { inbox.resync(at: position) }
    case .fallBehind(let topics):
      for inbox in inboxes.values where topics.map({ !inbox.topics.isDisjoint(with: $0) }) ?? true {
        inbox.fallBehind()
      }
    case .startOver:
      for inbox in inboxes.values { inbox.fallBehind() }
      interrupt(.positionGone)
    case .added(let topics):
      endChange()
      if !wanted.isDisjoint(with: topics) { changes.works() }
      wakeUp()
      connectIfNeeded()
    case .changeRefused(let error): retryChange(after: error)
    case .wait(let wait): reconnection.requested = wait
    case .reconnectAtOnce: reconnection.shouldBeImmediate(at: clock.now)
    case nil: break
    }
  }

  /// Tries to change the topics again after a refusal on the open connection, or reconnects if that cannot help.
  private func retryChange(after error: APIError) {
    guard error.isPassing else { return interrupt(.otherTopics) }
    guard changing != nil, let connection else { return }
    let random = lister.service.client.random
    change(connection, after: changes.failed(requested: error.serverWait, at: clock.now, random: random))
  }

  /// Ends the subscriptions whose topics the gateway refuses. If it accepts the topics of each one alone, ends all.
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

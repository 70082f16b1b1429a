package import NovaCore

/// The connections of a client's subscriptions. Subscriptions of one caller share a connection, which has as many
/// topics as a request may have, so a caller rarely needs a second one.
///
/// Connections keep the client alive, and the client keeps the hub. To break that cycle, the hub keeps connections only
/// while they have subscriptions.
actor EventHub: ClientPart {
  private struct Line {
    let connection: SharedEventConnection
    let state: EventConnectionState
    var members: [ObjectIdentifier: Member] = [:]

    func hasRoom(for topics: Set<EventTopic>) -> Bool {
      members.values.reduce(into: topics) { $0.formUnion($1.inbox.topics) }.count <= EventTopic.maximumCount
    }
  }

  private struct Member {
    let inbox: EventInbox
    let bookmark: EventBookmark?
  }

  /// Whether events arrive.
  nonisolated let states = EventStates()

  /// Opens connections: over server-sent events, unless another way is chosen.
  fileprivate nonisolated let makeConnector = Locked<@Sendable (EventService) -> any EventConnector>({
    ServerSentEventConnector(client: $0.client, options: $0.options)
  })

  private let clock: any CallClock
  private var lines: [EventConnectionKey: [Line]] = [:]
  private var sessions = SessionWatch()
  private var isEnded = false

  init(clock: any CallClock) { self.clock = clock }

  /// Adds an inbox to a connection of its caller that has room for its topics. Pair each call with ``leave(_:_:)``.
  func join(
    _ inbox: EventInbox, _ bookmark: EventBookmark?, service: EventService, key: EventConnectionKey
  ) throws(APIError) -> SharedEventConnection {
    guard !isEnded else { throw APIError.disconnected }
    let index = lines[key]?.firstIndex { $0.hasRoom(for: inbox.topics) } ?? addLine(service, key)
    lines[key, default: []][index].members[ObjectIdentifier(inbox)] = Member(inbox: inbox, bookmark: bookmark)
    return lines[key, default: []][index].connection
  }

  func leave(_ connection: SharedEventConnection, _ inbox: EventInbox) {
    let key = connection.key
    guard let index = lines[key]?.firstIndex(where: { $0.connection === connection }) else { return }
    lines[key]?[index].members[ObjectIdentifier(inbox)] = nil
    guard let line = lines[key]?[index], line.members.isEmpty else { return }
    line.state.end()
    lines[key]?.remove(at: index)
    if lines[key]?.isEmpty == true { lines[key] = nil }
  }

  func end() async {
    isEnded = true
    await endLines(.success(()), waiting: true) { _ in true }
    states.finish()
  }

  /// Ends the subscriptions of one caller.
  ///
  /// - Parameter identity: the caller, needed if several callers have the same source.
  func disconnect(_ source: CallerSource, _ identity: Identity?) async {
    var isUndecided = false
    if case .providerValue = source { isUndecided = true }
    await endLines(.success(()), waiting: true) { key in
      key.source == source && (!isUndecided || key.identity == identity)
    }
  }

  /// Ends the subscriptions of a user whose session has ended, so that they don't stay connected with its last token.
  func signedOut(_ user: String, from source: CallerSource) async {
    await endLines(.failure(APIError.callerChanged(isSignedOut: true)), waiting: false) { key in
      key.source == source && key.identity.user == user
    }
  }

  /// - Parameter waiting: whether to wait until the connections are closed. False when a session ends, because a
  ///   connection may be waiting for that session's token.
  private func endLines(
    _ ending: Result<Void, any Error>, waiting: Bool, where isMeant: (EventConnectionKey) -> Bool
  ) async {
    let ended = lines.filter { isMeant($0.key) }
    for key in ended.keys { lines[key] = nil }
    let all = ended.values.joined()
    let members = all.flatMap(\.members.values)
    for member in members { member.inbox.finish(ending) }
    for line in all {
      let running = await line.connection.end(ending)
      if waiting { await running?.value }
      line.state.end()
    }
    for member in members { try? await member.bookmark?.flush() }
  }

  /// - Returns: the index of the new line among those of the key.
  private func addLine(_ service: EventService, _ key: EventConnectionKey) -> Int {
    sessions.watch(service, source: key.source, connections: lines.count) { [weak self] user in
      await self?.signedOut(user, from: key.source)
    }
    let service = service.continued(as: key.identity)
    let state = EventConnectionState(states, of: key.source)
    let connection = SharedEventConnection(
      key: key, lister: EventLister(service: service, identity: key.identity),
      connector: makeConnector.withLock { $0 }(service),
      state: state, clock: clock)
    let index = lines[key]?.count ?? 0
    lines[key, default: []].append(Line(connection: connection, state: state))
    return index
  }
}

extension APIClient {
  /// The connections of the client's subscriptions.
  var eventHub: EventHub { part(EventHub.self) { EventHub(clock: clock) } }

  /// Chooses how the client's subscriptions open connections from now on.
  package func openEventConnections(with make: @escaping @Sendable (EventService) -> any EventConnector) {
    eventHub.makeConnector.withLock { $0 = make }
  }
}

/// The sessions that report when they end.
private struct SessionWatch {
  private struct Reference {
    weak var object: AnyObject?
  }

  /// Whether the client's own session does.
  private var isWatchingClient = false
  private var providers: [ObjectIdentifier: Reference] = [:]

  /// Calls `signedOut` after each sign-out from the session that a service's tokens come from. Registers once with each
  /// provider, however many connections it has, because providers keep every handler.
  mutating func watch(
    _ service: EventService, source: CallerSource, connections: Int,
    _ signedOut: @escaping @Sendable (_ user: String) async -> Void
  ) {
    switch source {
    case .caller: return
    case .client:
      if isWatchingClient { return }
      isWatchingClient = true
    case .provider(let id):
      // Another object may have the ID of a released one.
      if providers[id]?.object != nil { return }
      if providers.count > 64 + 2 * connections { providers = providers.filter { $0.value.object != nil } }
      providers[id] = Reference(object: service.options.tokens as AnyObject?)
    case .providerValue: break
    }
    service.client.onSignOut(with: service.options, signedOut)
  }
}

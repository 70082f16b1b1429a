import NovaCore

/// What the subscriptions of a client share. One connection carries as many topics as a request may have, so there is
/// rarely a second.
///
/// Connections hold the client; the hub, which belongs to the client, holds them only while there are subscriptions.
actor EventHub: ClientPart {
  private struct Line {
    let connection: SharedEventConnection
    var members: [ObjectIdentifier: Member] = [:]
    /// Nil before its first connection is attempted.
    var state: LiveState?

    func hasRoom(for topics: Set<EventTopic>) -> Bool {
      members.values.reduce(into: topics) { $0.formUnion($1.inbox.topics) }.count <= EventTopic.maximumCount
    }
  }

  private struct Member {
    let inbox: EventInbox
    let bookmark: EventBookmark?
  }

  /// Whether events arrive; of several connections, the one that is worst off counts.
  nonisolated let state = LatestValue(LiveState.offline)

  private let clock: any CallClock
  private let makeConnector: @Sendable (EventService) -> any EventConnector
  private var lines: [ObjectIdentifier: Line] = [:]
  private var isEnded = false

  init(clock: any CallClock, makeConnector: @escaping @Sendable (EventService) -> any EventConnector) {
    self.clock = clock
    self.makeConnector = makeConnector
  }

  /// Takes a place for an inbox on a connection that has room for its topics. Give it back with ``leave(_:_:)``.
  func join(
    _ inbox: EventInbox, _ bookmark: EventBookmark?, service: EventService
  ) throws(APIError) -> SharedEventConnection {
    guard !isEnded else { throw APIError.disconnected }
    let connection = lines.values.first { $0.hasRoom(for: inbox.topics) }?.connection ?? addLine(service)
    lines[ObjectIdentifier(connection)]?.members[ObjectIdentifier(inbox)] = Member(inbox: inbox, bookmark: bookmark)
    return connection
  }

  func leave(_ connection: SharedEventConnection, _ inbox: EventInbox) {
    let id = ObjectIdentifier(connection)
    lines[id]?.members[ObjectIdentifier(inbox)] = nil
    if lines[id]?.members.isEmpty == true { lines[id] = nil }
    publish()
  }

  func end() async {
    isEnded = true
    let all = lines.values
    lines = [:]
    let members = all.flatMap(\.members.values)
    for member in members { member.inbox.finish(.success(())) }
    for line in all { await line.connection.end() }
    for member in members { try? await member.bookmark?.flush() }
    publish()
    state.finish()
  }

  private func addLine(_ service: EventService) -> SharedEventConnection {
    // The connection may outlive what it was first made for.
    var service = service
    service.options.deadline = nil
    let connection = SharedEventConnection(
      lister: EventLister(service: service), connector: makeConnector(service), clock: clock)
    let id = ObjectIdentifier(connection)
    lines[id] = Line(connection: connection)
    let changes = connection.state.stream()
    Task { [weak self] in
      for await state in changes { await self?.note(state, of: id) }
    }
    return connection
  }

  private func note(_ state: LiveState, of id: ObjectIdentifier) {
    if state == .offline, lines[id]?.state == nil { return }
    lines[id]?.state = state
    publish()
  }

  private func publish() {
    let states = lines.values.compactMap(\.state)
    let worst = [LiveState.offline, .recovering, .connecting].first { states.contains($0) }
    state.update { $0 = worst ?? (states.isEmpty ? .offline : .live) }
  }
}

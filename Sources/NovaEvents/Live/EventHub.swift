import NovaCore

/// What the subscriptions of a client share. One connection carries up to 100 topics, so there is rarely a second.
///
/// Connections hold the client; the hub, which belongs to the client, holds them only while there are subscriptions.
actor EventHub: ClientPart {
  private struct Line {
    let connection: SharedEventConnection
    var users = 0
    var state = LiveState.offline
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

  /// A connection with room for the topics. Give it back with ``leave(_:)``.
  func join(_ topics: Set<EventTopic>, service: EventService) async throws(APIError) -> SharedEventConnection {
    for (id, line) in lines where await line.connection.hasRoom(for: topics) {
      // It may have gone meanwhile.
      guard lines[id] != nil else { continue }
      lines[id]?.users += 1
      return line.connection
    }
    guard !isEnded else { throw APIError.disconnected }
    let connection = SharedEventConnection(
      lister: EventLister(service: service), connector: makeConnector(service), clock: clock)
    let id = ObjectIdentifier(connection)
    lines[id] = Line(connection: connection, users: 1)
    let changes = connection.state.stream()
    Task { [weak self] in
      for await state in changes { await self?.note(state, of: id) }
    }
    return connection
  }

  func leave(_ connection: SharedEventConnection) {
    let id = ObjectIdentifier(connection)
    lines[id]?.users -= 1
    if lines[id]?.users == 0 { lines[id] = nil }
    publish()
  }

  func end() async {
    isEnded = true
    let all = lines.values.map(\.connection)
    lines = [:]
    for connection in all { await connection.end() }
    publish()
    state.finish()
  }

  private func note(_ state: LiveState, of id: ObjectIdentifier) {
    lines[id]?.state = state
    publish()
  }

  private func publish() {
    let worst = [LiveState.offline, .recovering, .connecting].first { state in
      lines.values.contains { $0.state == state }
    }
    state.update { $0 = worst ?? (lines.isEmpty ? .offline : .live) }
  }
}

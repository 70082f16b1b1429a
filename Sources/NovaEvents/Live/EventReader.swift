import NovaCore

/// One subscription: begins it, takes what waits in its inbox, and asks the gateway for the rest.
final class EventReader: Sendable {
  private struct State {
    var connection: SharedEventConnection?
    var hasBegun = false
    var isCancelled = false
    var position: String?
    /// The position of the update that was returned last. It counts as read when the next one is asked for.
    var unread: String?
    var reconnection = Reconnection()
  }

  private let service: EventService
  private let hub: EventHub
  private let inbox: EventInbox
  private let start: String?
  private let bookmark: EventBookmark?
  private let beginning = SingleFlight<Void>()
  private let state = Locked(State())

  init(topics: [EventTopic], after start: String?, bookmark: EventBookmark?, service: EventService, hub: EventHub) {
    inbox = EventInbox(topics: Set(topics))
    (self.start, self.bookmark, self.service, self.hub) = (start, bookmark, service, hub)
  }

  deinit { cancel() }

  /// Where the next update is read from: the position that reading has reached, or was asked to begin at.
  var position: String? { state.withLock { $0.position } ?? start }

  var isEnded: Bool { inbox.isEnded }

  func begin() async throws {
    if state.withLock({ $0.hasBegun }) { return }
    try await beginning.join { try await self.subscribe() }
  }

  func next() async throws -> EventUpdate? {
    do {
      try await noteRead()
      try await beginWhenPossible()
      while true {
        switch await inbox.next() {
        case .update(let update, let position):
          state.withLock { $0.unread = position }
          return update
        case .end(let ending):
          cancel()
          try ending.get()
          return nil
        case .behind: try await patiently { try await self.catchUp() }
        }
      }
    } catch {
      let wasCancelled = Task.isCancelled
      cancel()
      if wasCancelled || error is CancellationError { return nil }
      throw error
    }
  }

  func cancel() {
    inbox.finish(.success(()))
    let connection = state.withLock { state in
      state.isCancelled = true
      defer { state.connection = nil }
      return state.connection
    }
    guard let connection else { return }
    let (inbox, hub, bookmark) = (inbox, hub, bookmark)
    Task {
      await connection.remove(inbox)
      await hub.leave(connection)
      try? await bookmark?.flush()
    }
  }

  private func subscribe() async throws {
    if state.withLock({ $0.hasBegun }) { return }
    let topics = inbox.topics
    guard (1...EventTopic.maximumCount).contains(topics.count) else {
      throw APIError(
        .invalidArgument,
        "a subscription needs 1 to \(EventTopic.maximumCount) topics, got \(topics.count)")
    }
    let stored = start == nil ? try await bookmark?.load() : nil
    let connection = try await hub.join(topics, service: service)
    do { try await connection.add(inbox, after: start ?? stored) } catch {
      await hub.leave(connection)
      throw error
    }
    let isCancelled = state.withLock { state in
      state.connection = connection
      state.hasBegun = true
      state.position = inbox.position
      return state.isCancelled
    }
    // Cancelled while it began: only now there is something to leave.
    if isCancelled { cancel() }
  }

  private func beginWhenPossible() async throws {
    if inbox.isEnded, !state.withLock({ $0.hasBegun }) { throw CancellationError() }
    try await patiently { try await self.begin() }
  }

  private func catchUp() async throws {
    guard let connection = state.withLock({ $0.connection }) else { throw CancellationError() }
    try await connection.catchUp(inbox)
  }

  /// Does something; after a failure that may pass, again and again, with waits.
  func patiently<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    while true {
      try Task.checkCancellation()
      do {
        let result = try await body()
        state.withLock { $0.reconnection.works() }
        return result
      } catch let error as APIError where error.isPassing && !inbox.isEnded {
        let (clock, random) = (service.client.clock, service.client.random)
        let wait = state.withLock { state in
          state.reconnection.ended(error)
          return state.reconnection.wait(random: random)
        }
        try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
      }
    }
  }

  private func noteRead() async throws {
    let position: String? = state.withLock { state in
      guard let position = state.unread else { return nil }
      (state.position, state.unread) = (position, nil)
      return position
    }
    if let position { try await bookmark?.note(position) }
  }
}

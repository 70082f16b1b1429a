import NovaCore

/// Reads one subscription: begins it, takes updates from its inbox, and lists what the inbox has missed.
///
/// ``begin()`` finds or opens a connection of the caller (``EventHub/join(_:_:service:key:)``), determines the first
/// position, and adds the inbox to the connection. ``next()`` then asks the inbox what to do: deliver an update, list
/// missed events (`behind`), list the last events before a failure (`rest`), or end. An update counts as read when the
/// next one is requested; only then is its position stored. Failures that may pass are retried with waits
/// (`patiently`); everything that waits also ends when the subscription does (`untilEnded`).
final class EventReader: Sendable {
  private struct State {
    var connection: SharedEventConnection?
    /// The caller of the subscription; nil before it has a connection.
    var caller: OperationCaller?
    var hasBegun = false
    var isCancelled = false
    var position: String?
    /// The last returned update. It counts as read when the next one is requested.
    var unread: EventInbox.Waiting?
    /// The requests that failed.
    var failures: Repetition
    /// The requests that returned no event.
    var quiet: Repetition
    /// The resyncs. Unlike `quiet`, events in between do not reset them, because the program reads everything again
    /// after each resync.
    var resyncs: Repetition

    init(_ pacing: Pacing) {
      failures = Repetition(pacing)
      // After a gap, a few requests may be needed before events arrive again.
      quiet = Repetition(pacing, allowance: 4, memory: .seconds(30))
      resyncs = quiet
    }
  }

  private let service: EventService
  private let hub: EventHub
  private let inbox: EventInbox
  private let start: String?
  private let bookmark: EventBookmark?
  private let beginning = SingleFlight<NoKey, Void>()
  private let state: Locked<State>

  init(topics: [EventTopic], after start: String?, bookmark: EventBookmark?, service: EventService, hub: EventHub) {
    inbox = EventInbox(topics: Set(topics))
    (self.start, self.bookmark, self.service, self.hub) = (start, bookmark, service, hub)
    state = Locked(State(.reconnecting(longestWait: service.client.configuration.maximumRetryWait)))
  }

  deinit { cancel() }

  /// The position that reading has reached, or at which it should begin.
  var position: String? { state.withLock { $0.position } ?? start }

  /// The position at which to continue once the program has done what the last update asks for.
  var following: String? { state.withLock { $0.unread?.following ?? $0.position } ?? start }

  var hasBegun: Bool { state.withLock { $0.hasBegun } }
  /// How the subscription has ended; nil if it has not.
  var ending: Result<Void, any Error>? { inbox.ending }

  /// Begins now, within the deadline of the service's options.
  ///
  /// - Throws: ``APIError``: `timeout` after the deadline, which ends the subscription; `cancelled` if the subscription
  ///   ends or the task is cancelled.
  func beginNow() async throws {
    do {
      guard let deadline = service.options.deadline else { return try await begin() }
      try await Race.run(until: deadline, service.client.clock, timeUp: DeadlinePassed()) { try await self.begin() }
    } catch is DeadlinePassed {
      cancel()
      throw APIError(.timeout, "the subscription did not begin before the deadline")
    } catch is CancellationError {
      if Task.isCancelled { throw APIError.ofCancellation }
      throw APIError(.cancelled, "the subscription has ended")
    }
  }

  private struct DeadlinePassed: Error {}

  /// Begins, without a deadline.
  func begin() async throws {
    if hasBegun { return }
    do {
      try await beginning.join { try await self.untilEnded { try await self.subscribe() } }
    } catch is CancellationError where !Task.isCancelled {
      // A failure may end the subscription before `hasBegun` is set. Reading then delivers the events that have
      // arrived, and throws the failure after them.
      if hasBegun, inbox.hasFailed { return }
      try ending?.get()
      throw CancellationError()
    }
  }

  func next() async throws -> EventUpdate? {
    do {
      try await noteRead()
      try await beginWhenPossible()
      while true {
        switch await inbox.next() {
        case .update(let waiting):
          switch waiting.update {
          case .event: state.withLock { $0.quiet.works() }
          case .resync:
            try await unlessItFails {
              try await pause(\.resyncs, because: "the gateway no longer has what happened")
            }
          }
          state.withLock { $0.unread = waiting }
          return waiting.update
        case .end(let ending):
          cancel()
          try ending.get()
          return nil
        case .rest:
          guard let connection = state.withLock({ $0.connection }) else { throw CancellationError() }
          await connection.listRest(of: inbox)
        case .behind:
          try await unlessItFails {
            try await pause(\.quiet, because: "the gateway has nothing new after the position")
            try await patiently { try await self.catchUp() }
          }
        }
      }
    } catch {
      let ending = inbox.ending
      cancel()
      if Task.isCancelled { return nil }
      try ending?.get()
      if ending != nil || error is CancellationError { return nil }
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
    if let connection { leave(connection) }
  }

  private func leave(_ connection: SharedEventConnection) {
    let (inbox, hub, bookmark) = (inbox, hub, bookmark)
    Task {
      await connection.remove(inbox)
      try? await bookmark?.flush()
      await hub.leave(connection, inbox)
    }
  }

  private func subscribe() async throws {
    if hasBegun { return }
    let topics = inbox.topics
    guard (1...EventTopic.maximumCount).contains(topics.count) else {
      throw APIError(
        .invalidArgument,
        "a subscription needs 1 to \(EventTopic.maximumCount) topics, got \(topics.count)")
    }
    let connection = try await joinedConnection()
    let position: String
    do {
      position = try await connection.add(inbox, after: try await firstPosition(on: connection))
    } catch {
      if inbox.isEnded { leave(connection) }
      throw error
    }
    let isCancelled = state.withLock { state in
      state.hasBegun = true
      // Unless reading has begun, see `beginWhenPossible`.
      if state.position == nil { state.position = position }
      return state.isCancelled
    }
    // The subscription was cancelled while it began, and could not leave the connection before.
    if isCancelled { leave(connection) }
  }

  /// The connection of the subscription, joined at the first call. Its caller never changes, even if the subscription
  /// cannot begin yet.
  private func joinedConnection() async throws -> SharedEventConnection {
    if let connection = state.withLock({ $0.connection }) { return connection }
    let key: EventConnectionKey
    do { key = try await EventConnectionKey(of: service) } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw APIError(anyFailure: error)
    }
    await bookmark?.belong(to: key)
    let connection = try await hub.join(inbox, bookmark, service: service, key: key)
    state.withLock { ($0.connection, $0.caller) = (connection, OperationCaller(key.identity)) }
    return connection
  }

  /// The position at which to begin; nil for the current one. For a named subscription, the position is stored first:
  /// otherwise, if the program ended before it had processed an event, the next run would begin at a later position.
  private func firstPosition(on connection: SharedEventConnection) async throws -> String? {
    if let start { return start }
    guard let bookmark else { return nil }
    if let stored = try await bookmark.load() { return stored }
    let now = try await connection.now(inbox.topics)
    try await bookmark.store(now)
    return now
  }

  private func beginWhenPossible() async throws {
    // After a failure, the events that have arrived are read, even if `hasBegun` is not set yet.
    if hasBegun || inbox.hasFailed { return }
    if inbox.isEnded { throw CancellationError() }
    try await unlessItFails { try await patiently { try await self.begin() } }
  }

  /// Runs `body`, and ignores its error if the subscription has failed, because earlier events are delivered first.
  private func unlessItFails(_ body: () async throws -> Void) async throws {
    do { try await body() } catch {
      guard inbox.hasFailed, !Task.isCancelled else { throw error }
    }
  }

  private func catchUp() async throws {
    guard let connection = state.withLock({ $0.connection }) else { throw CancellationError() }
    try await connection.catchUp(inbox)
  }

  /// Waits before another request or resync if the earlier ones brought no event. Otherwise, a gateway that keeps
  /// losing events could make the program read everything again without a break.
  ///
  /// - Parameter repetition: the earlier requests or resyncs, which determine how long to wait.
  private func pause(
    _ repetition: any WritableKeyPath<State, Repetition> & Sendable, because reason: String
  ) async throws {
    let (clock, random) = (service.client.clock, service.client.random)
    let wait = state.withLock { $0[keyPath: repetition].failed(at: clock.now, random: random) }
    guard wait > .zero else { return }
    try await rest(for: wait, because: APIError(.unavailable, reason))
  }

  /// Waits, and reports the pause while it lasts.
  private func rest(for wait: Duration, because error: APIError) async throws {
    let clock = service.client.clock
    let line = state.withLock { $0.connection?.state }
    let pause = ReconnectionPause(after: error, wait, at: clock.now)
    line?.note(pause, of: self)
    defer { line?.note(nil, of: self) }
    try await untilEnded { try await clock.sleep(until: pause.end, tolerance: nil) }
  }

  /// Runs `body`, again after each failure that may pass, with waits in between.
  ///
  /// - Parameter isCallers: whether only the subscription's caller may make the calls in `body`.
  /// - Throws: any other failure; `CancellationError` as soon as the subscription ends.
  func patiently<Result: Sendable>(
    asCaller isCallers: Bool = false, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let caller = isCallers ? state.withLock { $0.caller } : nil
    while true {
      try Task.checkCancellation()
      do {
        let result = try await untilEnded {
          if let caller { return try await caller.run { try await body() } }
          return try await body()
        }
        state.withLock { $0.failures.works() }
        return result
      } catch let error as APIError where canPass(error) && !inbox.isEnded {
        let (clock, random) = (service.client.clock, service.client.random)
        let wait = state.withLock { $0.failures.failed(requested: error.serverWait, at: clock.now, random: random) }
        try await rest(for: wait, because: error)
      }
    }
  }

  private func canPass(_ error: APIError) -> Bool { hasBegun ? error.isPassingForGateway : error.isPassing }

  /// Runs `body`, and cancels it when the subscription ends.
  private func untilEnded<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await body() }
      group.addTask { [inbox] in
        await inbox.waitForEnd()
        return nil
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() ?? nil else { throw CancellationError() }
      return result
    }
  }

  private func noteRead() async throws {
    let position: String? = state.withLock { state in
      guard let position = state.unread?.position else { return nil }
      (state.position, state.unread) = (position, nil)
      return position
    }
    if let position { try await bookmark?.note(position) }
  }
}

import NovaCore

/// One subscription: begins it, takes what waits in its inbox, and asks the gateway for the rest.
final class EventReader: Sendable {
  private struct State {
    var connection: SharedEventConnection?
    /// Whose subscription it is, once it has a place on a connection.
    var caller: OperationCaller?
    var hasBegun = false
    var isCancelled = false
    var position: String?
    /// The update that was returned last. It counts as read when the next one is asked for.
    var unread: EventInbox.Waiting?
    /// Requests that have failed.
    var failures: Repetition
    /// Requests that have brought no event.
    var quiet: Repetition
    /// Resyncs, which events don't make up for: each makes the reader read everything afresh.
    var resyncs: Repetition

    init(_ pacing: Pacing) {
      failures = Repetition(pacing)
      // A gap takes a few requests until events arrive again.
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

  /// Where the next update is read from: the position that reading has reached, or was asked to begin at.
  var position: String? { state.withLock { $0.position } ?? start }

  /// Where the next update is read from, when what the last one asks for is done.
  var following: String? { state.withLock { $0.unread?.following ?? $0.position } ?? start }

  var hasBegun: Bool { state.withLock { $0.hasBegun } }
  /// How it has ended, if it has.
  var ending: Result<Void, any Error>? { inbox.ending }

  /// Begins now, before the deadline of the service's options.
  ///
  /// - Throws: ``APIError``: `timeout` after the deadline, which ends the subscription; `cancelled` when the subscription
  ///   has ended, or the task is cancelled.
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

  /// Begins, also after the deadline.
  func begin() async throws {
    if hasBegun { return }
    do {
      try await beginning.join { try await self.untilEnded { try await self.subscribe() } }
    } catch is CancellationError where !Task.isCancelled {
      // A failure can end the subscription before the subscription has noticed that it has begun. Then reading brings what
      // had arrived, and throws the failure after it.
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
              try await pause(because: "the gateway no longer has what happened") {
                $0.resyncs.failed(at: $1, random: $2)
              }
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
            try await pause(because: "the gateway has nothing new after the position") {
              $0.quiet.failed(at: $1, random: $2)
            }
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
    // Cancelled while it began: only now there is something to leave.
    if isCancelled { leave(connection) }
  }

  /// The connection that the subscription has a place on, also while it cannot begin. Whose connection that is remains so
  /// to the end.
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

  /// Where to begin; nil for now. What a named subscription begins at is stored first: a program that ends before its
  /// first event was processed must not begin later the next time.
  private func firstPosition(on connection: SharedEventConnection) async throws -> String? {
    if let start { return start }
    guard let bookmark else { return nil }
    if let stored = try await bookmark.load() { return stored }
    let now = try await connection.now(inbox.topics)
    try await bookmark.store(now)
    return now
  }

  private func beginWhenPossible() async throws {
    // After a failure, what had arrived is read, also if the subscription does not know yet that it has begun.
    if hasBegun || inbox.hasFailed { return }
    if inbox.isEnded { throw CancellationError() }
    try await unlessItFails { try await patiently { try await self.begin() } }
  }

  /// Does something that ends without an error when the subscription fails: what had arrived is delivered first.
  private func unlessItFails(_ body: () async throws -> Void) async throws {
    do { try await body() } catch {
      guard inbox.hasFailed, !Task.isCancelled else { throw error }
    }
  }

  private func catchUp() async throws {
    guard let connection = state.withLock({ $0.connection }) else { throw CancellationError() }
    try await connection.catchUp(inbox)
  }

  /// Waits before another request, or another resync, while these bring no event: however often a gateway says that
  /// something is gone, the reader is not made to read everything afresh without a break.
  ///
  /// - Parameter wait: how long, by the repetitions before.
  private func pause(
    because reason: String, for wait: (inout State, _ now: ContinuousClock.Instant, _ random: Double) -> Duration
  ) async throws {
    let (clock, random) = (service.client.clock, service.client.random)
    let wait = state.withLock { wait(&$0, clock.now, random) }
    guard wait > .zero else { return }
    try await rest(for: wait, because: APIError(.unavailable, reason))
  }

  /// Waits, and reports that while it lasts.
  private func rest(for wait: Duration, because error: APIError) async throws {
    let clock = service.client.clock
    let line = state.withLock { $0.connection?.state }
    let pause = ReconnectionPause(after: error, wait, at: clock.now)
    line?.note(pause, of: self)
    defer { line?.note(nil, of: self) }
    try await untilEnded { try await clock.sleep(until: pause.end, tolerance: nil) }
  }

  /// Does something; after a failure that may pass, again and again, with waits.
  ///
  /// - Throws: what does not pass; `CancellationError`, at once when the subscription ends.
  func patiently<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    while true {
      try Task.checkCancellation()
      do {
        let result = try await untilEnded(body)
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

  /// Does something, and cancels that when the subscription ends.
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

  /// The same for calls that the subscription's caller makes: nobody else.
  func patientlyAsCaller<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let caller = state.withLock({ $0.caller }) else { return try await patiently(body) }
    return try await patiently { try await caller.run { try await body() } }
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

import NovaCore

@testable import NovaOffline

// What only tests use of an outbox.
extension Outbox {
  /// Creates the outbox of a directory, for one caller. Opens nothing before the first use.
  ///
  /// - Parameters:
  ///   - directory: an existing directory, for `outbox.db` and `outbox.lock`.
  ///   - caller: sends the entries.
  ///   - host: applies the confirmed writes; kept weakly.
  ///   - clock: measures and waits.
  ///   - rule: returns the rule of an RPC by its id.
  ///   - makeKey: returns a new idempotency key.
  ///   - random: returns a number in 0..<1, for the jitter of waits.
  ///   - step: called at each step.
  init(
    directory: String, caller: any OutboxCaller, host: any OutboxHost, clock: any CallClock = ContinuousClock(),
    rule: @escaping @Sendable (String) -> WriteRule? = { OfflineRules.write($0) },
    makeKey: @escaping @Sendable () -> String = { RequestID.random() },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    step: @escaping @Sendable (OutboxStep) -> Void = { _ in }
  ) {
    let environment = OutboxEnvironment(
      directory: directory, clock: clock, rule: rule, makeKey: makeKey, random: random, step: step)
    self.init(OutboxEngine(environment), caller)
    engine.attach(host)
  }

  /// Queues a write after the others. Returns when it is on the disk.
  func enqueue(
    identity: Identity, rule: WriteRule, request: any ProtoMessage, key: String, newID: String? = nil,
    attempted: Bool = false, wouldChange: Bool? = nil
  ) async throws -> EnqueuedWrite {
    try await enqueue(
      OutboxDatabase.NewEntry(
        identity: identity, rule: rule, request: request, key: key, newID: newID, wouldChange: wouldChange,
        mayHaveLeft: attempted))
  }

  /// Sends in the background from now on, until ``stop()``.
  func start() { _ = engine.start(caller) }

  /// Ends sending for all callers: cancels the attempts in progress, and closes the file. The writes stay.
  func stop() async { await engine.stop() }

  /// The gateway has accepted the token of this identity.
  func accept(_ identity: Identity) async { await engine.accept(identity, from: caller) }

  /// The writes of an identity that wait or are blocked, in order, from memory.
  func waiting(for identity: Identity) -> [OutboxEntry] { store.queue.undelivered(identity) }

  /// Whether a write about one of these entities must wait for earlier writes, from memory.
  func hasWaiting(_ entities: [String], identity: Identity) -> Bool {
    store.queue.hasWaiting(entities, identity: identity)
  }

  /// The id that the gateway gave to what had this temporary id; nil if it is unknown.
  func realID(_ temporary: String, identity: Identity) -> String? { store.realIDs(of: identity)?[temporary] }
}

extension OutboxQueue {
  /// The entries of an identity that wait for no earlier one, in order.
  func ready(_ identity: Identity) -> [OutboxEntry] {
    var ready: [OutboxEntry] = []
    _ = firstReady(identity) { entry in
      ready.append(entry)
      return false
    }
    return ready
  }
}

extension WriteCheck {
  /// Whether the write took effect; nil if the answer does not show it.
  func isDone(_ response: any ProtoMessage, _ firstAttempt: Int64) -> Bool? {
    switch find(response, firstAttempt) {
    case .done: true
    case .notDone: false
    case .unknown: nil
    }
  }
}

import NovaCore

/// Sends the entries of a client's own caller in the background: those of the user who is signed in.
///
/// One task runs a burst, waits until the next one is due (`OutboxEngine.deadline(after:)`) or the loop is woken, and
/// begins again. A second task follows the connection, and wakes the first one when the gateway can be reached.
final class OutboxLoop: Sendable {
  private let engine: OutboxEngine
  private let caller: any OutboxCaller
  private let signal = WakeSignal()
  /// Whose entries the last burst has sent.
  private let last = Locked<Identity?>(nil)
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(_ engine: OutboxEngine, _ caller: any OutboxCaller) { (self.engine, self.caller) = (engine, caller) }

  func start() {
    let changes = caller.connectivity.quietChanges
    tasks.withLock { tasks in
      tasks = [
        Task { await self.run() },
        Task { await self.follow(changes) },
      ]
    }
  }

  /// Looks at the entries of an identity, if they may be this caller's; nil for those of all.
  func wake(_ identity: Identity?) {
    if let identity, let last = last.withLock({ $0 }), last != identity, caller.knownIdentity != identity { return }
    signal.wake()
  }

  /// Ends the loop. Does not wait for what is in progress.
  func cancel() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
    caller.connectivity.setWaiting(false)
  }

  /// Returns after the end.
  func rest() async {
    let ended = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in ended { await task.value }
  }

  private func run() async {
    while !Task.isCancelled {
      let burst = await engine.runBurst(of: caller, isForced: false, for: self)
      if Task.isCancelled { break }
      caller.connectivity.setWaiting(burst.end == .paused(.offline))
      await signal.wait(until: await engine.deadline(after: burst), engine.environment.clock)
    }
  }

  /// - Parameter changes: whether the gateway can be reached, now and after each change.
  private func follow(_ changes: AsyncStream<Bool>) async {
    var isFirst = true
    for await isOnline in changes {
      // The first value is no change, and ends no wait.
      if isOnline, !isFirst, let identity = last.withLock({ $0 }) { await engine.cameOnline(identity) }
      if isOnline { signal.wake() }
      isFirst = false
    }
  }

  /// Whether the last burst was that of an identity.
  func isAt(_ identity: Identity) -> Bool { last.withLock { $0 == identity } }

  /// Notes that a burst of an identity begins.
  ///
  /// - Returns: whether the last burst was another identity's.
  func note(_ identity: Identity) -> Bool {
    last.withLock { last in
      defer { last = identity }
      return last != nil && last != identity
    }
  }
}

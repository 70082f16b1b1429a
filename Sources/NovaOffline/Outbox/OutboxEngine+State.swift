import NovaCore

// What others see of the entries.
extension OutboxEngine {
  /// Reads what other processes have written.
  ///
  /// - Throws: `APIError` if the file cannot be used.
  func refresh() async throws {
    try await store.use { try $0.refresh() }
    if store.image.withLock({ $0.version }) != shownVersion { changed() }
  }

  /// The entries have changed.
  func changed() {
    shownVersion = store.image.withLock { $0.version }
    publish()
    host?.changed()
  }

  /// Counts the entries of the account, and changes the rest of the state.
  func publish(_ change: (inout OutboxState) -> Void = { _ in }) {
    let image = store.image.withLock { $0 }
    let counts = account.flatMap { image.queue.counts[$0] } ?? OutboxQueue.Counts()
    let isAnyWaiting = image.queue.counts.values.contains { $0.waiting > 0 }
    states.update { state in
      change(&state)
      (state.waiting, state.blocked, state.dead) = (counts.waiting, counts.blocked, counts.dead)
      state.others = image.queue.entries.count - counts.waiting - counts.blocked - counts.dead
      state.problem = image.problem
      if !(state.waiting > 0 || state.pause == .signedOut && isAnyWaiting) { state.pause = nil }
      if counts == OutboxQueue.Counts() { state.lastFailure = nil }
    }
  }

  /// From now on, the entries of this account are sent and counted.
  func adopt(_ account: String?) {
    let isAnother = account != self.account
    self.account = account
    publish { if isAnother { $0.lastFailure = nil } }
  }

  /// The same unless an account is known already.
  func adoptFirst(_ account: String) {
    if self.account == nil { adopt(account) }
  }
}

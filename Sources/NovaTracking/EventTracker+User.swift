import NovaCore

extension EventTracker {
  /// Says who is signed in, for apps that sign users in without a `SessionManager`: the SDK does not know whose tokens
  /// they set. The events that follow carry the ID. Nil means that the user has signed out: the next user gets another
  /// anonymous ID and another session.
  public func setUser(_ id: String?) { noteUser(id, isGiven: true) }

  func noteUser(_ id: String?, isGiven: Bool) {
    let (isChanged, anonymousID) = state.withLock { state in
      let before = state.anonymousID
      let isChanged = state.setUser(id, isGiven: isGiven)
      // Whoever has signed in can send.
      if isChanged { state.retryAt = nil }
      return (isChanged, state.anonymousID == before ? nil : state.anonymousID)
    }
    // At once, not in a task: the events that follow must not be stored before it.
    if let anonymousID { writer.enqueue { $0.setAnonymousID(anonymousID) } }
    if isChanged { alarm.ring() }
  }

  func updateUser() async {
    guard let client = connection.withLock({ $0.client }), let identity = try? await client.identity() else { return }
    noteUser(identity.user, isGiven: false)
  }
}

import NovaCore

extension EventTracker {
  /// Says who the client's own user is, for apps that sign users in without a `SessionManager`: the SDK does not know
  /// whose tokens they set. The events that follow carry the ID. Nil means that the user has signed out: the next user
  /// gets another anonymous ID and another session.
  ///
  /// Call it with nil before you replace a user's token by another user's, and with the ID after that: the events of the
  /// ID are sent with the token that the client has.
  public func setUser(_ id: String?) { noteOwn(id.map { .user($0) } ?? .nobody, isGiven: true) }

  func noteOwn(_ caller: AnalyticsCaller, isGiven: Bool) {
    let change = state.withLock { state in
      state.endLooks()
      return OwnChange(&state, caller, isGiven: isGiven)
    }
    if change != nil { storeChanges() }
  }

  /// Another user of the client's own tokens.
  struct OwnChange: Sendable {
    let own: AnalyticsCaller
    /// The new one, if there is one.
    let anonymousID: String?

    /// Notes the user; nil if it is the same.
    init?(_ state: inout TrackerState, _ caller: AnalyticsCaller, isGiven: Bool) {
      let before = state.anonymousID
      guard state.setOwn(caller, isGiven: isGiven) else { return nil }
      own = caller
      anonymousID = state.anonymousID == before ? nil : state.anonymousID
      state.changes.append(self)
    }

    /// Brings the change into the storage.
    fileprivate func apply(to storage: AnalyticsStorage) {
      if let anonymousID {
        storage.setAnonymousID(AnonymousID(id: anonymousID, caller: own))
      } else {
        storage.takeOverAnonymousID(own)
      }
      // A user who signs in takes over the earlier events.
      if own != .nobody { storage.move(from: .nobody, to: own) }
    }
  }

  /// Brings the changes of the user into the storage that it does not have yet, and takes something from the state in the
  /// same step: events that were tracked after a change must not be stored before it.
  static func applyChanges<Taken>(
    of state: Locked<TrackerState>, to storage: AnalyticsStorage, taking take: (inout TrackerState) -> Taken
  ) -> Taken {
    let (changes, taken) = state.withLock { state in
      defer { state.changes = [] }
      return (state.changes, take(&state))
    }
    for change in changes { change.apply(to: storage) }
    return taken
  }

  /// Brings changes of the user into the storage, soon.
  func storeChanges() {
    writer.enqueue { [state, clock, wakeSignal] storage in
      Self.applyChanges(of: state, to: storage) { _ in }
      let (sizes, now) = (storage.sizes, clock.now)
      state.withLock { state in
        let waiting = state.waiting(sizes)
        state.ownSchedule.setWaiting(waiting.own, at: now)
        state.otherSchedule.setWaiting(waiting.others, at: now)
      }
      wakeSignal.wake()
    }
  }

  /// Looks who the client's own user is.
  ///
  /// - Returns: the identity of the client's token; nil without a client.
  @discardableResult func updateUser() async -> Result<Identity, APIError>? {
    guard let client = connection.withLock({ $0.client }) else { return nil }
    let looks = state.withLock { $0.looks }
    let result = await client.lookUpIdentity(clock)
    guard case .success(let identity) = result else { return result }
    let change = state.withLock { state in
      state.looks == looks ? OwnChange(&state, AnalyticsCaller(identity.caller), isGiven: false) : nil
    }
    if change != nil { storeChanges() }
    return result
  }
}

import NovaCore

/// A change of the client's own user that the storage does not have yet.
struct UserChange: Sendable {
  let own: AnalyticsCaller
  /// The new anonymous ID; nil if it stays.
  let anonymousID: String?
}

extension AnalyticsStorage {
  /// Applies the changes of the user that the storage does not have yet, and takes something from the state in the same
  /// step: an event that was tracked after a change must not be stored before it.
  func applyChanges<Taken>(of state: Locked<TrackerState>, taking take: (inout TrackerState) -> Taken) -> Taken {
    let (changes, taken) = state.withLock { state in (state.takeChanges(), take(&state)) }
    for change in changes { apply(change) }
    return taken
  }

  private func apply(_ change: UserChange) {
    if let id = change.anonymousID {
      setAnonymousID(AnonymousID(id: id, caller: change.own))
    } else {
      takeOverAnonymousID(change.own)
    }
    // A user who signs in takes over the earlier events.
    if change.own != .anonymous { move(from: .anonymous, to: change.own) }
  }
}

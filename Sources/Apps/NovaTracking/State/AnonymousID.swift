import NovaCore

/// The ID that distinguishes the client's own users in events, whether or not they have signed in.
struct AnonymousID: Sendable, Equatable {
  var id = RequestID.random()
  /// The user whose ID it is; `anonymous` until a user signs in.
  var caller: AnalyticsCaller

  /// The caller's ID: this one if it belongs to the caller or to no user yet; otherwise, a new one.
  func taken(by caller: AnalyticsCaller) -> AnonymousID {
    let mayTake = self.caller == caller || self.caller == .anonymous
    return mayTake ? AnonymousID(id: id, caller: caller) : AnonymousID(caller: caller)
  }
}

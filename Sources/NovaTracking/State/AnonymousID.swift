import NovaCore

/// The ID that tells the client's own users apart in events, whether or not they have signed in.
struct AnonymousID: Sendable, Equatable {
  var id = RequestID.random()
  /// Whose it is; nobody's until a user signs in.
  var caller: AnalyticsCaller

  /// The caller's ID: this one if it is the caller's or nobody's yet, or else a new one.
  func taken(by caller: AnalyticsCaller) -> AnonymousID {
    let mayTake = self.caller == caller || self.caller == .nobody
    return mayTake ? AnonymousID(id: id, caller: caller) : AnonymousID(caller: caller)
  }
}

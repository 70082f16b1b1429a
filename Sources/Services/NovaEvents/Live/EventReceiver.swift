package import NovaCore

/// A client's store that is updated by events, such as NovaOffline's.
package protocol EventReceiver: CallStore {
  /// Called with live and listed events before subscriptions deliver them. An event can be passed more than once, and
  /// events that are listed later can be older.
  ///
  /// - Parameters:
  ///   - events: the events.
  ///   - identity: the caller that has received them. Other callers must not see them.
  func received(_ events: [Event], for identity: Identity) async
}

package import NovaCore

/// A client's store that keeps up with what happens. NovaOffline's does.
package protocol EventReceiver: CallStore {
  /// Called with the events of a live connection, and with those that are listed, before subscriptions deliver them. The
  /// same event can come more than once, and events that are listed afterwards can be older than those before.
  ///
  /// - Parameters:
  ///   - events: what has happened.
  ///   - identity: whose connection has received them. Others may not see them.
  func received(_ events: [Event], for identity: Identity) async
}

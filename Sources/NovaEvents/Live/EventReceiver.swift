package import NovaCore

/// A client's store that keeps up with what happens. NovaOffline's does.
package protocol EventReceiver: CallStore {
  /// Called with the events of live connections, and with those that are listed, before subscriptions deliver them. The
  /// same event can come more than once, and events that are listed afterwards can be older than those before.
  ///
  /// - Parameter identity: whose connection it is. Others may not see these events.
  func received(_ events: [Event], for identity: Identity) async

  /// The same for stores that find out whose events they are.
  func received(_ events: [Event]) async
}

extension EventReceiver {
  package func received(_ events: [Event], for identity: Identity) async { await received(events) }
}

package import NovaCore

/// A client's store that keeps up with what happens. NovaOffline's does.
package protocol EventReceiver: CallStore {
  /// Called with the events of the live connection, and with those that are listed, before subscriptions deliver them. The
  /// same event can come more than once, and events that are listed afterwards can be older than those before.
  func received(_ events: [Event]) async
}

extension EventService {
  /// Passes events on to the client's store, if it wants them.
  func note(_ events: [Event]) async {
    guard !events.isEmpty, let receiver = client.store as? any EventReceiver else { return }
    await receiver.received(events)
  }
}

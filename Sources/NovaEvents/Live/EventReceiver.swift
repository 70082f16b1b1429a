package import NovaCore

/// A client's store that keeps up with what happens. NovaOffline's does.
package protocol EventReceiver: CallStore {
  /// Called with the events of a live connection, and with those that are listed, before subscriptions deliver them. The
  /// same event can come more than once, and events that are listed afterwards can be older than those before.
  ///
  /// - Parameters:
  ///   - events: what has happened.
  ///   - identity: whose connection has received them: they change only what is stored for it.
  func received(_ events: [Event], identity: Identity) async
}

extension EventService {
  /// Passes events on to the client's store, if it wants them.
  func note(_ events: [Event]) async {
    guard !events.isEmpty, let receiver = client.store as? any EventReceiver,
      let identity = try? await client.identity(for: options)
    else { return }
    await receiver.received(events, identity: identity)
  }
}

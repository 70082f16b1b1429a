package import NovaCore
package import NovaEvents

extension OfflineStore: EventReceiver {
  /// Stores what an event says about what is stored for the identity whose connection has received it. Reads that follow
  /// see it.
  package func received(_ events: [Event], for identity: Identity) async {
    guard let engine = try? engine, (try? engine.checkIsOpen()) != nil else { return }
    await engine.cache.note(events, identity: identity, serverTime: engine.serverTime(of: identity.gateway))
  }
}

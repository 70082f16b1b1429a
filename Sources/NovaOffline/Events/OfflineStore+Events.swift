package import NovaEvents

extension OfflineStore: EventReceiver {
  /// Stores what an event says about stored facts. Reads that follow see it. Called by the client's live connection.
  package func received(_ events: [Event]) async {
    guard let engine = try? engine, (try? engine.checkIsOpen()) != nil, let account = try? await engine.accountName()
    else { return }
    await engine.cache.note(events, account: account)
  }
}

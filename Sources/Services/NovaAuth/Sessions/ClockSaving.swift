import NovaCore

/// Saves the known difference to the server's clock with the stored session. No call waits for that. If it fails, the
/// next process determines the difference again.
final class ClockSaving: Sendable {
  /// How long to wait for another process that uses the store. It may be refreshing, and then saves the clock itself.
  private static let patience = Duration.seconds(1)

  private let cache: SessionCache
  private let storage: SessionStorage
  private let saves = SingleFlight<NoKey, Void>()

  init(cache: SessionCache, storage: SessionStorage) { (self.cache, self.storage) = (cache, storage) }

  func start() {
    saves.start { [cache, storage] in
      try await storage.exclusively(until: storage.deadline(in: Self.patience)) {
        try await Self.save(cache, storage.store)
      }
    }
  }

  /// Returns when nothing is being saved.
  func rest() async { await saves.rest() }

  private static func save(_ cache: SessionCache, _ store: any SessionStore) async throws {
    let version = cache.version
    // Another session has a clock of its own.
    guard var stored = try await store.load(), cache.entry?.stored.isSame(as: stored) == true else { return }
    // Another process may have been faster.
    cache.adopt(stored, unless: version)
    guard let clock = cache.clock(differingFrom: stored.serverClock), cache.version == version else { return }
    stored.serverClock = clock
    try await store.save(stored)
    cache.adopt(stored, unless: version)
  }
}

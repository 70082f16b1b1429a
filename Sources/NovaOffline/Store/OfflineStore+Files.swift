import NovaCore

// What a directory has for all gateways and accounts, for programs that need no client for it.
extension OfflineStore {
  /// How much is stored in a directory. Creates `cache.db` if it does not exist.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be read.
  package static func cacheInfo(in directory: String) async throws -> CacheInfo {
    try await withCache(of: directory) { try await $0.info() }
  }

  /// Forgets everything that was read into a directory. Waiting writes stay.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file cannot be written.
  package static func clearCache(in directory: String) async throws {
    try await withCache(of: directory) { try await $0.forget(identity: nil) }
  }

  /// What to tell the user of a directory about outboxes that were damaged and moved aside, one sentence for each, until
  /// those files are moved or deleted. Opens no file.
  package static func damageNotices(in directory: String) -> [String] {
    DamagedFile("\(directory)/outbox.db").copies.map(DamagedFile.sentence)
  }

  private static func withCache<Value: Sendable>(
    of directory: String, _ body: (OfflineCache) async throws -> Value
  ) async throws -> Value {
    let cache = OfflineCache(
      path: "\(directory)/cache.db", maximumBytes: OfflineOptions().maximumBytes,
      clock: ContinuousClock())
    do {
      let value = try await body(cache)
      await cache.end()
      return value
    } catch {
      await cache.end()
      throw APIError(.failedPrecondition, "\(error)")
    }
  }
}

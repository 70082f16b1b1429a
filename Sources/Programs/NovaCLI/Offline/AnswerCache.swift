import ArgumentParser
import NovaCore
import NovaOffline

/// The stored answers of all gateways and accounts.
struct AnswerCache {
  let directory: OfflineDirectory

  /// The one that commands use; nil if no answers are stored.
  static func ofUser() -> AnswerCache? {
    guard let directory = directory(), directory.hasCache else { return nil }
    return AnswerCache(directory: directory)
  }

  /// The directory of the configuration, or else the standard one: the cache can be cleared even if the configuration is
  /// invalid.
  private static func directory() -> OfflineDirectory? {
    do { return OfflineDirectory(try ConnectionOptions.parse([]).configuration()) } catch {
      let directory = OfflineDirectory.withoutFiles()
      let reason = (error as? Failure)?.message ?? "\(error)"
      let place = directory.map { "taken from \($0.path)" } ?? "not looked for"
      Diagnostics.warning("the configuration cannot be used, so stored answers are \(place): \(reason)")
      return directory
    }
  }

  func info() async throws -> NovaOffline.CacheInfo {
    try await reporting { try await OfflineStore.cacheInfo(in: directory.path) }
  }

  func clear() async throws { try await reporting { try await OfflineStore.clearCache(in: directory.path) } }

  private func reporting<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as APIError {
      throw Failure("cannot use the stored answers: \(error.message)", .failed)
    }
  }

  static func json(_ info: NovaOffline.CacheInfo) -> JSONValue {
    .members(
      ("path", .string(info.path.shownPath)), ("byte_count", .integer(info.usedBytes)),
      ("maximum_byte_count", .integer(info.maximumBytes)), ("account_count", .integer(info.accounts)),
      ("record_count", .integer(recordCount(info))), ("list_count", .integer(info.lists)),
      ("fact_count", .integer(info.counts)), ("response_count", .integer(info.responses)),
      ("oldest_read_at", oldest(info).map { .integer($0) }))
  }

  static func rows(
    _ info: NovaOffline.CacheInfo, size: (Int) -> String, time: (Int64?) -> String
  ) -> [(label: String, text: String)] {
    let kinds = info.records.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return [
      ("OFFLINE STORE", info.path.shownPath),
      ("RECORDS", kinds.isEmpty ? "0" : "\(recordCount(info)) (\(kinds))"),
      ("LISTS", String(info.lists)),
      ("SIZE", size(info.usedBytes)), ("LIMIT", size(info.maximumBytes)),
      ("OLDEST", time(oldest(info))),
    ]
  }

  /// When the oldest record was read.
  private static func oldest(_ info: NovaOffline.CacheInfo) -> Int64? {
    info.oldest.map { Int64(ContinuousClock().unixTime) - $0.components.seconds }
  }

  private static func recordCount(_ info: NovaOffline.CacheInfo) -> Int { info.records.values.reduce(0, +) }
}

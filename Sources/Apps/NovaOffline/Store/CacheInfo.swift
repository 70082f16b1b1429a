import NovaSQLite

/// How much an ``OfflineStore`` keeps.
public struct CacheInfo: Sendable, Hashable {
  /// The file.
  public let path: String
  /// The size of what is stored, in bytes. The file also contains space that can be used again.
  public let usedBytes: Int
  /// The size at which what was not used for the longest time is removed.
  public let maximumBytes: Int
  /// The number of accounts with data.
  public let accounts: Int
  /// The number of records of each kind, such as `Post`.
  public let records: [String: Int]
  /// The number of lists that are known, as a whole or in part.
  public let lists: Int
  /// The number of counts and relations that are known.
  public let counts: Int
  /// The number of answers that are stored as a whole, such as pages of the feed.
  public let responses: Int
  /// The age of the oldest record; nil without records.
  public let oldest: Duration?
  /// Why the file was recreated or cannot be used; nil if all is well.
  public let problem: String?
}

extension CacheDatabase {
  /// Counts what is stored.
  func info(maximumBytes: Int) throws -> CacheInfo {
    try use { connection in
      func count(_ table: String) throws -> Int {
        try connection.statement("SELECT count(*) FROM \(table)").firstRow { $0.int(0) } ?? 0
      }
      var kinds: [String: Int] = [:]
      try connection.statement("SELECT kind, count(*) FROM records WHERE body IS NOT NULL GROUP BY kind")
        .forEachRow { kinds[$0.text(0)] = $0.int(1) }
      let oldest =
        try connection.statement("SELECT min(stored_at) FROM records WHERE stored_at > 0")
        .firstRow { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
      return CacheInfo(
        path: path, usedBytes: try connection.size().used, maximumBytes: maximumBytes,
        accounts: try count("partitions"), records: kinds, lists: try count("lists"), counts: try count("numbers"),
        responses: try count("responses"), oldest: oldest.flatMap { age(of: $0, at: now) }, problem: currentProblem)
    }
  }
}

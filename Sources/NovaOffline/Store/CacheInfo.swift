/// How much an ``OfflineStore`` keeps.
public struct CacheInfo: Sendable, Hashable {
  /// The file.
  public let path: String
  /// The size of what is stored, in bytes. The file is larger by what can be used again.
  public let usedBytes: Int
  /// The size at which what was not used for the longest time is removed.
  public let maximumBytes: Int
  /// How many accounts have data.
  public let accounts: Int
  /// How many records of each kind there are, such as `Post`.
  public let records: [String: Int]
  /// How many lists are known, as a whole or in part.
  public let lists: Int
  /// How many counts and relations are known.
  public let counts: Int
  /// How many answers are stored as a whole, such as pages of the feed.
  public let responses: Int
  /// How old the oldest record is; nil without records.
  public let oldest: Duration?
  /// Why the file was recreated or cannot be used; nil if all is well.
  public let problem: String?
}

public import NovaCore

/// A part of a set that one of several processes writes. ``FixtureMerge`` makes the complete set of all parts.
///
/// A shard has its part of each entity. Its JSON, CSV, and binary files are complete files of their format.
public struct FixtureShard: Sendable, Hashable {
  /// The part.
  public let part: WorkShard
  /// The names of the requests with responses that the set has. All shards of a set must have the same names, although
  /// only the first one writes the files, because they need the whole network.
  public let exchanges: [String]

  /// - Parameters:
  ///   - part: the part: `2/4`.
  ///   - exchanges: the names of RPCs, edge cases, and exports, in a fixed order. Default: none.
  public init(_ part: WorkShard, exchanges: [String] = []) {
    self.part = part
    self.exchanges = exchanges
  }

  /// Whether the shard has the set's requests with responses.
  public var hasExchanges: Bool { part.index == 1 }
}

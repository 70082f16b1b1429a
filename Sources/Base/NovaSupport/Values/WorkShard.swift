/// One part of work that several processes share: `2/4` is the second of four parts.
///
/// Parts are counted from 1, as by the test runners that have such an option.
public struct WorkShard: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of parts.
  public static let maximumCount = 100_000

  /// The number of this part, 1 to ``count``.
  public let index: Int
  /// The number of parts, 1 to ``maximumCount``.
  public let count: Int

  /// Creates a part.
  ///
  /// - Throws: ``WorkShardError`` if a number is out of range.
  public init(index: Int, count: Int) throws(WorkShardError) {
    guard (1...Self.maximumCount).contains(count) else {
      throw WorkShardError(description: "the number of shards must be 1 to \(Self.maximumCount), got \(count)")
    }
    guard (1...count).contains(index) else {
      let hint = index == 0 ? "; shards are counted from 1: pass index:0/\(count) for an index that begins with 0" : ""
      throw WorkShardError(description: "the shard must be 1 to \(count), got \(index)\(hint)")
    }
    (self.index, self.count) = (index, count)
  }

  /// Parses `2/4`, or the same as `index:1/4`: schedulers such as Kubernetes count from 0.
  ///
  /// - Throws: ``WorkShardError``.
  public init(parsing text: String) throws(WorkShardError) {
    let prefix = "index:"
    let isFromZero = text.hasPrefix(prefix)
    let parts = text.dropFirst(isFromZero ? prefix.count : 0).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else {
      throw WorkShardError(description: "expected a shard and the number of shards, such as 2/4")
    }
    if isFromZero, count > 0, index >= count {
      throw WorkShardError(description: "the index must be less than the number of shards, \(count), got \(index)")
    }
    try self.init(index: isFromZero ? min(index, count) + 1 : index, count: count)
  }

  /// Parses digits only, so that one shard has one name.
  private static func number(_ text: Substring) -> Int? {
    text == "0" || text.first != "0" ? UInt64(digits: text).flatMap { Int(exactly: $0) } : nil
  }

  /// `2/4`
  public var description: String { "\(index)/\(count)" }

  /// Returns this part of items that are numbered from 0: parts differ by at most one item, and are in order.
  ///
  /// - Parameter total: the number of items, 0 to 2⁴⁰.
  public func range(of total: Int) -> Range<Int> { total * (index - 1) / count..<total * index / count }
}

/// An invalid ``WorkShard``.
public struct WorkShardError: NovaError, Hashable {
  /// What is wrong, and what was expected.
  public let description: String
}

extension WorkShard {
  /// Describes the first thing that keeps shards from being merged: a different number of shards, a repeated shard, or
  /// missing ones.
  ///
  /// - Parameter shards: each shard with the name of where it is. Not empty.
  /// - Returns: nil if all shards are there, each once.
  package static func problem(merging shards: [(shard: WorkShard, place: String)]) -> String? {
    guard let first = shards.first else { return "no shards" }
    if let other = shards.first(where: { $0.shard.count != first.shard.count }) {
      return
        "\(first.place) is shard \(first.shard), and \(other.place) is shard \(other.shard); pass the shards of one number"
    }
    var places: [Int: String] = [:]
    for shard in shards {
      if let earlier = places.updateValue(shard.place, forKey: shard.shard.index) {
        return "\(earlier) and \(shard.place) are both shard \(shard.shard); pass each shard once"
      }
    }
    let missing = (1...first.shard.count).filter { places[$0] == nil }
    guard !missing.isEmpty else { return nil }
    let shown = missing.prefix(10).map(String.init).joined(separator: ", ")
    let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    let noun =
      missing.count == 1
      ? "shard \(shown) of \(first.shard.count) is" : "shards \(shown)\(more) of \(first.shard.count) are"
    return
      "\(noun) missing; run --shard \(missing[0])/\(first.shard.count)\(missing.count > 1 ? " and so on" : ""), and pass all shards"
  }
}

/// Computed edges from sources to targets (a configuration model): each edge has a number among the edges of its source and
/// one among those of its target, and a permutation maps the one to the other. The targets of a source and the sources of
/// a target come from the same numbering, so they agree. A pair can occur more than once.
struct EdgeLayer: Sendable {
  let sources: RankDistribution
  /// Rank → source.
  let sourceOrder: Permutation
  let targets: RankDistribution
  /// Rank → target.
  let targetOrder: Permutation
  let meeting: Permutation

  /// Calls `body` with each target of a source; a target can occur more than once.
  @inline(__always)
  func forEachTarget(of source: Int, _ body: (Int) -> Void) {
    for edge in sources.items(of: sourceOrder.inverse(source)) {
      body(targetOrder(targets.owner(of: meeting(edge))))
    }
  }

  /// Calls `body` with each source of a target; a source can occur more than once.
  @inline(__always)
  func forEachSource(of target: Int, _ body: (Int) -> Void) {
    for edge in targets.items(of: targetOrder.inverse(target)) {
      body(sourceOrder(sources.owner(of: meeting.inverse(edge))))
    }
  }

  /// Returns the number of edges that end at a target, including duplicates.
  func degree(ofTarget target: Int) -> Int { targets.items(of: targetOrder.inverse(target)).count }
}

extension [Int] {
  /// Returns the elements in ascending order, without duplicates and without `hidden` ones.
  func sortedDistinct(without hidden: [Int] = []) -> [Int] {
    var last = -1
    return sorted().filter { item in
      defer { last = item }
      return item != last && !hidden.contains(item)
    }
  }

  /// Returns the elements sorted by time, newest first, then by number.
  func newestFirst(_ time: (Int) -> Int64) -> [Int] { timed(time).map(\.item) }

  /// Returns the elements with their times, sorted by time, newest first, then by number.
  func timed(_ time: (Int) -> Int64) -> [(item: Int, time: Int64)] {
    map { (item: $0, time: time($0)) }.sorted { ($1.time, $0.item) < ($0.time, $1.item) }
  }
}

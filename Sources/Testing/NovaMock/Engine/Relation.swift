/// A set of pairs of numbers, such as follows or likes.
///
/// Every pair has a stamp and is in two lists, that of its source and that of its target, each in insertion order: 16
/// bytes a pair. Looking up a pair is linear in the length of the shorter list; everything else is a binary search.
struct Relation: Sendable {
  private var outgoing: [StampedList] = []
  private var incoming: [StampedList] = []
  /// The stamp of the next pair; stamps are not reused.
  private(set) var nextStamp: Int32 = 0

  init() {}

  /// The number of pairs. O(n) in the number of sources.
  var count: Int { outgoing.reduce(0) { $0 + $1.count } }

  /// Creates a relation from distinct pairs, oldest first.
  init(_ pairs: [(source: Int32, target: Int32)], sources: Int, targets: Int) {
    var outgoingCounts = [Int32](repeating: 0, count: sources)
    var incomingCounts = [Int32](repeating: 0, count: targets)
    for pair in pairs {
      outgoingCounts[Int(pair.source)] += 1
      incomingCounts[Int(pair.target)] += 1
    }
    outgoing = outgoingCounts.map { StampedList(capacity: Int($0)) }
    incoming = incomingCounts.map { StampedList(capacity: Int($0)) }
    for pair in pairs { append(pair.source, pair.target) }
  }

  func targets(of source: Int32) -> StampedList { list(outgoing, source) }

  func sources(of target: Int32) -> StampedList { list(incoming, target) }

  private func list(_ lists: [StampedList], _ number: Int32) -> StampedList {
    Int(number) < lists.count ? lists[Int(number)] : StampedList()
  }

  func contains(_ source: Int32, _ target: Int32) -> Bool { stamp(source, target) != nil }

  private func stamp(_ source: Int32, _ target: Int32) -> Int32? {
    let targets = targets(of: source)
    let sources = sources(of: target)
    return targets.count <= sources.count ? targets.stamp(of: target) : sources.stamp(of: source)
  }

  /// Adds a pair; returns false if it already exists.
  @discardableResult
  mutating func insert(_ source: Int32, _ target: Int32) -> Bool {
    if contains(source, target) { return false }
    append(source, target)
    return true
  }

  /// Adds a new pair without a lookup.
  mutating func append(_ source: Int32, _ target: Int32) {
    outgoing.grow(toHold: source)
    incoming.grow(toHold: target)
    outgoing[Int(source)].append(target, stamp: nextStamp)
    incoming[Int(target)].append(source, stamp: nextStamp)
    nextStamp += 1
  }

  /// Removes a pair; returns false if it does not exist.
  @discardableResult
  mutating func remove(_ source: Int32, _ target: Int32) -> Bool {
    guard let stamp = stamp(source, target) else { return false }
    outgoing[Int(source)].remove(stamp: stamp)
    incoming[Int(target)].remove(stamp: stamp)
    return true
  }

  /// Removes every pair with this target.
  mutating func removeAll(target: Int32) {
    guard Int(target) < incoming.count else { return }
    let pairs = incoming[Int(target)]
    incoming[Int(target)] = StampedList()
    pairs.newestFirst { pair in
      outgoing[Int(pair.value)].remove(stamp: pair.stamp)
      return true
    }
  }
}

extension [StampedList] {
  fileprivate mutating func grow(toHold number: Int32) {
    while count <= Int(number) { append(StampedList()) }
  }
}

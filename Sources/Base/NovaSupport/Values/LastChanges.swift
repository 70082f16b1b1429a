/// When something last changed for each key. Moments are counted, not timed.
///
/// Keeps little memory for any number of keys: those that were dropped count as changed at that moment.
package struct LastChanges<Key: Hashable> {
  private let capacity: Int
  /// The present moment.
  package private(set) var now = 0
  private var last: [Key: Int] = [:]
  /// When the keys that are not in `last` may have changed.
  private var others = 0

  /// - Parameter capacity: how many keys are told apart.
  package init(capacity: Int) { self.capacity = capacity }

  /// The number of keys that are told apart now.
  package var count: Int { last.count }

  /// Notes a change for a key; nil for all.
  package mutating func note(_ key: Key?) {
    now += 1
    if key == nil || last.count >= capacity { (last, others) = ([:], now) }
    if let key { last[key] = now }
  }

  package func hasChanged(_ key: Key, since moment: Int) -> Bool { last[key] ?? others > moment }
}

extension LastChanges: Sendable where Key: Sendable {}

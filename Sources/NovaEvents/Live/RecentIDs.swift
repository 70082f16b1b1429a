import NovaCore

/// The ids that were seen last. It holds their hashes, of which no two are equal in practice.
///
/// What has no id cannot be recognized: the empty id is never among them.
package struct RecentIDs: Sendable {
  private let capacity: Int
  private var order: [Int] = []
  private var next = 0
  private var known: Set<Int> = []

  package init(capacity: Int) { self.capacity = capacity }

  package func contains(_ id: String) -> Bool { known.contains(id.byteHash) }

  /// Adds an id; false if it is there already.
  @discardableResult package mutating func insert(_ id: String) -> Bool {
    if id.isEmpty { return true }
    let hash = id.byteHash
    guard known.insert(hash).inserted else { return false }
    if order.count < capacity {
      order.append(hash)
    } else {
      known.remove(order[next])
      order[next] = hash
      next = (next + 1) % capacity
    }
    return true
  }
}

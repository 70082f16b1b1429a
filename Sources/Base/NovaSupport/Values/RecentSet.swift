/// A set that keeps a fixed number of the elements added last.
package struct RecentSet<Element: Hashable> {
  private let capacity: Int
  private var members: Set<Element> = []
  private var order: [Element] = []
  /// The index of the oldest element in a full `order`.
  private var oldest = 0

  /// - Parameter capacity: the maximum number of elements; at least 1.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  package var count: Int { members.count }

  package func contains(_ element: Element) -> Bool { members.contains(element) }

  /// Inserts an element, replacing the oldest one if the set is full.
  ///
  /// - Returns: false if the set already contains it; its age then does not change.
  @discardableResult package mutating func insert(_ element: Element) -> Bool {
    guard members.insert(element).inserted else { return false }
    if order.count < capacity {
      order.append(element)
    } else {
      members.remove(order[oldest])
      order[oldest] = element
      oldest = (oldest + 1) % capacity
    }
    return true
  }
}

extension RecentSet: Sendable where Element: Sendable {}

/// IDs, by their hashes, which differ in practice. An empty ID identifies nothing, so the set never contains it.
extension RecentSet<Int> {
  package func contains(id: String) -> Bool { !id.isEmpty && contains(id.byteHash) }

  /// - Returns: false if the set already contains it.
  @discardableResult package mutating func insert(id: String) -> Bool { id.isEmpty || insert(id.byteHash) }
}

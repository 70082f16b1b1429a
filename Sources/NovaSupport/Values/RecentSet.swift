/// The elements that were added last, in a fixed number.
package struct RecentSet<Element: Hashable> {
  private let capacity: Int
  private var members: Set<Element> = []
  private var order: [Element] = []
  /// The place of the oldest element in a full `order`.
  private var oldest = 0

  /// - Parameter capacity: the maximum number of elements; at least 1.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  package var count: Int { members.count }

  package func contains(_ element: Element) -> Bool { members.contains(element) }

  /// Adds an element, in place of the oldest if there is no room.
  ///
  /// - Returns: false if it is among them already; then its age stays as it is.
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

/// IDs by their hashes, of which no two are equal in practice. What has no ID cannot be recognized: the empty ID is never
/// among them.
extension RecentSet<Int> {
  package func contains(id: String) -> Bool { !id.isEmpty && contains(id.byteHash) }

  /// - Returns: false if it is among them already.
  @discardableResult package mutating func insert(id: String) -> Bool { id.isEmpty || insert(id.byteHash) }
}

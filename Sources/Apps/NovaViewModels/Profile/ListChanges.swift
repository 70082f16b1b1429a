import NovaCore

extension Int {
  /// The count after a change, at least 0. A server's counts may be older than its lists, and not include the item that
  /// is removed.
  func changed(by change: Int) -> Int { Swift.max(0, self + change) }

  mutating func change(by change: Int) { self = changed(by: change) }
}

extension Page<String> {
  /// Whether an ID is in the list; nil if it may be on a later page.
  func knows(_ id: String) -> Bool? { items.containsBytes(of: id) ? true : hasMore ? nil : false }

  /// Puts an ID at the front, or removes it.
  mutating func set(_ id: String, _ isIn: Bool) {
    let count = items.count
    items = items.with(id, isIn)
    totalCount.change(by: items.count - count)
  }
}

extension [String] {
  /// The IDs with one at the front, or without it.
  func with(_ id: String, _ isIn: Bool) -> [String] {
    guard isIn else { return filter { !$0.hasSameBytes(as: id) } }
    return containsBytes(of: id) ? self : [id] + self
  }
}

/// A page of a list as it is shown: the stored places, without the items that waiting writes remove, and with those
/// that they add at both ends.
///
/// The shown list has three parts: the new first items, the stored places that are not hidden, and the new last items.
/// The page takes what it covers of each part, in this order.
struct ListWindow {
  /// The stored list; nil for the empty list of a record that a waiting write creates.
  let list: ListTable.List?
  let page: PageName
  let reader: FactReader

  /// Reads the page; nil if one of its places is unknown.
  ///
  /// - Parameter waiting: what waiting writes change about the list.
  func read(_ waiting: WaitingChanges) throws -> (ids: [String], end: PageEnd)? {
    let changes = try waiting.changes(of: page.list)
    let hidden = try hiddenPlaces(changes.removed)
    let first = try changes.first.filter { try !isStored($0) }
    let last = try changes.last.filter { try !isStored($0) }
    let end = try storedLength()
    let length = end.map { $0 + first.count + last.count - hidden.count }
    if page.total != nil, length == nil { return nil }

    var ids = Array(first.dropFirst(page.offset).prefix(page.limit))
    let wanted = min(page.limit, PageName.longestList) - ids.count
    let start = max(0, page.offset - first.count)
    let places = storedPlaces(start, count: wanted, hidden)
    let items = try list.map { try reader.tables.lists.items(of: $0, in: places) } ?? []
    var next = places.lowerBound
    // Without items, the page states the end of the list.
    if let list, items.isEmpty { reader.note(list.storedAt) }
    for item in items where item.index == next {
      next += 1
      if hidden.contains(item.index) { continue }
      reader.note(item.storedAt)
      ids.append(item.id)
    }
    // If the server chooses the size of the page, a page of all known items is complete.
    let takesLess = page.limit == PageName.serversChoice && next > places.lowerBound
    if next < places.upperBound, end.map({ next < $0 }) ?? true, !takesLess { return nil }
    if let end {
      // The new last items come after the stored places.
      let skipped = max(0, page.offset - first.count - (end - hidden.count))
      ids += last.dropFirst(skipped).prefix(page.limit - ids.count)
    }
    let hasMore = length.map { page.offset < $0 && page.offset + ids.count < $0 && !ids.isEmpty }
    return (ids, PageEnd(total: length, hasMore: hasMore ?? (ids.count == page.limit)))
  }

  /// The number of stored items; nil if it is unknown.
  private func storedLength() throws -> Int? {
    guard let list else { return 0 }
    if let length = list.length { return length }
    guard let total = page.total, let count = try reader.tables.numbers.count(total) else { return nil }
    reader.note(count.storedAt)
    return Int(count.value)
  }

  private func isStored(_ id: String) throws -> Bool {
    guard let list else { return false }
    return try reader.tables.lists.index(of: id, in: list) != nil
  }

  /// The stored places of removed items, ascending.
  private func hiddenPlaces(_ removed: [String]) throws -> [Int] {
    guard let list else { return [] }
    return try removed.compactMap { try reader.tables.lists.index(of: $0, in: list) }.sorted()
  }

  /// The stored places of `count` shown items from the one at `start`, with the hidden places between them.
  private func storedPlaces(_ start: Int, count: Int, _ hidden: [Int]) -> Range<Int> {
    var (first, end) = (start, start + count)
    for place in hidden {
      if place <= first { first += 1 }
      if place < end || place <= first { end += 1 }
    }
    return first..<max(first, end)
  }
}

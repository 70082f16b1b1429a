import NovaCore

/// The pages after the first, where a limit is greater than a page: servers return no more than their maximum at once.
struct FollowingPages<Element: Sendable & Hashable> {
  /// The items that are wanted yet, and where they begin.
  private(set) var next: (limit: Int, offset: Int)?
  private var seen: Set<Int>
  private var missing: Int
  private var offset: Int

  /// - Parameters:
  ///   - first: the first page.
  ///   - offset: where it begins.
  ///   - limit: the number of items that are wanted; 0 for one page.
  init(of first: Page<Element>, from offset: Int, limit: Int) {
    seen = Set(first.items.map { ItemIdentity.key(of: $0) })
    missing = limit - first.items.count
    self.offset = offset
    advance(behind: first, hasNew: !first.items.isEmpty)
  }

  /// A page without what came before, because the list has changed, and without what is too much.
  mutating func fresh(_ page: Page<Element>) -> Page<Element> {
    var fresh = page
    fresh.items = Array(page.items.filter { seen.insert(ItemIdentity.key(of: $0)).inserted }.prefix(missing))
    if fresh.items.count < missing, page.items.isEmpty { fresh.hasMore = false }
    missing -= fresh.items.count
    advance(behind: page, hasNew: !fresh.items.isEmpty)
    return fresh
  }

  private mutating func advance(behind page: Page<Element>, hasNew: Bool) {
    offset += max(page.items.count, page.coveredCount)
    // A page without anything new would lead to an endless list of them.
    next = page.hasMore && hasNew && missing > 0 ? (missing, offset) : nil
  }
}

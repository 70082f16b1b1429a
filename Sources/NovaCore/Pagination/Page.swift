/// One page of a list that is read by offset.
public struct Page<Element: Sendable & Hashable>: Sendable, Hashable {
  /// The items, without those that an earlier page had.
  public var items: [Element]
  /// How many items the whole list has, as the server counted for this page.
  public var totalCount: Int
  /// Whether the server has more behind this page.
  public var hasMore: Bool
  /// What changed in the list since the page before; nil if nothing is known to have changed.
  public var shift: PageShift?
  /// How many places of the list the page covers: the next one begins behind them. More than there are items where some
  /// of them were left out.
  public var coveredCount: Int

  /// Creates a page; unless it is said otherwise, it covers as many places as it has items.
  public init(
    items: [Element], totalCount: Int, hasMore: Bool, shift: PageShift? = nil, coveredCount: Int? = nil
  ) {
    self.items = items
    self.totalCount = totalCount
    self.hasMore = hasMore
    self.shift = shift
    self.coveredCount = coveredCount ?? items.count
  }
}

/// Whether a list goes on behind a page. Servers may leave `has_more` out; the total tells then.
package func listGoesOn(_ hasMore: Bool, offset: Int, count: Int, total: Int) -> Bool {
  hasMore || count > 0 && total - offset > count
}

/// A list changed between two pages, so that offsets no longer mean what they meant: items added in front come a second
/// time (they were dropped), and where items were removed as many may have been missed.
public struct PageShift: Sendable, Hashable {
  /// The offset of the page at which it showed.
  public var offset: Int
  /// How many items came again and were dropped.
  public var repeatedItems: Int
  /// How much longer (or, if negative, shorter) the list has become.
  public var growth: Int

  /// Creates a shift.
  public init(offset: Int, repeatedItems: Int, growth: Int) {
    self.offset = offset
    self.repeatedItems = repeatedItems
    self.growth = growth
  }
}

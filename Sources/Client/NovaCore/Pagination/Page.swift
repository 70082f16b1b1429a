/// One page of a list that is read by offset.
public struct Page<Element: Sendable & Hashable>: Sendable, Hashable {
  /// The items, without those that an earlier page had.
  public var items: [Element]
  /// How many items the whole list has, as the server counted for this page.
  public var totalCount: Int
  /// Whether there are more items after this page.
  public var hasMore: Bool
  /// What changed in the list since the page before; nil if nothing is known to have changed.
  public var shift: PageShift?
  /// How many positions of the list the page covers; the next page begins after them. More than the number of items if
  /// some were left out.
  public var coveredCount: Int
  /// The ids at the positions that the page covers, where some of their items were left out.
  package var positionIDs: [String]?

  /// Creates a page. By default, it covers as many positions as it has items.
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

/// A request for a page of a list that is read by offset. Conformances are generated from `Proto/`.
public protocol PagedRequest: ProtoMessage {
  /// The maximum number of items on the page; 0 for the server's default.
  var limit: Int { get set }
  /// The number of items to skip.
  var offset: Int { get set }
}

/// A response with a page of a list that is read by offset. Conformances are generated from `Proto/`.
public protocol PagedResponse<Item>: ProtoMessage {
  /// An item of the list: an entity, or its id.
  associatedtype Item: Sendable & Hashable
  /// The items of the page.
  var items: [Item] { get set }
  /// The number of items in the whole list.
  var totalCount: Int { get }
  /// Whether there are more items after the page. Servers may leave it out; the services' calls set it then.
  var hasMore: Bool { get set }
}

extension PagedResponse {
  /// Whether there are more items after the page, according to the server or to its total.
  ///
  /// - Parameter offset: the request's offset.
  package func hasMorePages(after offset: Int) -> Bool {
    hasMore || !items.isEmpty && totalCount - offset > items.count
  }

  /// The response with everything that servers may leave out.
  public func normalized(for request: some PagedRequest) -> Self {
    var response = self
    response.items = items
    response.hasMore = hasMorePages(after: request.offset)
    return response
  }
}

extension Page {
  /// Creates a page from an RPC's response.
  ///
  /// - Parameter offset: the offset of the request.
  package init(_ response: some PagedResponse<Element>, offset: Int) {
    self.init(
      items: response.items, totalCount: response.totalCount, hasMore: response.hasMorePages(after: offset))
  }
}

/// A change of a list between two pages, which moves its offsets: items added at the front move others onto the next
/// page (the repeats are dropped), and removed items move others to pages that were read already (these are read again).
public struct PageShift: Sendable, Hashable {
  /// The offset of the page on which the change was found.
  public var offset: Int
  /// How many repeated items were dropped.
  public var repeatedItems: Int
  /// How much longer (or, if negative, shorter) the list has become.
  public var growth: Int
  /// How many items came by reading again from a lower offset, because others had been removed in front.
  public var recoveredItems: Int
  /// Whether the page is known to continue what was read: no item that was in the list all the time is missing. False
  /// where the server or the list does not allow to find that out.
  public var isComplete: Bool

  /// Creates a shift.
  public init(offset: Int, repeatedItems: Int, growth: Int, recoveredItems: Int = 0, isComplete: Bool = true) {
    self.offset = offset
    self.repeatedItems = repeatedItems
    self.growth = growth
    self.recoveredItems = recoveredItems
    self.isComplete = isComplete
  }
}

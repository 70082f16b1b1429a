import NovaCore

/// The validated `limit` and `offset` of a list, bounded by the contract.
struct Paging {
  /// A page, with the length of the whole list.
  typealias Page<Element> = (page: [Element], total: Int, hasMore: Bool)

  let limit: Int
  let offset: Int

  init<Request, Response>(limit: Int, offset: Int = 0, of rpc: RPC<Request, Response>) throws(MockFailure) {
    guard limit >= 0 else { throw .invalid("limit is \(limit); it must not be negative") }
    guard offset >= 0 else { throw .invalid("offset is \(offset); it must not be negative") }
    let bounds = rpc.descriptor.pageLimit ?? PageLimit(default: 50, maximum: 100)
    self.limit = min(limit == 0 ? bounds.defaultValue ?? bounds.maximum : limit, bounds.maximum)
    self.offset = offset
  }

  /// Returns the elements of a page, newest first, of a list stored oldest first.
  func newestFirst<Element>(_ items: [Element]) -> [Element] {
    Array(items.reversed().dropFirst(offset).prefix(limit))
  }

  /// Returns a page of a list in its own order.
  func inOrder<Element>(_ items: [Element]) -> Page<Element> {
    (Array(items.dropFirst(offset).prefix(limit)), items.count, hasMore(of: items.count))
  }

  /// Returns a page of a list, newest first.
  func newestFirst(_ list: StampedList) -> Page<StampedList.Entry> {
    (list.newestFirst(offset: offset, limit: limit), list.count, hasMore(of: list.count))
  }

  /// Returns a page of a list, oldest first.
  func oldestFirst(_ list: StampedList) -> Page<StampedList.Entry> {
    (list.oldestFirst(offset: offset, limit: limit), list.count, hasMore(of: list.count))
  }

  /// Whether items follow the page in a list of `count` items.
  func hasMore(of count: Int) -> Bool { offset < count && count - offset > limit }
}

import NovaCore

/// The validated `limit` and `offset` of a list, bounded by the contract.
struct Paging {
  let limit: Int
  let offset: Int

  init(limit: Int, offset: Int, _ rpc: RPCDescriptor) throws(MockFailure) {
    guard limit >= 0 else { throw MockFailure(.invalidArgument, "limit is \(limit); it must not be negative") }
    guard offset >= 0 else { throw MockFailure(.invalidArgument, "offset is \(offset); it must not be negative") }
    let bounds = rpc.pageLimit ?? PageLimit(default: 50, maximum: 100)
    self.limit = min(limit == 0 ? bounds.defaultValue ?? bounds.maximum : limit, bounds.maximum)
    self.offset = offset
  }

  /// Returns a page, newest first, of a list stored oldest first.
  func newestFirst<Element>(_ items: [Element]) -> (page: [Element], hasMore: Bool) {
    let end = max(0, items.count - offset)
    let start = max(0, end - limit)
    return (items[start..<end].reversed(), start > 0)
  }

  /// Returns a page of a list in its own order.
  func inOrder<Element>(_ items: [Element]) -> (page: [Element], hasMore: Bool) {
    let start = min(offset, items.count)
    let end = min(start + limit, items.count)
    return (Array(items[start..<end]), end < items.count)
  }
}
